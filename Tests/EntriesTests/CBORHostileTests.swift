import TestSupport
import Testing
import TidemarkEntries

/// Bytes that nobody wrote in good faith.
@Suite struct CBORHostileTests {
  @Test func `an entry of any kind that is cut anywhere is refused`() throws {
    for kind in KindSamples.full {
      let name = type(of: kind).name
      let bytes = KindSamples.encoded(kind)
      for count in bytes.indices {
        #expect(throws: EntryError.self, "\(name) cut to \(count)") {
          try KindSamples.read(Array(bytes.prefix(count)))
        }
      }
      #expect(throws: EntryError.self) { try KindSamples.read(bytes + [0]) }
    }
  }

  @Test func `what is read of bytes of chance is written back to them`() {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    var readCount = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...40, using: &chance)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      _ = try? KindSamples.read(bytes)
      guard let value = try? CBORValue(bytes) else { continue }
      readCount += 1
      #expect(value.encoded == bytes, "\(Hex.encode(bytes)) (seed \(seed))")
    }
    #expect(readCount > 0, "chance gave nothing that can be read (seed \(seed))")
  }

  @Test func `what is read of a damaged entry is written back to the same bytes`() throws {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    for kind in KindSamples.full {
      for _ in 0..<500 {
        var bytes = KindSamples.encoded(kind)
        for _ in 0..<Int.random(in: 1...3, using: &chance) {
          let place = Int.random(in: bytes.indices, using: &chance)
          bytes[place] = UInt8.random(in: 0...255, using: &chance)
        }
        guard let entry = try? KindSamples.read(bytes) else { continue }
        let again = try CBORValue(Array(entry.bytes)).encoded
        #expect(again == bytes, "\(Hex.encode(bytes)) (seed \(seed))")
      }
    }
  }

  @Test(arguments: [[0x81], [0xc6], [0xa1, 0x00], [0xd9, 0xff, 0xff]] as [[UInt8]])
  func `what is nested deeper than 16 is refused`(head: [UInt8]) throws {
    func nested(_ depth: Int) -> [UInt8] {
      [UInt8]((0..<depth).map { _ in head }.joined()) + [0x00]
    }
    #expect(try CBORValue(nested(CBORReader.depthMax)).encoded == nested(16))
    for depth in [17, 18, 100_000] {
      let error = #expect(throws: EntryError.self) { try CBORValue(nested(depth)) }
      #expect(error?.code == .limit)
    }
  }

  @Test(arguments: ["40", "60", "80", "a0"])
  func `a length beyond the end is refused before anything is made of it`(major: String) throws {
    let type = try #require(Hex.decode(major)?.first)
    let lengths: [[UInt8]] = [
      [type | 1], [type | 23], [type | 24, 255], [type | 25, 255, 255],
      [type | 26, 255, 255, 255, 255], [type | 27] + [UInt8](repeating: 255, count: 8),
      [type | 27, 127] + [UInt8](repeating: 255, count: 7),
    ]
    for bytes in lengths {
      let error = #expect(throws: EntryError.self) { try CBORValue(bytes) }
      #expect(error == EntryError(.malformed, "the bytes end too early"))
    }
  }

  @Test(arguments: [
    "a2" + "0100" + "0000", "a2" + "0100" + "0100", "a2" + "2000" + "0000",
    "a2" + "616200" + "616100", "a2" + "200018" + "6400", "a2" + "8000" + "6000",
    "82" + "00" + "a201000000",
  ])
  func `keys of a map that are out of order or come twice are refused`(hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    let error = #expect(throws: EntryError.self) { try CBORValue(bytes) }
    #expect(error?.message == "not deterministic CBOR: map keys out of order")
  }

  @Test(arguments: ["61ff", "62c080", "63eda080", "64f4908080", "61c3"])
  func `a text that is not UTF-8 is refused`(hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    let error = #expect(throws: EntryError.self) { try CBORValue(bytes) }
    #expect(error == EntryError(.malformed, "UTF-8 is expected"))
  }
}

/// The rules of the envelope.
@Suite struct EnvelopeTests {
  /// The least envelope, with these fields put in or replaced.
  private func envelope(_ changes: [UInt64: CBORValue?]) -> [UInt8] {
    var fields: [UInt64: CBORValue] = [0: .unsigned(999), 1: .bytes([1]), 3: .unsigned(5)]
    for (field, value) in changes { fields[field] = value }
    return CBORValue.map(fields.map { .init(.unsigned($0), $1) }).encoded
  }

