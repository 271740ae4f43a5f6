package import TidemarkEntries
internal import TidemarkHashing
package import TidemarkJournalStore
package import TidemarkProjections

/// Makes a journal of an HTTP capture: reads begin and land at their real times, changes are sent
/// and answered, and each arrival is decided as a live store would decide it.
///
/// A late reply thus becomes a refusal with its witness. Keys are made of what the capture says, so
/// importing it again adds nothing.
package struct HARImport {
  /// What came of an import.
  package struct Summary: Sendable {
    package var exchanges = 0
    package var reads = 0
    package var changes = 0
    package var copies = 0

    /// Reads and changes that have no end in the capture.
    package var open = 0
    package var left: [HARLeftOut: Int] = [:]
    package var scopes: [Scope] = []

    /// How many entries were appended, and how many there were already.
    package var appended = 0
    package var known = 0

    /// How many answers came without all of their content.
    package var partial = 0
    package var problems = HARProblems()
    package var notes: [HARNote: Int] = [:]
    package var creator: String?
  }

  /// Why an import ended early; what was committed before stays.
  package enum Failure: Error, CustomStringConvertible {
    case capture(HARError)
    case journal(JournalError)

    /// The capture is there already, under another policy.
    case otherPolicy(String)

    package var description: String {
      switch self {
      case .capture(let error): "\(error)"
      case .journal(let error): "\(error)"
      case .otherPolicy(let policy):
        "this capture was imported with '\(policy)'; import it into a new journal"
      }
    }
  }

  private let capture: HARCapture
  private let digest: Digest
  private let policy: TouchPolicy
  private let journal: Journal
  private var state: ShelfState
  private var stores: [Scope: Seq] = [:]
  private var open: [Int: OpenExchange] = [:]
  private var occurrences: [Digest: Int] = [:]
  private var stagedBytes = 0
  private var summary = Summary()

  /// An exchange that has begun.
  private struct OpenExchange {
    var id: String
    var traffic: HARTraffic

    /// Its `read-began` or `mutation-sent` entry.
    var entry: Seq?
  }

  /// How many bytes of content may wait for a commit.
  private static let stagedBytesMax = 8 << 20

  /// How many entries may wait for a commit.
  private static let stagedEntriesMax: UInt64 = 4096

  /// - Parameters:
  ///   - capture: what to import.
  ///   - digest: SHA-256 of the file.
  ///   - policy: what a change is taken to touch.
  ///   - journal: where to.
  ///   - state: the shelf at the end of the journal.
  package init(
    _ capture: HARCapture,
    digest: Digest,
    policy: TouchPolicy,
    into journal: Journal,
    state: ShelfState
  ) {
    self.capture = capture
    self.digest = digest
    self.policy = policy
    self.journal = journal
    self.state = state
    summary.problems = capture.problems
    summary.notes = capture.notes
    summary.creator = capture.about.creator
    summary.exchanges = capture.exchangeCount
  }

  /// Whether the import of a capture wrote `entry`: what the app did is only in part what it says.
  package static func wrote(_ entry: Entry) -> Bool {
    entry.key.bytes.starts(with: keyPrefix.utf8)
  }

  private static let keyPrefix = "har/"

  /// Imports all of the capture.
  ///
  /// - Parameters:
  ///   - chance: salts the contents.
  ///   - progress: is told how many of the events are through.
  /// - Returns: what became of the capture.
  /// - Throws: ``Failure``; what was committed stays, and importing again goes on from there.
  /// - Complexity: O(*n* log *n*) in the exchanges; memory holds the longest entry, what is in
  ///   flight, and some 50 bytes an exchange.
  package mutating func run(
    chance: inout some RandomNumberGenerator,
    progress: (Int) -> Void = { _ in }
  ) throws(Failure) -> Summary {
    let importKey = IdempotencyKey(
      unchecked: Array("\(HARImport.keyPrefix)imported/\(digest)".utf8)
    )
    try checkPolicy(importKey)
    var events = capture.events()
    var count = 0
    while let event = try Failure.capture({ () throws(HARError) in try events.next() }) {
      switch event {
      case .began(let exchange): try begin(exchange, &chance)
      case .ended(let exchange): try end(exchange, &chance)
      }
      count += 1
      if count % 256 == 0 { progress(count) }
      try commitIfFull()
    }
    for problem in events.problems.listed { summary.problems.add(problem) }
    summary.open = open.values.count { $0.entry != nil }
    summary.left[.otherServer] = otherServers > 0 ? otherServers : nil
    try record(importKey)
    try Failure.journal { () throws(JournalError) in try journal.commit(.authored) }
    return summary
  }

  private var otherServers = 0

  private func checkPolicy(_ key: IdempotencyKey) throws(Failure) {
    let entry = try Failure.journal { () throws(JournalError) in try journal.entry(for: key) }
    guard let prior = try? entry?.decode(Imported.self), prior.policy != policy.description else {
      return
    }
    throw .otherPolicy(prior.policy)
  }

  private mutating func record(_ key: IdempotencyKey) throws(Failure) {
    let left = summary.left.values.reduce(0, +)
    let imported = Imported(
      format: "har",
      digest: digest,
      taken: UInt64(summary.reads + summary.changes + summary.copies),
      left: UInt64(left),
      policy: policy.description,
      creator: capture.about.creator
    )
    let known = try Failure.journal { () throws(JournalError) in try journal.entry(for: key) }
    guard known == nil else { return }
    // The time of the last entry: what the capture says, not when it was read.
    let last = try Failure.journal { () throws(JournalError) in try journal.entry(at: journal.last)
    }
    let draft = Draft(
      imported,
      key: key,
      store: .journal,
      time: last?.time ?? DeviceTime(milliseconds: 0)
    )
    try Failure.journal { () throws(JournalError) in try journal.stage([draft]) }
    summary.appended += 1
  }

  private mutating func commitIfFull() throws(Failure) {
    let waiting = journal.last.value - journal.committed.value
    guard waiting >= HARImport.stagedEntriesMax || stagedBytes >= HARImport.stagedBytesMax else {
      return
    }
    try Failure.journal { () throws(JournalError) in try journal.commit(.lazy) }
    stagedBytes = 0
  }

  // MARK: Events

  private mutating func begin(
    _ exchange: Exchange,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    let traffic = HARTraffic(exchange)
    var begun = OpenExchange(id: identifier(of: exchange), traffic: traffic)
    switch traffic {
    case .left(let reason):
      summary.left[reason, default: 0] += 1
      return
    case .immutable: break
    case .read(let scope, let path, let label):
      summary.reads += 1
      begun.entry = try submit(exchange, begun.id, "began", in: scope, exchange.began) {
        .begin(path, in: $0, label: label)
      }
    case .change(let scope, let path, let label):
      summary.changes += 1
      let body = try reference(exchange.requestBody, &chance)
      let change = Shelf.Change(
        path: path,
        method: exchange.method,
        touches: policy.touches(exchange.method, path),
        body: body,
        label: label
      )
      begun.entry = try submit(exchange, begun.id, "sent", in: scope, exchange.began) {
        .send(change, in: $0)
      }
    }
    open[exchange.index] = begun
  }

  private mutating func end(
    _ exchange: Exchange,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    guard let begun = open.removeValue(forKey: exchange.index),
      case .server(let url) = exchange.url
    else { return }
    switch begun.traffic {
    case .left: return
    case .immutable(let scope, let path): try keep(exchange, begun.id, scope, path, &chance)
    case .read(let scope, let path, _):
      guard let entry = begun.entry else { return }
      try reply(exchange, begun.id, entry, scope, path, &chance)
    case .change(let scope, let path, _):
      guard let entry = begun.entry else { return }
      try answer(exchange, begun.id, entry, scope, path, url, &chance)
    }
  }

  private mutating func keep(
    _ exchange: Exchange,
    _ id: String,
    _ scope: Scope,
    _ path: Path,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    // Asked of this import alone: what an earlier one has opened must not change what is taken.
    guard stores[scope] != nil else {
      otherServers += 1
      return
    }
    guard exchange.status == 200, exchange.responseBody.isWhole,
      !exchange.responseBody.bytes.isEmpty
    else {
      summary.left[.withoutContent, default: 0] += 1
      return
    }
    summary.copies += 1
    guard let body = try reference(exchange.responseBody, &chance) else { return }
    _ = try submit(exchange, id, "stored", in: scope, exchange.ended ?? exchange.began) {
      .keep(path, in: $0, body, mediaType: exchange.responseBody.mediaType)
    }
  }

  private mutating func reply(
    _ exchange: Exchange,
    _ id: String,
    _ begin: Seq,
    _ scope: Scope,
    _ path: Path,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    let time = exchange.ended ?? exchange.began
    var body = try reference(exchange.responseBody, &chance)
    if exchange.status == 304, exchange.responseBody.bytes.isEmpty {
      // The copy that it confirms, if the capture has it.
      body = state.store(of: scope)?.copy(of: path)?.body
    }
    let reply = Shelf.Reply(
      body: body ?? .unknown(byteCount: exchange.responseBody.toldByteCount),
      status: UInt64(clamping: exchange.status)
    )
    let submission: Shelf.Submission =
      switch exchange.status {
      case 206: .endRead(begin, .incomplete, reply)
      case 200..<300, 304: .reply(to: begin, reply)
      default: .endRead(begin, .failed, reply)
      }
    _ = try submit(exchange, id, "ended", in: scope, time) { _ in submission }
  }

  private mutating func answer(
    _ exchange: Exchange,
    _ id: String,
    _ sent: Seq,
    _ scope: Scope,
    _ path: Path,
    _ url: URLParts,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) {
    let time = exchange.ended ?? exchange.began
    let status = UInt64(clamping: exchange.status)
    let body = try reference(exchange.responseBody, &chance)
    // A form is answered with the page to go to; that is a success too.
    guard (200..<400).contains(exchange.status), exchange.status != 304 else {
      _ = try submit(exchange, id, "failed", in: scope, time) { _ in
        .endChange(sent, .rejected, status: status, answer: body)
      }
      return
    }
    var answer = Shelf.Answer(status: status, body: body)
    let said = HARAnswer(exchange, url)
    if said.isRemoval { answer.removals = [path] }
    if let copy = said.copy, let body {
      answer.copies = [Shelf.Answer.Copy(path: copy, body: body)]
    }
    _ = try submit(exchange, id, "answered", in: scope, time) { _ in .answer(to: sent, answer) }
  }

  // MARK: Entries

  /// Decides and stages a submission, unless its key is known; the seq of its first entry.
  private mutating func submit(
    _ exchange: Exchange,
    _ id: String,
    _ part: String,
    in scope: Scope,
    _ time: DeviceTime,
    _ submission: (Seq) -> Shelf.Submission
  ) throws(Failure) -> Seq? {
    let key = IdempotencyKey(unchecked: Array("\(HARImport.keyPrefix)\(id)/\(part)".utf8))
    if let known = try Failure.journal({ () throws(JournalError) in try journal.entry(for: key) }) {
      summary.known += 1
      adopt(known.store, of: scope)
      return known.seq
    }
    guard let store = try store(of: scope, for: id, exchange) else { return nil }
    return try stage(submission(store), key, time, exchange)
  }

  /// Goes on in the store of an earlier import of this capture, if it is still open.
  private mutating func adopt(_ store: Seq?, of scope: Scope) {
    guard stores[scope] == nil, let store, let present = state.present(store),
      present.retired == nil
    else { return }
    stores[scope] = store
  }

  private mutating func stage(
    _ submission: Shelf.Submission,
    _ key: IdempotencyKey,
    _ time: DeviceTime,
    _ exchange: Exchange
  ) throws(Failure) -> Seq? {
    let drafts: [Draft]
    do throws(Shelf.Unknown) {
      drafts = try Shelf.decide(submission, on: state, key: key, at: time)
    } catch {
      // What it answers is not in flight any more: it ended in an earlier import.
      return nil
    }
    let outcomes: [AppendOutcome]
    do throws(JournalError) { outcomes = try journal.stage(drafts) } catch {
      // What no entry can hold is one exchange less; the rest of the capture is taken.
      guard error.code == .invalid else { throw .journal(error) }
      summary.problems.add(error.message, at: exchange.offset, index: exchange.index)
      return nil
    }
    for outcome in outcomes {
      guard case .appended(let seq) = outcome else { continue }
      summary.appended += 1
      let entry = try Failure.journal { () throws(JournalError) in try journal.entry(at: seq) }
      guard let entry else { continue }
      do throws(EntryError) { try Shelf.evolve(&state, by: entry) } catch {
        throw .journal(JournalError(.invalid, error.message, finding: .entryMalformed, at: seq))
      }
    }
    return outcomes.first?.seq
  }

  /// The store of a scope; the first exchange that needs it opens it.
  private mutating func store(
    of scope: Scope,
    for id: String,
    _ exchange: Exchange
  ) throws(Failure) -> Seq? {
    if let store = stores[scope] { return store }
    let key = IdempotencyKey(unchecked: Array("\(HARImport.keyPrefix)\(id)/opened".utf8))
    let opening = Shelf.Submission.open(scope, software: capture.about.creator)
    guard let store = try stage(opening, key, exchange.began, exchange) else { return nil }
    stores[scope] = store
    summary.scopes.append(scope)
    return store
  }

  private mutating func reference(
    _ body: CapturedBody?,
    _ chance: inout some RandomNumberGenerator
  ) throws(Failure) -> BodyReference? {
    guard let body else { return nil }
    if body.bytes.isEmpty, !body.isWhole {
      summary.partial += 1
      return .unknown(byteCount: body.toldByteCount)
    }
    if !body.isWhole { summary.partial += 1 }
    stagedBytes += body.bytes.count
    return try Failure.journal { () throws(JournalError) in
      try journal.body(body.bytes, isWhole: body.isWhole, chance: &chance)
    }
  }

  /// What an exchange is known by: when it began, what it asked, and the how-manieth of these.
  private mutating func identifier(of exchange: Exchange) -> String {
    var hash = SHA256Hash()
    var text = "\(exchange.beganMicroseconds) \(exchange.method) "
    if case .server(let url) = exchange.url { text += "\(url.scope)\(url.receivedPath)" }
    if let operation = exchange.operation { text += " \(operation.digest)" }
    hash.update(Array(text.utf8))
    let digest = Digest(words: hash.finish())
    let occurrence = occurrences[digest, default: 0]
    occurrences[digest] = occurrence + 1
    return String(digest.description.prefix(24)) + (occurrence == 0 ? "" : "-\(occurrence)")
  }
}

extension HARImport.Failure {
  fileprivate static func capture<Result>(
    _ call: () throws(HARError) -> Result
  ) throws(HARImport.Failure) -> Result {
    do throws(HARError) { return try call() } catch { throw .capture(error) }
  }

  @discardableResult
  fileprivate static func journal<Result>(
    _ call: () throws(JournalError) -> Result
  ) throws(HARImport.Failure) -> Result {
    do throws(JournalError) { return try call() } catch { throw .journal(error) }
  }
}
