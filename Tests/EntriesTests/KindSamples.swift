import TidemarkEntries

/// Each kind twice: with all that it can have, and with no more than it must have.
enum KindSamples {
  /// Whether an older shape of the kind has no such field.
  static func isLifted(_ kind: any EntryKind, _ field: CBORValue) -> Bool {
    type(of: kind).number == OutboxEnqueued.number && field == .unsigned(1)
  }

  static let body = BodyReference(
    id: 7,
    commitment: Digest(words: (1, 2, 3, UInt64.max)),
    byteCount: 1 << 40
  )
  static let cutBody = BodyReference(
    id: 0,
    commitment: Digest(words: (4, 3, 2, 1)),
    byteCount: 9,
    isWhole: false
  )
  static let path = Path(canonical: Array("/notes/41?full=1".utf8))
  static let scope = Scope(canonical: "https://a.example", account: nil)
  static let accountScope = Scope(canonical: "https://a.example/api", account: "anna")
  static let digest = Digest(words: (9, 8, 7, 6))
  static let key = IdempotencyKey(unchecked: [0, 255])

  static let full: [any EntryKind] = [
    StoreOpened(scope: accountScope, previous: Seq(3), software: "app 1.2"),
    StoreRetired(reason: .signedOut),
    ScopeSwitched(from: Seq(2)),
    StoreUnreadable(part: .records, detail: "words"),
    StoreRestored(part: .records, unreadable: Seq(6)),
    ReadBegan(generation: 300, label: "Notes"),
    ReadLanded(begin: Seq(5), body: cutBody, status: 200, revision: .max),
    ReadRefused(
      begin: Seq(5),
      reason: .superseded,
      witness: Seq(8),
      body: body,
      status: 304,
      revision: 0
    ),
    PageReceived(
      begin: Seq(5),
      index: 9,
      body: cutBody,
      status: 11,
      count: 12,
      rowKeys: [UInt8](repeating: 9, count: 32)
    ),
    ListAssembled(
      begin: Seq(5),
      body: body,
      status: 10,
      revision: .max,
      pages: [Seq(5), Seq(70_000)],
      pageSize: 13
    ),
    MutationSent(
      method: "PUT",
      touches: [Touch(.exact, path), Touch(.under, path), Touch(.resource, path)],
      body: body,
      label: "rename"
    ),
    MutationAnswered(
      mutation: Seq(4),
      status: 201,
      copies: [.init(path: 0, body: body), .init(path: 1, body: cutBody, revision: 12)],
      removals: [2, 70_000],
      answer: body
    ),
    MutationSuppressed(
      mutation: Seq(4),
      status: 200,
      reason: .older,
      witness: Seq(9),
      answer: body,
      revision: 11
    ),
    MutationFailed(mutation: Seq(4), reason: .rejected, status: 409, answer: cutBody),
    GenerationBumped(from: 23, to: 24, reason: .answer),
    CopyStored(body: body, mediaType: "image/png"),
    CopyRemoved(reason: .broken),
    OutboxEnqueued(
      method: "words",
      lane: "words",
      body: cutBody,
      files: [
        .init(name: "a.png", mediaType: "image/png", body: body), .init(name: "b", body: cutBody),
      ],
      touches: [Touch(.exact, path)],
      label: "words",
      link: "words",
      share: "words",
      ttl: 9
    ),
    OutboxSent(enqueued: Seq(5), attempt: 9, requestKey: key, content: digest),
    OutboxAnswered(
      enqueued: Seq(5),
      sent: Seq(6),
      status: 10,
      verdict: .rejected,
      answer: cutBody,
      retryAt: DeviceTime(milliseconds: -5)
    ),
    OutboxInDoubt(
      enqueued: Seq(5),
      sent: Seq(6),
      reason: .restart,
      retryAt: DeviceTime(milliseconds: -5)
    ),
    OutboxCopied(
      enqueued: Seq(5),
      sent: Seq(6),
      status: 10,
      copies: [.init(path: 0, body: body)],
      touches: [Touch(.exact, path)]
    ),
    OutboxRetired(enqueued: Seq(5)),
    OutboxParked(enqueued: Seq(5), reason: .spent),
    OutboxRetried(enqueued: Seq(5), reason: .signedIn),
    OutboxDiscarded(enqueued: Seq(5), reason: "words"),
    PinsRemoved(pins: [.init(id: "a", version: 3), .init(id: "b")]),
    PinsSent(pins: [.init(id: "a", version: 3), .init(id: "b")]),
    PinsReceived(
      sent: Seq(5),
      status: 9,
      body: cutBody,
      count: 11,
      pins: [.init(id: "a", version: 3), .init(id: "b")]
    ),
    PinsListed(pins: [.init(id: "a", version: 3), .init(id: "b")]),
    PinsRefused(sent: Seq(5), reason: .cancelled, status: 10, body: body),
    SyncBegan(reason: .requested),
    SyncEnded(began: Seq(5), outcome: .cancelled, landed: 10, failed: 11),
    ShareReceived(share: "words", count: 9),
    ShareImported(share: "words"),
    ShareUnreadable(share: "words", detail: "words", content: digest),
    ShareDiscarded(share: "words"),
    Imported(
      format: "har",
      digest: digest,
      taken: 10,
      left: 2,
      policy: "paths",
      creator: "Browser 1"
    ),
    KeyConflicted(key: key, prior: Seq(6), fields: ["time", "body"], offered: digest),
    Checkpointed(states: [.init(name: "shelf", version: 2, digest: digest)]),
    IdentityRenewed(
      term: 2,
      writer: [1, 2, 3, 4, 5, 6, 7, 8],
      previous: [8, 7, 6, 5, 4, 3, 2, 1]
    ),
  ]

