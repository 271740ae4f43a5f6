import TidemarkEntries

// What the kinds of lists, outbox, pins, passes and shares say.

extension EntryFacts {
  static func ofList(_ entry: Entry) throws(EntryError) -> [String]? {
    if let page = try entry.decode(PageReceived.self) {
      let rows = Quantity.count(page.count, "row", "rows")
      return ["page \(page.index)", rows, "\(page.status)", size(page.body)]
    }
    guard let list = try entry.decode(ListAssembled.self) else { return nil }
    let pages = "of \(Quantity.count(list.pages.count, "page", "pages"))"
    return [pages, "\(list.status)", revision(list.revision), size(list.body)]
  }

  static func ofOutbox(_ entry: Entry) throws(EntryError) -> [String] {
    if let enqueued = try entry.decode(OutboxEnqueued.self) {
      let files = enqueued.files.map { Quantity.count($0.count, "file", "files") }
      return ["lane \(enqueued.lane)", label(enqueued.label), files ?? ""]
    }
    if let sent = try entry.decode(OutboxSent.self) { return ["attempt \(sent.attempt)"] }
    if let answered = try entry.decode(OutboxAnswered.self) {
      return ["\(answered.status) \(answered.verdict.rawValue)", next(answered.retryAt)]
    }
    if let doubt = try entry.decode(OutboxInDoubt.self) {
      return [doubt.reason.rawValue, next(doubt.retryAt)]
    }
    if let copied = try entry.decode(OutboxCopied.self) {
      return ["\(copied.status)", revision(copied.copies?.first?.revision)]
    }
    if let parked = try entry.decode(OutboxParked.self) { return [parked.reason.rawValue] }
    if let retried = try entry.decode(OutboxRetried.self) { return [retried.reason.rawValue] }
    return [try entry.decode(OutboxDiscarded.self)?.reason ?? ""]
  }

  static func ofPins(_ entry: Entry) throws(EntryError) -> [String] {
    if let removed = try entry.decode(PinsRemoved.self) { return [ids(removed.pins)] }
    if let sent = try entry.decode(PinsSent.self) {
      return [sent.pins.isEmpty ? "no removals" : ids(sent.pins)]
    }
    if let received = try entry.decode(PinsReceived.self) {
      let count = Quantity.count(received.count, "pin", "pins")
      return ["\(received.status)", count, size(received.body)]
    }
    if let listed = try entry.decode(PinsListed.self) {
      return ["\(Quantity.count(listed.pins.count)) more"]
    }
    guard let refused = try entry.decode(PinsRefused.self) else { return [] }
    return [refused.reason.rawValue, refused.status.map { "\($0)" } ?? ""]
  }

  static func ofPass(_ entry: Entry) throws(EntryError) -> [String]? {
    if let began = try entry.decode(SyncBegan.self) { return [began.reason.rawValue] }
    if let ended = try entry.decode(SyncEnded.self) {
      let counts = "\(Quantity.count(ended.landed)) landed, \(Quantity.count(ended.failed)) failed"
      return [ended.outcome.rawValue, counts]
    }
    if let share = try entry.decode(ShareReceived.self) {
      return ["share \(share.share)", Quantity.count(share.count, "item", "items")]
    }
    if let share = try entry.decode(ShareImported.self) { return ["share \(share.share)"] }
    if let share = try entry.decode(ShareUnreadable.self) {
      return ["share \(share.share)", share.detail]
    }
    if let share = try entry.decode(ShareDiscarded.self) { return ["share \(share.share)"] }
    if let unreadable = try entry.decode(StoreUnreadable.self) {
      return [unreadable.part.rawValue, unreadable.detail]
    }
    if let restored = try entry.decode(StoreRestored.self) { return [restored.part.rawValue] }
    guard let checkpointed = try entry.decode(Checkpointed.self) else { return nil }
    return [checkpointed.states.map(\.name).joined(separator: ", ")]
  }

  private static func next(_ time: DeviceTime?) -> String {
    time.map { "next at \($0)" } ?? ""
  }

  /// The first ids, and how many more there are.
  private static func ids(_ pins: [PinVersion]) -> String {
    let shown = pins.prefix(3).map { EntryText.shortened($0.id.description, to: 24) }
      .joined(separator: ", ")
    return pins.count > 3 ? "\(shown) and \(Quantity.count(pins.count - 3)) more" : shown
  }
}
