import TestSupport
import Testing
import TidemarkEntries

/// Heads and numbers at their edges, and whatever bytes come.
@Suite struct CBORNumberTests {
  @Test func `every head has the shortest form, and only that is read`() throws {
    for number in [
      0, 23, 24, 0xff, 0x100, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, UInt64.max,
    ] {
      var writer = CBORWriter()
      writer.unsigned(number)
      let expected =
        number < 24
        ? 1 : number < 0x100 ? 2 : number < 0x1_0000 ? 3 : number < 0x1_0000_0000 ? 5 : 9
      #expect(writer.bytes.count == expected)
      var reader = CBORReader(writer.bytes)
      #expect(try reader.unsigned() == number)
      #expect(reader.isAtEnd)
    }
  }

  @Test func `integers go from the least to the greatest`() throws {
    for number in [Int64.min, -0x1_0000_0001, -257, -256, -25, -24, -1, 0, 1, .max] {
      var writer = CBORWriter()
      writer.integer(number)
      var reader = CBORReader(writer.bytes)
      #expect(try reader.integer() == number)
    }
    var beyond = CBORReader([0x1b, 0x80, 0, 0, 0, 0, 0, 0, 0])
    #expect(throws: EntryError.self) { try beyond.integer() }
    var below = CBORReader([0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0])
    #expect(throws: EntryError.self) { try below.integer() }
  }

  @Test func `a number with a fraction takes the shortest width that keeps it`() throws {
    for bits in UInt16.min...UInt16.max {
      let bytes = [0xf9, UInt8(bits >> 8), UInt8(bits & 0xff)]
      let isNaN = bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0
      guard case .float(let number)? = try? CBORValue(bytes) else {
        // The one form of not-a-number is 7e00.
        #expect(isNaN && bits != 0x7e00)
        continue
      }
      #expect(CBORValue.float(number).encoded == bytes)
    }
    var chance = SeededGenerator(seed: testSeed())
    for _ in 0..<20_000 {
      let single = Float(bitPattern: UInt32.random(in: 0...(.max), using: &chance))
      let double = Double(bitPattern: UInt64.random(in: 0...(.max), using: &chance))
      for number in [Double(single), double] where !number.isNaN {
        let bytes = CBORValue.float(number).encoded
        #expect(try CBORValue(bytes) == .float(number))
        #expect(bytes.count <= (Double(Float(number)) == number ? 5 : 9))
      }
    }
  }

  @Test func `random bytes are refused or read, and what is read is written back`() {
    var chance = SeededGenerator(seed: testSeed())
    var read = 0
    for _ in 0..<200_000 {
      let count = Int.random(in: 0...12, using: &chance)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      // Small heads make more of it well-formed.
      for index in bytes.indices where Bool.random(using: &chance) { bytes[index] &= 0xe3 }
      guard let value = try? CBORValue(bytes) else { continue }
      read += 1
      if value.encoded != bytes {
        // Only what is not a number differs from itself.
        Issue.record("\(Hex.encode(bytes)) became \(Hex.encode(value.encoded))")
      }
    }
    #expect(read > 1000)
  }

  @Test func `a map is written in the order of its keys' bytes`() throws {
    let pairs: [CBORValue.Pair] = [
      .init(.text("b"), .unsigned(1)), .init(.unsigned(256), .unsigned(2)),
      .init(.text("aa"), .unsigned(3)), .init(.unsigned(2), .unsigned(4)),
      .init(.negative(0), .unsigned(5)), .init(.bytes([9]), .unsigned(6)),
    ]
    let bytes = CBORValue.map(pairs).encoded
    #expect(Hex.encode(bytes) == "a602041901000220054109066162016261610" + "3")
    guard case .map(let sorted) = try CBORValue(bytes) else {
      Issue.record("no map")
      return
    }
    #expect(sorted.map(\.value) == [4, 2, 5, 6, 1, 3].map { .unsigned($0) })
  }
}
