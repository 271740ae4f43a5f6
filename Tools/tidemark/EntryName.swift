import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore

/// The entry that a word of the command line names.
///
/// Whatever a verb prints of an entry can be given back: its seq, its ticket, its key, a cursor
/// that stands on it, its leaf, the commitment of its content; a key and a digest also cut with
/// `…`, as long as they name one entry.
struct EntryName {
  private let word: String
  private let reader: JournalReader
  private let context: EntryContext

  /// So many entries are told of a word that names several.
  private static let listedMax = 5

  static func entry(_ word: String, in reader: JournalReader) throws -> Entry {
    let name = EntryName(word: word, reader: reader, context: EntryContext(reader))
    if let number = Input.number(in: word) { return try name.entry(numbered: Seq(number)) }
    if let entry = try name.entryByKey() { return entry }
    if let seq = Seq(pasted: word) { return try name.entry(at: seq) }
    if let cursor = Cursor(word) { return try name.entry(at: try reader.seq(of: cursor)) }
    if let ticket = Ticket(word) { return try name.entry(of: ticket) }
    return try name.entryByPart()
  }

  /// The entry at `seq`, or behind the last the one whose key or digest begins with these digits.
  ///
  /// Of 43 digests, one begins with eight that are all decimal.
  private func entry(numbered seq: Seq) throws -> Entry {
    guard seq > reader.last, PartialName(word).isDigits else { return try entry(at: seq) }
    if let entry = try entryByKey() { return entry }
    let found = try entries(named: PartialName(word))
    if let named = try only(of: found) { return named }
    guard found.isEmpty else { throw ambiguous(found) }
    return try entry(at: seq)
  }

  private func entry(at seq: Seq) throws -> Entry {
    if let entry = try reader.entry(at: seq) { return entry }
    if let lost = try reader.lostTail, seq > reader.last, seq.value <= reader.anchor?.size ?? 0 {
      throw JournalError(.damaged, lost.message, finding: lost.code, at: lost.seq)
    }
    throw EntryName.failure("there is no entry \(seq); the last is \(reader.last)")
  }

  private func entry(of ticket: Ticket) throws -> Entry {
    if let entry = try reader.entry(at: ticket.begin), context.ticket(of: entry) == ticket {
      return entry
    }
    throw EntryName.failure("no read has the ticket \(ticket)")
  }

  private func entryByKey() throws -> Entry? {
    let key: IdempotencyKey
    do throws(EntryError) {
      key = try IdempotencyKey(Selection.bytes(ofHex: word) ?? Array(word.utf8))
    } catch { throw Failure.usage(error.message) }
    return try reader.entry(for: key)
  }

  /// The entry of which a part of the key or of a digest is given.
  private func entryByPart() throws -> Entry {
    let found = try entries(named: PartialName(word))
    if let named = try only(of: found) { return named }
    throw found.isEmpty ? unknown() : ambiguous(found)
  }

  private func entries(named part: PartialName) throws -> [Entry] {
    var found: [Entry] = []
    try reader.forEach { (entry) throws(JournalError) in
      if part.fits(entry) { found.append(entry) }
      return true
    } mapping: {
      $0
    }
    return found
  }

  /// The entry that all of `found` mean, if they mean one.
  private func only(of found: [Entry]) throws -> Entry? {
    if found.count == 1 { return found[0] }
    // What one read or change wrote has keys that begin alike.
    let origins = Set(found.map(origin))
    guard origins.count == 1, let origin = origins.first else { return nil }
    return try entry(at: origin)
  }

  /// The entry that began what `entry` is a part of.
  private func origin(of entry: Entry) -> Seq {
    if let begin = entry.begin { return begin }
    if let sending = context.sending(of: entry) { return sending.seq }
    guard let answer = entry.cause.flatMap({ context.entry(at: $0) }) else { return entry.seq }
    return context.sending(of: answer)?.seq ?? entry.seq
  }

  private static func failure(_ message: String, advice: String? = nil) -> Failure {
    Failure(.failure, .noEntry, message, advice: advice)
  }

  private func ambiguous(_ found: [Entry]) -> Failure {
    let listed = found.prefix(EntryName.listedMax).map {
      "\($0.seq) (\($0.kindName), key \($0.key))"
    }
    let more = found.count > listed.count ? ", …" : ""
    return EntryName.failure(
      "'\(word)' begins the name of \(Quantity.count(found.count)) entries",
      advice: "Give the seq: \(listed.joined(separator: ", "))\(more)"
    )
  }

  /// What the word is instead, if it is something else that a verb prints.
  private func unknown() -> Failure {
    let journal = Words.quoted(reader.path)
    let part = PartialName(word)
    let identity = reader.identity
    if let head = try? reader.head(), part.fits(digits: head.root.description) {
      return EntryName.failure(
        "'\(word)' is the root over all \(Quantity.count(head.size)) entries",
        advice: "It is of the journal: tidemark info \(journal)"
      )
    }
    if [identity.journal, identity.writer].contains(where: { part.fits(digits: Hex.encode($0)) }) {
      return EntryName.failure(
        "'\(word)' is the id of the journal or of its writer",
        advice: "It is of the journal: tidemark info \(journal)"
      )
    }
    var failure = EntryName.failure("no entry has the key '\(word)'")
    if word.hasPrefix("/") {
      failure.advice = "A path has a story: tidemark why \(journal) \(Words.quoted(word))"
    } else if let topic = try? Topic.read([word]), topic.count == 1 {
      failure.advice = "It is a word of the reports: tidemark explain \(Words.quoted(word))"
    }
    return failure
  }
}

/// A key or a digest of which the beginning is given, and behind `…` perhaps its end.
struct PartialName {
  private let start: String
  private let end: String

  /// Less of a digest is none: `cafe` may well begin a key.
  private static let digitsMin = 6

  init(_ word: String) {
    let mark = word.firstRange(of: "…") ?? word.firstRange(of: "...")
    start = String(word[..<(mark?.lowerBound ?? word.endIndex)])
    end = mark.map { String(word[$0.upperBound...]) } ?? ""
  }

  func fits(_ entry: Entry) -> Bool {
    if fits(Escaping.visible(entry.key.description)) { return true }
    // No leaf is hashed for a word that cannot be one.
    guard isDigits else { return false }
    return fits(Tree.leaf(of: entry).description)
      || entry.readableBodies.contains { fits($0.commitment.description) }
  }

  /// Whether enough is given of what is printed as `digits`.
  func fits(digits: String) -> Bool { isDigits && fits(digits) }

  /// Whether it may be the beginning of a digest, and is long enough for that.
  var isDigits: Bool {
    start.utf8.count >= PartialName.digitsMin && start.allSatisfy(\.isHexDigit)
  }

  private func fits(_ name: String) -> Bool {
    !start.isEmpty && name.utf8.count >= start.utf8.count + end.utf8.count
      && name.utf8.starts(with: start.utf8)
      && name.utf8.reversed().starts(with: end.utf8.reversed())
  }
}

extension Seq {
  /// The seq that `word` writes as it may be printed: `4122`, `#4122`, `4,122`.
  init?(pasted word: String) {
    let text = word.utf8.first == UInt8(ascii: "#") ? word.dropFirst() : word[...]
    let groups = text.split(separator: ",", omittingEmptySubsequences: false)
    let isGrouped = groups[0].count <= 3 && groups.dropFirst().allSatisfy { $0.count == 3 }
    let digits = groups.joined()
    guard groups.count == 1 || isGrouped, !digits.hasPrefix("+"), let number = UInt64(digits) else {
      return nil
    }
    self.init(number)
  }
}
