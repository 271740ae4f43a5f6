import TidemarkEntries

/// Values of every kind: with all their fields, and with as few as can be.
enum Samples {
  static let digest = Digest(words: (1, 2, 3, .max))

  static func body(_ isWhole: Bool = true) -> BodyReference {
    BodyReference(id: 7, commitment: digest, byteCount: 300, isWhole: isWhole)
  }

  static func kinds() throws -> [any EntryKind] {
    try stores() + reads() + changes() + others()
  }

  private static func stores() throws -> [any EntryKind] {
    [
      StoreOpened(
        scope: try Scope("https://a.example", account: "ann"),
        previous: Seq(3),
        software: "app 1"
      ),
      StoreOpened(scope: try Scope("http://b.example:8080/base")),
      StoreRetired(reason: .closed), StoreRetired(reason: .switched),
      StoreRetired(reason: .signedOut), ScopeSwitched(from: Seq(1)),
    ]
  }

  private static func reads() -> [any EntryKind] {
    let refusals = ReadRefused.Reason.allCases.map {
      ReadRefused(begin: Seq(2), reason: $0, witness: $0.needsWitness ? Seq(4) : nil)
    }
    return [
      ReadBegan(generation: 0), ReadBegan(generation: .max, label: "Größe"),
      ReadLanded(begin: Seq(2), body: body(), status: 200),
      ReadLanded(begin: Seq(2), body: body(false), status: 304, revision: 0),
      ReadRefused(
        begin: Seq(2),
        reason: .older,
        witness: Seq(4),
        body: body(),
        status: 200,
        revision: .max
      ),
    ] + refusals
  }

  private static func changes() throws -> [any EntryKind] {
    let touches = [
      Touch(.exact, try Path("/a?b=1")), Touch(.resource, try Path("/a")),
      Touch(.under, try Path("/")),
    ]
    let copies = [
      MutationAnswered.Copy(path: 0, body: body(), revision: 9),
      MutationAnswered.Copy(path: 1, body: body()),
    ]
    return [
      MutationSent(method: "PUT"),
      MutationSent(method: "PATCH", touches: touches, body: body(), label: "rename"),
      MutationSent(method: "POST", touches: []),
      MutationAnswered(mutation: Seq(5), status: 204),
      MutationAnswered(
        mutation: Seq(5),
        status: 200,
        copies: copies,
        removals: [2],
        answer: body()
      ),
      MutationSuppressed(mutation: Seq(5), status: 200, reason: .late, witness: Seq(6)),
      MutationSuppressed(
        mutation: Seq(5),
        status: 200,
        reason: .older,
        witness: Seq(6),
        answer: body(),
        revision: 3
      ),
      MutationSuppressed(mutation: Seq(5), status: 200, reason: .retired, witness: Seq(6)),
      MutationFailed(mutation: Seq(5), reason: .lost),
      MutationFailed(mutation: Seq(5), reason: .rejected, status: 409, answer: body()),
      MutationFailed(mutation: Seq(5), reason: .cancelled),
      GenerationBumped(from: 0, to: 1, reason: .answer),
      GenerationBumped(from: 1, to: 2, reason: .cleared),
      GenerationBumped(from: 2, to: 3, reason: .pushed),
      GenerationBumped(from: 3, to: .max, reason: .requested),
    ]
  }

  private static func others() throws -> [any EntryKind] {
    [
      CopyStored(body: body()), CopyStored(body: body(), mediaType: "image/png"),
      CopyRemoved(reason: .cleared), CopyRemoved(reason: .broken),
      CopyRemoved(reason: .requested),
      Imported(format: "har", digest: digest, taken: 10, left: 2, policy: "paths"),
      Imported(format: "har", digest: digest, taken: 0, left: 0, policy: "scope", creator: "B"),
      KeyConflicted(
        key: try IdempotencyKey([0, 255]),
        prior: Seq(4),
        fields: ["paths", "body"],
        offered: digest
      ),
    ]
  }

  /// The bytes of an entry of `kind`, with an envelope that has everything.
  static func entry(_ kind: some EntryKind, at seq: Seq = Seq(100)) throws -> [UInt8] {
    let draft = Draft(
      kind,
      key: try IdempotencyKey("key"),
      store: .opened(Seq(90)),
      time: DeviceTime(milliseconds: -1),
      paths: [(try Path("/notes"), .write), (try Path("/notes/41"), .mention)]
    )
    var writer = CBORWriter()
    let placement = Placement(
      store: Seq(90),
      cause: Seq(99),
      previousFence: Seq(95),
      links: [(Seq(96), Seq(98)), (nil, nil)]
    )
    draft.encoded(at: placement, into: &writer)
    return writer.bytes
  }
}
