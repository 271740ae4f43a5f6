import Testing
import TidemarkEntries

/// What each kind writes it reads again, and nothing else.
@Suite struct KindTests {
  @Test func `the samples are of all kinds`() {
    let numbers = KindRegistry.kinds.map { $0.number }
    let full = KindSamples.full.map { type(of: $0).number }
    let least = KindSamples.least.map { type(of: $0).number }
    #expect(full == numbers)
    #expect(least == numbers)
  }

  @Test(arguments: [true, false])
  func `a kind is read as it was written, with all it can have and with the least`(
    isFull: Bool
  ) throws {
    for kind in isFull ? KindSamples.full : KindSamples.least {
      try expectRoundTrip(kind, isFull: isFull)
    }
  }

  private func expectRoundTrip<Kind: EntryKind>(_ kind: Kind, isFull: Bool) throws {
    let bytes = KindSamples.encoded(kind, isFull: isFull)
    let entry = try KindSamples.read(bytes)
    #expect(try entry.decode(Kind.self) == kind)
    #expect(Array(entry.bytes) == bytes)
    #expect(try CBORValue(bytes).encoded == bytes, "\(Kind.name) is not deterministic")
    #expect(entry.kindName == Kind.name)
    #expect(entry.key == KindSamples.key)
    #expect(entry.time.milliseconds == -1)
    #expect(entry.store == (isFull ? Seq(1) : nil))
    #expect(entry.cause == (isFull ? Seq(19) : nil))
    #expect(entry.previousFence == (isFull ? Seq(4) : nil))
    let path = KindSamples.path
    let links = [
      PathLink(path, .begin),
      PathLink(path, .write, previous: Seq(3), previousMention: Seq(3)),
      PathLink(path, .mention, previous: Seq(3), previousMention: Seq(9)),
    ]
    #expect(try entry.paths == (isFull ? links : []))
  }

  @Test func `an entry of one kind is nothing as another`() throws {
    let entry = try KindSamples.read(KindSamples.encoded(StoreRetired(reason: .closed)))
    #expect(try entry.decode(CopyRemoved.self) == nil)
  }

