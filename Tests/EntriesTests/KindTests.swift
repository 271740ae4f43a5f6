import TestSupport
import Testing
import TidemarkEntries

/// Every kind is written and read, and every entry that is cut or changed is refused or itself.
@Suite struct KindTests {
  private func roundTrip<Kind: EntryKind>(_ kind: Kind) throws {
    let bytes = try Samples.entry(kind)
    let entry = try Entry(bytes, in: 0..<bytes.count, at: Seq(100))
    #expect(entry.kind == Kind.number && entry.kindName == Kind.name)
    #expect(try entry.decode(Kind.self) == kind)
    try entry.checkCanonical()
    try entry.checkPayload()
    #expect(try CBORValue(bytes).encoded == bytes)
    for other in KindRegistry.kinds where other.number != Kind.number {
      #expect(try nothing(of: other, in: entry))
    }
  }

  private func nothing<Kind: EntryKind>(of type: Kind.Type, in entry: Entry) throws -> Bool {
    try entry.decode(type) == nil
  }

  @Test func `every kind has a sample, and comes back as it was`() throws {
    let samples = try Samples.kinds()
    var numbers: Set<UInt16> = []
    for sample in samples {
      numbers.insert(Swift.type(of: sample).number)
      try roundTrip(sample)
    }
    for kind in KindRegistry.kinds { #expect(numbers.remove(kind.number) != nil) }
    #expect(numbers.isEmpty)
  }

  @Test func `numbers and names of kinds and fields are used once`() {
    var last: UInt16 = 0
    var names: Set<String> = []
    for kind in KindRegistry.kinds {
      #expect(kind.number > last)
      last = kind.number
      #expect(names.insert(kind.name).inserted)
      #expect(KindRegistry.name(of: kind.number) == kind.name)
      let found = KindRegistry.type(named: kind.name)
      #expect(found?.number == kind.number)
      #expect(Set(kind.fields.map(\.number)).count == kind.fields.count)
      #expect(Set(kind.fields.map(\.name)).count == kind.fields.count)
    }
    #expect(KindRegistry.type(of: 0) == nil && KindRegistry.name(of: 65_535) == nil)
  }

  @Test func `the envelope comes back as it was`() throws {
    let bytes = try Samples.entry(ReadBegan(generation: 3))
    let padded = [1, 2, 3] + bytes + [4]
    let entry = try Entry(padded, in: 3..<(3 + bytes.count), at: Seq(100))
    #expect(entry.key == (try IdempotencyKey("key")))
    #expect(entry.store == Seq(90) && entry.cause == Seq(99) && entry.previousFence == Seq(95))
    #expect(entry.time.milliseconds == -1)
    #expect(Array(entry.bytes) == bytes)
    let links = try entry.paths
    #expect(links.map { "\($0.path)" } == ["/notes", "/notes/41"])
    #expect(links.map(\.role) == [.write, .mention])
    #expect(links.map(\.previous) == [Seq(96), nil])
    #expect(links.map(\.previousMention) == [Seq(98), nil])
    #expect(try entry.firstPathPlace()?.previousMention == Seq(98))
  }

  @Test func `an entry that is cut anywhere is refused`() throws {
    for sample in try Samples.kinds() {
      let bytes = try Samples.entry(sample)
      for count in 0..<bytes.count {
        #expect(throws: EntryError.self, "\(type(of: sample).name) \(count)") {
          let entry = try Entry(bytes, in: 0..<count, at: Seq(100))
          try entry.checkCanonical()
        }
      }
      #expect(throws: EntryError.self) {
        let longer = bytes + [0]
        let entry = try Entry(longer, in: 0..<longer.count, at: Seq(100))
        try entry.checkCanonical()
      }
    }
  }

  @Test func `an entry with a changed byte is refused, or deterministic all the same`() throws {
    var refused = 0
    var read = 0
    for sample in try Samples.kinds() {
      let original = try Samples.entry(sample)
      for offset in original.indices {
        for bit in 0..<8 {
          var bytes = original
          bytes[offset] ^= 1 << UInt8(bit)
          do {
            let entry = try Entry(bytes, in: 0..<bytes.count, at: Seq(100))
            try entry.checkCanonical()
            try? entry.checkPayload()
            _ = try entry.paths
            _ = try? entry.bodies
            #expect(try CBORValue(bytes).encoded == bytes)
            read += 1
          } catch { refused += 1 }
        }
      }
    }
    #expect(refused > 1000 && read > 1000)
  }

  @Test func `random payloads never end the process`() throws {
    var chance = SeededGenerator(seed: testSeed())
    for _ in 0..<100_000 {
      let count = Int.random(in: 0...40, using: &chance)
      var payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      if count > 0 { payload[0] = 0xa0 | payload[0] & 7 }
      for index in payload.indices.dropFirst() where Bool.random(using: &chance) {
        payload[index] &= 0xa7
      }
      for kind in KindRegistry.kinds {
        guard var reader = try? PayloadReader(payload, in: 0..<payload.count) else { break }
        _ = try? kind.init(from: &reader)
      }
    }
  }

  @Test func `what an entry points at comes before it`() throws {
    let bytes = try Samples.entry(ReadBegan(generation: 0))
    for seq in [99, 95, 90] as [UInt64] {
      #expect(throws: EntryError.self) { try Entry(bytes, in: 0..<bytes.count, at: Seq(seq)) }
    }
    // The store of an opening is the entry itself; no other pointer may be.
    #expect(throws: Never.self) { try Entry(bytes, in: 0..<bytes.count, at: Seq(100)) }
    var itself = try CBORValue(bytes)
    guard case .map(var pairs) = itself else { return }
    pairs[2].value = .unsigned(100)
    itself = .map(pairs)
    #expect(throws: Never.self) {
      try Entry(itself.encoded, in: 0..<itself.encoded.count, at: Seq(100))
    }
    pairs[2].value = .unsigned(101)
    itself = .map(pairs)
    #expect(throws: EntryError.self) {
      try Entry(itself.encoded, in: 0..<itself.encoded.count, at: Seq(100))
    }
  }

  @Test func `fields and kinds of a later build are carried`() throws {
    guard case .map(var pairs) = try CBORValue(try Samples.entry(ReadBegan(generation: 5))) else {
      return
    }
    pairs.insert(.init(.unsigned(9), .array([.text("later")])), at: pairs.count - 1)
    pairs.append(.init(.unsigned(400), .float(1.5)))
    guard case .map(var payload) = pairs[pairs.count - 2].value else { return }
    payload.append(.init(.unsigned(77), .bytes([1])))
    pairs[pairs.count - 2].value = .map(payload)
    var bytes = CBORValue.map(pairs).encoded
    let entry = try Entry(bytes, in: 0..<bytes.count, at: Seq(100))
    try entry.checkCanonical()
    #expect(try entry.decode(ReadBegan.self) == ReadBegan(generation: 5))
    #expect(Array(entry.bytes) == bytes)
    pairs[0].value = .unsigned(54_321)
    bytes = CBORValue.map(pairs).encoded
    let unknown = try Entry(bytes, in: 0..<bytes.count, at: Seq(100))
    try unknown.checkCanonical()
    try unknown.checkPayload()
    #expect(unknown.kindName == "kind-54321")
    #expect(try unknown.bodies == [])
  }

  @Test func `a kind tells which contents it refers to`() throws {
    for sample in try Samples.kinds() {
      let bytes = try Samples.entry(sample)
      let entry = try Entry(bytes, in: 0..<bytes.count, at: Seq(100))
      let expected = "\(sample)".components(of: "BodyReference(")
      #expect(try entry.bodies.count == expected, "\(sample)")
    }
  }

  @Test func `a generation that does not go up, a false flag and a foreign word are malformed`() {
    for hex in ["a3010102010366616e73776572", "a301010201036" + "66f74686572" + "73"] {
      let bytes = Hex.decode(hex) ?? []
      #expect(throws: EntryError.self) {
        var reader = try PayloadReader(bytes, in: 0..<bytes.count)
        _ = try GenerationBumped(from: &reader)
      }
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