  static let least: [any EntryKind] = [
    StoreOpened(scope: scope),
    StoreRetired(reason: .closed),
    ScopeSwitched(from: Seq(1)),
    StoreUnreadable(part: .shelf, detail: ""),
    StoreRestored(part: .shelf, unreadable: Seq(6)),
    ReadBegan(generation: 0),
    ReadLanded(begin: Seq(5), body: body, status: 200),
    ReadRefused(begin: Seq(5), reason: .cancelled),
    PageReceived(begin: Seq(5), index: 0, body: cutBody, status: 0, count: 0, rowKeys: []),
    ListAssembled(begin: Seq(5), body: body, status: 0, pages: []),
    MutationSent(method: ""),
    MutationAnswered(mutation: Seq(4), status: 204),
    MutationSuppressed(mutation: Seq(4), status: 200, reason: .late, witness: Seq(9)),
    MutationFailed(mutation: Seq(4), reason: .lost),
    GenerationBumped(from: 0, to: .max, reason: .requested),
    CopyStored(body: body),
    CopyRemoved(reason: .cleared),
    OutboxEnqueued(method: "", lane: ""),
    OutboxSent(enqueued: Seq(5), attempt: 0, requestKey: key, content: digest),
    OutboxAnswered(enqueued: Seq(5), sent: Seq(6), status: 0, verdict: .accepted),
    OutboxInDoubt(enqueued: Seq(5), sent: Seq(6), reason: .unreachable),
    OutboxCopied(enqueued: Seq(5), sent: Seq(6), status: 0),
    OutboxRetired(enqueued: Seq(5)),
    OutboxParked(enqueued: Seq(5), reason: .rejected),
    OutboxRetried(enqueued: Seq(5), reason: .requested),
    OutboxDiscarded(enqueued: Seq(5)),
    PinsRemoved(pins: []),
    PinsSent(pins: []),
    PinsReceived(sent: Seq(5), status: 0, body: cutBody, count: 0, pins: []),
    PinsListed(pins: []),
    PinsRefused(sent: Seq(5), reason: .malformed),
    SyncBegan(reason: .timer),
    SyncEnded(began: Seq(5), outcome: .whole, landed: 0, failed: 0),
    ShareReceived(share: "", count: 0),
    ShareImported(share: ""),
    ShareUnreadable(share: "", detail: "", content: digest),
    ShareDiscarded(share: ""),
    Imported(format: "har", digest: digest, taken: 0, left: 0, policy: "scope"),
    KeyConflicted(key: key, prior: Seq(6), fields: [], offered: digest),
    Checkpointed(states: []),
    IdentityRenewed(term: 2, writer: [], previous: []),
  ]

  /// The bytes of an entry at seq 20 with all that an envelope can have, or with the least.
  static func encoded(_ kind: some EntryKind, isFull: Bool = true) -> [UInt8] {
    let draft = Draft(
      kind,
      key: key,
      store: .journal,
      time: DeviceTime(milliseconds: -1),
      paths: isFull ? [(path, .begin), (path, .write), (path, .mention)] : []
    )
    let placement = Placement(
      store: isFull ? Seq(1) : nil,
      cause: isFull ? Seq(19) : nil,
      previousFence: isFull ? Seq(4) : nil,
      links: isFull ? [(nil, nil), (Seq(3), Seq(3)), (Seq(3), Seq(9))] : []
    )
    var writer = CBORWriter()
    draft.encoded(at: placement, into: &writer)
    return writer.bytes
  }

  /// Reads an entry at seq 20, all of it.
  static func read(_ bytes: [UInt8]) throws(EntryError) -> Entry {
    let entry = try Entry(bytes, in: 0..<bytes.count, at: Seq(20))
    try entry.checkCanonical()
    try entry.check()
    return entry
  }

  /// The entry with another payload: `change` edits its fields.
  static func edited(
    _ bytes: [UInt8],
    _ change: (inout [CBORValue.Pair]) -> Void
  ) throws(EntryError) -> [UInt8] {
    guard case .map(var envelope) = try CBORValue(bytes) else { return bytes }
    guard let last = envelope.indices.last, case .map(var fields) = envelope[last].value else {
      return bytes
    }
    change(&fields)
    envelope[last].value = .map(fields)
    return CBORValue.map(envelope).encoded
  }

  /// The entry with one field of its payload put in, replaced, or taken out.
  static func with(
    _ field: UInt64,
    _ value: CBORValue?,
    in kind: some EntryKind
  ) throws(EntryError) -> [UInt8] {
    try edited(encoded(kind)) { fields in
      fields.removeAll { $0.key == .unsigned(field) }
      if let value { fields.append(.init(.unsigned(field), value)) }
    }
  }
}
