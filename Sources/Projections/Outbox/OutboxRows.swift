package import TidemarkEntries

// The outbox in rows: what is not settled each, every opening each, and the counts.
extension Outbox {
  package static func rowKeys(of state: OutboxState) -> [RowKey] {
    [.scope(0)] + state.items.keys.map { .entry($0) } + state.scopes.keys.map { .entry($0) }
  }

  package static func rowKeys(changedBy entry: Entry, in state: OutboxState) -> [RowKey] {
    [.scope(0), .entry(entry.seq)] + entry.references.map { .entry($0.seq) }
  }

  package static func row(_ key: RowKey, of state: OutboxState) -> [UInt8]? {
    var writer = CBORWriter(capacity: 256)
    switch key {
    case .scope(0):
      writer.array(count: 2)
      writer.unsigned(state.retired)
      writer.unsigned(state.discarded)
    case .entry(let seq):
      if let scope = state.scopes[seq] {
        writer.array(count: 2)
        writer.text(scope.address)
        writer.optional(scope.account)
      } else if let item = state.items[seq] {
        writer.item(item)
      } else {
        return nil
      }
    case .scope, .item: return nil
    }
    return writer.bytes
  }

  /// - Throws: ``EntryError`` if the rows are not those of an outbox.
  package static func state(
    from rows: [(key: RowKey, value: [UInt8])]
  ) throws(EntryError) -> OutboxState {
    var state = OutboxState()
    for (key, value) in rows {
      try RowReader.whole(value) { (row) throws(EntryError) in
        switch (key, try row.array()) {
        case (.scope(0), 2):
          state.retired = try row.unsigned()
          state.discarded = try row.unsigned()
        case (.entry(let seq), 2): state.scopes[seq] = try row.scope()
        case (.entry(let seq), OutboxState.Item.parts): state.items[seq] = try row.item()
        default: throw EntryError(.malformed, "the rows are not those of an outbox")
        }
      }
    }
    for (seq, item) in state.queue {
      state.keys[item.key] = seq
      state.lanes[OutboxState.Lane(item.scope, item.lane), default: []].append(seq)
    }
    return state
  }
}

extension OutboxState.Item {
  fileprivate static let parts = 22
}

extension CBORWriter {
  // [key, address, account, store, method, lane, path, body, files, touches, label, link, share,
  //  authored, ttl, standing, attempts, first sent, last sent, retry at, doubt since, answer]
  fileprivate mutating func item(_ item: OutboxState.Item) {
    array(count: OutboxState.Item.parts)
    byteString(item.key.bytes)
    text(item.scope.address)
    optional(item.scope.account)
    unsigned(item.store.value)
    text(item.method)
    text(item.lane)
    byteString(item.path.bytes)
    optional(item.body)
    array(count: item.files.count)
    for file in item.files { file.write(to: &self) }
    optional(item.touches)
    optional(item.label)
    optional(item.link)
    optional(item.share)
    integer(item.authored.milliseconds)
    optional(item.ttl)
    text(item.standing.word)
    unsigned(item.attempts)
    optional(item.firstSent)
    optional(item.lastSent)
    optional(item.retryAt)
    optional(item.doubtSince)
    guard let answer = item.answer else { return null() }
    array(count: 3)
    unsigned(answer.seq.value)
    unsigned(answer.status)
    optional(answer.body)
  }
}

extension OutboxState.Standing {
  private static let all: [OutboxState.Standing] =
    [.pending, .inFlight, .inDoubt, .answered, .held]
    + OutboxParked.Reason.allCases.map(Self.parked)

  /// How people and rows name it: `parked:rejected`.
  package var word: String {
    switch self {
    case .pending: "pending"
    case .inFlight: "inFlight"
    case .inDoubt: "inDoubt"
    case .answered: "answered"
    case .held: "held"
    case .parked(let reason): "parked:\(reason.rawValue)"
    }
  }

  init?(word: String) {
    guard let standing = Self.all.first(where: { $0.word == word }) else { return nil }
    self = standing
  }
}

extension RowReader {
  fileprivate mutating func scope() throws(EntryError) -> Scope {
    let address = try text()
    return Scope(
      canonical: address,
      account: try optional { (row) throws(EntryError) in try row.text() }
    )
  }

  private mutating func optionalText() throws(EntryError) -> String? {
    try optional { (row) throws(EntryError) in try row.text() }
  }

  private mutating func optionalSeq() throws(EntryError) -> Seq? {
    try optional { (row) throws(EntryError) in try row.seq() }
  }

  private mutating func optionalTime() throws(EntryError) -> DeviceTime? {
    try optional { (row) throws(EntryError) in DeviceTime(milliseconds: try row.integer()) }
  }

  private mutating func standing() throws(EntryError) -> OutboxState.Standing {
    guard let standing = OutboxState.Standing(word: try text()) else {
      throw EntryError(.malformed, "a standing that is none")
    }
    return standing
  }

  fileprivate mutating func item() throws(EntryError) -> OutboxState.Item {
    OutboxState.Item(
      key: try IdempotencyKey(try bytes()),
      scope: try scope(),
      store: try seq(),
      method: try text(),
      lane: try text(),
      path: Path(canonical: try bytes()),
      body: try optional { (row) throws(EntryError) in try row.body() },
      files: try list { (row) throws(EntryError) in try row.file() },
      touches: try optional { (row) throws(EntryError) in try row.touches() },
      label: try optionalText(),
      link: try optionalText(),
      share: try optionalText(),
      authored: DeviceTime(milliseconds: try integer()),
      ttl: try optional { (row) throws(EntryError) in try row.unsigned() },
      standing: try standing(),
      attempts: try unsigned(),
      firstSent: try optionalSeq(),
      lastSent: try optionalSeq(),
      retryAt: try optionalTime(),
      doubtSince: try optionalTime(),
      answer: try optional { (row) throws(EntryError) in try row.answer() }
    )
  }

  private mutating func answer() throws(EntryError) -> OutboxState.Answer {
    try array(of: 3)
    return OutboxState.Answer(
      seq: try seq(),
      status: try unsigned(),
      body: try optional { (row) throws(EntryError) in try row.body() }
    )
  }
}
