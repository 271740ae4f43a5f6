import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore

/// What `log` and its likes say of an entry in one line.
struct EntryText {
  private let context: EntryContext

  /// How wide a ticket or a key is shown; longer keys are cut, `show` has them whole.
  static let handleWidth = 12

  init(_ context: EntryContext) {
    self.context = context
  }

  /// The ticket of a read, or the key of a change, by which its entries are known to each other.
  func handle(of entry: Entry) -> String {
    if let ticket = context.ticket(of: entry) { return ticket.description }
    guard let sending = context.sending(of: entry) ?? context.item(of: entry) else { return "" }
    return EntryText.shortened(sending.key.description, to: EntryText.handleWidth)
  }

  /// What the entry is about, and what it says of that.
  func detail(of entry: Entry) -> Line {
    let parts = [subject(of: entry)] + facts(of: entry)
    return Line(parts.filter { !$0.isEmpty }.joined(separator: "  "))
  }

  /// The path of the entry, behind the method if it is a change.
  private func subject(of entry: Entry) -> String {
    let paths = (try? entry.paths) ?? []
    guard let first = paths.first else { return "" }
    let more = paths.count > 1 ? " and \(Quantity.count(paths.count - 1)) more" : ""
    let method =
      (entry.decoded(MutationSent.self)?.method ?? entry.decoded(OutboxEnqueued.self)?.method)
      .map { $0 + " " } ?? ""
    return method + EntryText.text(of: first.path) + more
  }

  private func facts(of entry: Entry) -> [String] {
    do throws(EntryError) {
      return try EntryFacts.of(entry)
    } catch {
      return ["cannot be read: \(error.message)"]
    }
  }

  /// A path as it is shown; bytes that are no text as `\xff`.
  static func text(of path: Path) -> String { Escaping.visible(bytes: path.bytes) }

  /// A word of data, cut where it would push everything aside.
  static func shortened(_ text: String, to count: Int) -> String {
    text.count > count ? text.prefix(count - 1) + "…" : text
  }
}

/// What each kind says besides its path, in words.
enum EntryFacts {
  static func of(_ entry: Entry) throws(EntryError) -> [String] {
    switch entry.kind {
    case ReadBegan.number, ReadLanded.number, ReadRefused.number: try ofRead(entry)
    case MutationSent.number, MutationAnswered.number, MutationSuppressed.number,
      MutationFailed.number:
      try ofChange(entry)
    case OutboxEnqueued.number...OutboxDiscarded.number: try ofOutbox(entry)
    case PinsRemoved.number...PinsRefused.number: try ofPins(entry)
    default: try ofOther(entry)
    }
  }

  private static func ofRead(_ entry: Entry) throws(EntryError) -> [String] {
    if let began = try entry.decode(ReadBegan.self) { return [label(began.label)] }
    if let landed = try entry.decode(ReadLanded.self) {
      return ["\(landed.status)", revision(landed.revision), size(landed.body)]
    }
    guard let refused = try entry.decode(ReadRefused.self) else { return [] }
    let witness = refused.witness.map { ", witness \($0)" } ?? ""
    return ["\(refused.reason.rawValue)\(witness)", revision(refused.revision)]
  }

  private static func ofChange(_ entry: Entry) throws(EntryError) -> [String] {
    if let sent = try entry.decode(MutationSent.self) {
      let touches = sent.touches.map { "touches \(Quantity.count($0.count, "rule", "rules"))" }
      return [label(sent.label), touches ?? ""]
    }
    if let answered = try entry.decode(MutationAnswered.self) {
      let removals = answered.removals.count
      return [
        "\(answered.status)", revision(answered.copies.first?.revision),
        removals > 0 ? "removes \(Quantity.count(removals))" : "",
      ]
    }
    if let suppressed = try entry.decode(MutationSuppressed.self) {
      return [
        "\(suppressed.status)", revision(suppressed.revision),
        "\(suppressed.reason.rawValue), witness \(suppressed.witness)",
      ]
    }
    guard let failed = try entry.decode(MutationFailed.self) else { return [] }
    return [failed.reason.rawValue, failed.status.map { "\($0)" } ?? ""]
  }

  private static func ofOther(_ entry: Entry) throws(EntryError) -> [String] {
    if let bumped = try entry.decode(GenerationBumped.self) {
      let cause = entry.cause.map { "by \($0)" } ?? bumped.reason.rawValue
      return ["\(bumped.from) to \(bumped.to)", cause]
    }
    if let opened = try entry.decode(StoreOpened.self) {
      let previous = opened.previous.map { "again, after \($0)" } ?? ""
      return [opened.scope.description, previous, opened.software ?? ""]
    }
    if let retired = try entry.decode(StoreRetired.self) { return [retired.reason.rawValue] }
    if let switched = try entry.decode(ScopeSwitched.self) { return ["from \(switched.from)"] }
    if let stored = try entry.decode(CopyStored.self) {
      return [stored.mediaType ?? "", size(stored.body)]
    }
    if let removed = try entry.decode(CopyRemoved.self) { return [removed.reason.rawValue] }
    if let imported = try entry.decode(Imported.self) {
      let counts = "\(Quantity.count(imported.taken)) taken, \(Quantity.count(imported.left)) left"
      return [imported.format, counts, imported.creator ?? ""]
    }
    if let conflicted = try entry.decode(KeyConflicted.self) {
      let fields = conflicted.fields.joined(separator: ", ")
      return ["\(conflicted.key) of \(conflicted.prior) with other \(fields)"]
    }
    if let facts = try ofList(entry) { return facts }
    if let facts = try ofPass(entry) { return facts }
    return [Quantity.bytes(UInt64(entry.payloadRange.count))]
  }

  static func revision(_ number: UInt64?) -> String {
    number.map { "revision \($0)" } ?? ""
  }

  static func size(_ body: BodyReference) -> String {
    let size = Quantity.bytes(body.byteCount)
    return body.isWhole ? size : "\(size), not whole"
  }

  static func label(_ label: String?) -> String {
    label ?? ""
  }
}

extension DeviceTime {
  /// The date, as it stands before the time of day.
  var day: Substring { description.prefix { $0 != "T" } }
}