  private func code(_ changes: [UInt64: CBORValue?]) -> EntryError.Code? {
    do throws(EntryError) {
      _ = try KindSamples.read(envelope(changes))
      return nil
    } catch {
      return error.code
    }
  }

  private func link(
    _ role: UInt64,
    _ pointers: [UInt64],
    path: [UInt8] = Array("/a".utf8)
  ) -> CBORValue {
    .array([.bytes(path), .unsigned(role)] + pointers.map { .unsigned($0) })
  }

  @Test(arguments: [0, 1, 3] as [UInt64])
  func `kind, key and time are required`(field: UInt64) {
    #expect(code([:]) == nil)
    #expect(code([field: nil]) == .malformed)
    #expect(code([field: nil, 99: .unsigned(0)]) == .malformed)
    #expect(code([field: .simple(22)]) == .malformed)
  }

  @Test func `a kind and a key have their limits`() {
    #expect(code([0: .unsigned(65_535)]) == nil)
    #expect(code([0: .unsigned(65_536)]) == .limit)
    #expect(code([1: .bytes([])]) == .limit)
    #expect(code([1: .bytes([UInt8](repeating: 0, count: 256))]) == nil)
    #expect(code([1: .bytes([UInt8](repeating: 0, count: 257))]) == .limit)
  }

  @Test func `a time is any 64-bit number, and no more`() {
    #expect(code([3: .negative(UInt64(Int64.max))]) == nil)
    #expect(code([3: .unsigned(UInt64(Int64.max))]) == nil)
    #expect(code([3: .negative(UInt64(Int64.max) + 1)]) == .malformed)
    #expect(code([3: .unsigned(UInt64(Int64.max) + 1)]) == .malformed)
  }

  @Test func `an entry points back, and at most its store is itself`() {
    #expect(code([2: .unsigned(20), 4: .unsigned(19), 5: .unsigned(19)]) == nil)
    #expect(code([2: .unsigned(21)]) == .malformed)
    #expect(code([4: .unsigned(20)]) == .malformed)
    #expect(code([5: .unsigned(20)]) == .malformed)
  }

  @Test func `the pointers of a path go back, the later one behind the earlier`() {
    #expect(code([6: .array([link(1, [19])])]) == nil)
    #expect(code([6: .array([link(2, [18, 19])])]) == nil)
    #expect(code([6: .array([link(1, [20])])]) == .malformed)
    #expect(code([6: .array([link(1, [1, 20])])]) == .malformed)
    #expect(code([6: .array([link(1, [5, 5])])]) == .malformed)
    #expect(code([6: .array([link(1, [5, 4])])]) == .malformed)
  }

  @Test func `a path link has a role, 3 or 4 parts, and a path of 1 to 8192 bytes`() {
    #expect(code([6: .array([link(3, [0])])]) == .malformed)
    #expect(code([6: .array([link(257, [0])])]) == .malformed)
    #expect(code([6: .array([link(0, [])])]) == .malformed)
    #expect(code([6: .array([link(0, [1, 2, 3])])]) == .malformed)
    #expect(code([6: .array([link(0, [0], path: [])])]) == .limit)
    #expect(code([6: .array([link(0, [0], path: [UInt8](repeating: 47, count: 8192))])]) == nil)
    let long = [UInt8](repeating: 47, count: 8193)
    #expect(code([6: .array([link(0, [0], path: long)])]) == .limit)
  }

  @Test func `an entry names 1 to 1024 paths and has at most 65535 bytes`() {
    #expect(code([6: .array([])]) == .limit)
    let links = [CBORValue](repeating: link(0, [0]), count: 1025)
    #expect(code([6: .array(links)]) == .limit)
    #expect(code([6: .array(Array(links.dropLast()))]) == nil)
    let rest = Entry.bytesMax - envelope([99: .bytes([UInt8](repeating: 0, count: 60_000))]).count
    #expect(code([99: .bytes([UInt8](repeating: 0, count: 60_000 + rest))]) == nil)
    #expect(code([99: .bytes([UInt8](repeating: 0, count: 60_001 + rest))]) == .limit)
  }

  @Test func `a payload is a map`() {
    #expect(code([15: .map([])]) == nil)
    #expect(code([15: .array([])]) == .malformed)
    #expect(code([15: .unsigned(0)]) == .malformed)
  }
}