  /// Reading the fields of a kind stands for walking over its bytes, so it may pass nothing more.
  @Test func `no byte of a known kind is passed that a walk over the entry refuses`() throws {
    var refused = 0
    for kind in KindSamples.full + KindSamples.least {
      let bytes = KindSamples.encoded(kind)
      for place in bytes.indices {
        for byte: UInt8 in [0x00, 0x01, 0x17, 0x18, 0x40, 0x61, 0x80, 0xa0, 0xc0, 0xf4, 0xf9, 0xff]
        {
          var changed = bytes
          changed[place] = byte
          guard let entry = try? Entry(changed, in: 0..<changed.count, at: Seq(20)) else {
            continue
          }
          do throws(EntryError) { try entry.checkCanonical() } catch {
            refused += 1
            #expect(throws: EntryError.self, "\(entry.kindName), byte \(place)") {
              try entry.check()
            }
          }
        }
      }
    }
    #expect(refused > 1000)
  }

  @Test func `an unknown field of a payload is passed over, and kept in the bytes`() throws {
    for kind in KindSamples.full { try expectUnknownFieldKept(kind) }
  }

  private func expectUnknownFieldKept<Kind: EntryKind>(_ kind: Kind) throws {
    for field: UInt64 in [0, 99, 1 << 40] {
      let value = CBORValue.map([.init(.text("new"), .array([.float(0.5)]))])
      let bytes = try KindSamples.with(field, value, in: kind)
      let entry = try KindSamples.read(bytes)
      #expect(try entry.decode(Kind.self) == kind)
      #expect(Array(entry.bytes) == bytes)
    }
  }

  @Test(arguments: [7, 14, 16, 1000])
  func `an unknown field of the envelope is passed over, and kept`(field: UInt64) throws {
    let kind = MutationSent(method: "PUT")
    guard case .map(var envelope) = try CBORValue(KindSamples.encoded(kind)) else {
      Issue.record("an entry is a map")
      return
    }
    envelope.append(.init(.unsigned(field), .array([.text("new")])))
    let bytes = CBORValue.map(envelope).encoded
    let entry = try KindSamples.read(bytes)
    #expect(try entry.decode(MutationSent.self) == kind)
    #expect(Array(entry.bytes) == bytes)
  }

  @Test func `an unknown kind is an entry without a meaning`() throws {
    let draft = Draft(
      number: 65_535,
      payload: [0xa1, 0x01, 0x02],
      key: KindSamples.key,
      store: .journal,
      time: DeviceTime(milliseconds: 0)
    )
    var writer = CBORWriter()
    draft.encoded(
      at: Placement(store: nil, cause: nil, previousFence: nil, links: []),
      into: &writer
    )
    let entry = try KindSamples.read(writer.bytes)
    #expect(entry.kindName == "kind-65535")
    #expect(Array(entry.bytes) == writer.bytes)
    #expect(try entry.bodies.isEmpty)
  }

  @Test func `a field that a kind must have is missed`() throws {
    for kind in KindSamples.least {
      let name = type(of: kind).name
      for pair in try fields(of: kind) where !KindSamples.isLifted(kind, pair.key) {
        let bytes = try KindSamples.edited(KindSamples.encoded(kind)) { fields in
          fields.removeAll { $0.key == pair.key }
        }
        let error = #expect(throws: EntryError.self, "\(name) \(pair.key)") {
          try KindSamples.read(bytes)
        }
        #expect(error?.code == .malformed)
      }
    }
  }

  @Test func `an entry of an older shape is lifted where it is read, and keeps its bytes`() throws {
    let kind = OutboxEnqueued(method: "PUT", lane: "a")
    let bytes = try KindSamples.edited(KindSamples.encoded(kind)) { fields in
      fields.removeAll { KindSamples.isLifted(kind, $0.key) }
    }
    let entry = try KindSamples.read(bytes)
    #expect(try entry.decode(OutboxEnqueued.self) == OutboxEnqueued(method: "POST", lane: "a"))
    #expect(Array(entry.bytes) == bytes)
    StoreRule.$off.withValue([.entryUpcast]) {
      #expect(throws: EntryError.self) { try entry.decode(OutboxEnqueued.self) }
    }
  }

  @Test func `a field of another form is refused`() throws {
    for kind in KindSamples.full {
      let name = type(of: kind).name
      for pair in try fields(of: kind) {
        let isTime = type(of: kind).fields.contains {
          .unsigned($0.number) == pair.key && $0.form == .time
        }
        for value: CBORValue in [.simple(22), .negative(0), .float(1.5), .map([])]
        where !isTime || value != .negative(0) {
          let bytes = try KindSamples.edited(KindSamples.encoded(kind)) { fields in
            for index in fields.indices where fields[index].key == pair.key {
              fields[index].value = value
            }
          }
          #expect(throws: EntryError.self, "\(name) \(pair.key) \(value)") {
            try KindSamples.read(bytes)
          }
        }
      }
    }
  }

  private func fields(of kind: some EntryKind) throws -> [CBORValue.Pair] {
    var found: [CBORValue.Pair] = []
    _ = try KindSamples.edited(KindSamples.encoded(kind)) { found = $0 }
    #expect(!found.isEmpty)
    return found
  }

  @Test func `a word that is not of the list is refused`() throws {
    let word = CBORValue.text("unheard-of")
    let entries = try [
      KindSamples.with(1, word, in: StoreRetired(reason: .closed)),
      KindSamples.with(1, word, in: CopyRemoved(reason: .cleared)),
      KindSamples.with(3, word, in: GenerationBumped(from: 0, to: 1, reason: .pushed)),
      KindSamples.with(2, word, in: MutationFailed(mutation: Seq(1), reason: .lost)),
      KindSamples.with(2, word, in: ReadRefused(begin: Seq(1), reason: .failed)),
      KindSamples.with(
        3,
        word,
        in: MutationSuppressed(mutation: Seq(1), status: 200, reason: .late, witness: Seq(1))
      ),
    ]
    for bytes in entries {
      let error = #expect(throws: EntryError.self) { try KindSamples.read(bytes) }
      #expect(error?.message.contains("unheard-of") == true)
    }
  }

  @Test func `a bump that does not go up is refused`() throws {
    for to: UInt64 in [0, 6, 7] {
      let bump = GenerationBumped(from: 7, to: to, reason: .cleared)
      #expect(throws: EntryError.self) { try KindSamples.read(KindSamples.encoded(bump)) }
    }
  }

  @Test func `the parts of a body, a copy and a touch are counted`() throws {
    let commitment = CBORValue.bytes([UInt8](repeating: 1, count: 32))
    let (id, size) = (CBORValue.unsigned(1), CBORValue.unsigned(2))
    let body = CBORValue.array([id, commitment, size])
    let path = CBORValue.bytes(Array("/a".utf8))
    let bodies: [CBORValue] = [
      .array([]), .array([id, commitment]), .array([id, commitment, size, .simple(21)]),
      .array([id, commitment, size, .simple(20), id]),
      .array([id, .bytes([UInt8](repeating: 1, count: 31)), size]),
    ]
    let copies: [CBORValue] = [.array([id]), .array([id, body, id, id]), .array([body, id])]
    let touches: [CBORValue] = [
      .array([id]), .array([.unsigned(3), path]), .array([.unsigned(256), path]),
      .array([id, path, id]),
    ]
    let stored = CopyStored(body: KindSamples.body)
    let answered = MutationAnswered(mutation: Seq(1), status: 200)
    let sent = MutationSent(method: "PUT")
    _ = try KindSamples.read(KindSamples.with(1, body, in: stored))
    _ = try KindSamples.read(KindSamples.with(3, .array([.array([id, body])]), in: answered))
    _ = try KindSamples.read(KindSamples.with(2, .array([.array([id, path])]), in: sent))
    let entries =
      try bodies.map { try KindSamples.with(1, $0, in: stored) }
      + copies.map { try KindSamples.with(3, .array([$0]), in: answered) }
      + touches.map { try KindSamples.with(2, .array([$0]), in: sent) }
    for bytes in entries {
      #expect(throws: EntryError.self, "\(Hex.encode(bytes))") { try KindSamples.read(bytes) }
    }
  }

  @Test func `the bodies of an entry are those of its kind`() throws {
    let sample = KindSamples.full.first { $0 is MutationAnswered }
    let answered = try #require(sample as? MutationAnswered)
    let bodies = try KindSamples.read(KindSamples.encoded(answered)).bodies
    #expect(bodies == [KindSamples.body, KindSamples.cutBody, KindSamples.body])
  }
}
