package import TidemarkEntries
import TidemarkHashing
package import TidemarkJournalStore
import TidemarkProjections

/// A story of a shelf, told in words: what was so, what happened, what came of it.
///
/// Reads and changes have names. What came of a word is a sentence an entry, in which other entries
/// are called by what they did: `t1 refused: generation, by m1 bumped`.
package final class Story {
  /// What can happen.
  package enum Word {
    /// Opens a scope; the words behind it are about this one.
    case open(String, account: String? = nil)

    /// Turns from the scope that was opened last to another one.
    case turn(to: String)
    case retire(StoreRetired.Reason = .closed)
    case begin(String, as: String)
    case reply(String, String, revision: UInt64? = nil)
    case end(String, ReadRefused.Reason, revision: UInt64? = nil)
    case send(String, as: String, touching: [Touch]? = nil)
    case answer(String, [Copy] = [], removing: [String] = [])
    case endChange(String, MutationFailed.Reason)
    case bump(GenerationBumped.Reason)
    case keep(String, String)
    case remove(String)
  }

  /// A copy that an answer holds.
  package struct Copy {
    package var path: String
    package var body: String
    package var revision: UInt64?

    package init(_ path: String, _ body: String, revision: UInt64? = nil) {
      (self.path, self.body, self.revision) = (path, body, revision)
    }
  }

  /// What came of the last ``when(_:)``, a sentence an entry.
  package private(set) var then: [String] = []

  private let shelf: LiveShelf
  private var opening = Seq(0)
  private var begun: [String: Seq] = [:]
  private var names: [Seq: String] = [:]
  private var texts: [Digest: String] = [:]

  package init() throws {
    shelf = try LiveShelf()
  }

  /// What was so before.
  @discardableResult
  package func given(_ words: Word...) throws -> Story {
    for word in words { _ = try happen(word) }
    return self
  }

  /// What happens, and is looked at.
  @discardableResult
  package func when(_ words: Word...) throws -> Story {
    then = []
    for word in words { then += try happen(word) }
    return self
  }

  package func finish() throws -> JournalReader { try shelf.finish() }

  // MARK: The shelf

  /// The copies of a scope as a screen shows them, with a mark on those that are suspect.
  package func copies(of address: String, account: String? = nil) throws -> [String: String] {
    guard let store = shelf.state.store(of: try Scope(address, account: account)) else {
      return [:]
    }
    var shown: [String: String] = [:]
    for (number, record) in store.records.enumerated() {
      guard let copy = record.copy else { continue }
      let mark = record.suspect == nil ? "" : " (suspect)"
      shown["\(store.paths.path(number))"] = (texts[copy.body.commitment] ?? "?") + mark
    }
    return shown
  }

  /// Whether the path is marked as one whose copy may be older than the server's.
  package func isSuspect(_ path: String, of address: String) throws -> Bool {
    try shelf.state.store(of: Scope(address))?.record(of: Path(path))?.suspect != nil
  }

  // MARK: Telling

  private func happen(_ word: Word) throws -> [String] {
    let entries = try shelf.submit(try submission(of: word))
    if case .begin(_, let name) = word { begun[name] = entries[0].seq }
    if case .send(_, let name, _) = word { begun[name] = entries[0].seq }
    return try entries.map { entry in
      let (name, sentence) = try tell(entry, word)
      names[entry.seq] = name
      if let opened = try entry.decode(StoreOpened.self) {
        opening = entry.seq
        return "\(opened.scope) opened"
      }
      return sentence ?? name
    }
  }

  private func submission(of word: Word) throws -> Shelf.Submission {
    switch word {
    case .open(let address, let account): .open(try Scope(address, account: account), software: nil)
    case .turn(let address): .turn(from: opening, to: try Scope(address), software: nil)
    case .retire(let reason): .retire(opening, reason)
    case .begin(let path, _): .begin(try Path(path), in: opening, label: nil)
    case .reply(let name, let text, let revision):
      .reply(to: try seq(of: name), Shelf.Reply(body: body(text), revision: revision))
    case .end(let name, let reason, let revision):
      .endRead(
        try seq(of: name),
        reason,
        revision.map { Shelf.Reply(body: body(""), revision: $0) }
      )
    case .send(let path, _, let touches):
      .send(Shelf.Change(path: try Path(path), method: "PUT", touches: touches), in: opening)
    case .answer(let name, let copies, let removals):
      .answer(
        to: try seq(of: name),
        Shelf.Answer(
          copies: try copies.map {
            .init(path: try Path($0.path), body: body($0.body), revision: $0.revision)
          },
          removals: try removals.map { try Path($0) }
        )
      )
    case .endChange(let name, let reason):
      .endChange(try seq(of: name), reason, status: nil, answer: nil)
    case .bump(let reason): .bump(opening, reason)
    case .keep(let path, let text):
      .keep(try Path(path), in: opening, body(text), mediaType: nil)
    case .remove(let path): .remove(try Path(path), in: opening, .requested)
    }
  }

  private func seq(of name: String) throws -> Seq {
    guard let seq = begun[name] else { throw NobodyCalled(name: name) }
    return seq
  }

  package struct NobodyCalled: Error {
    package let name: String
  }

  private func body(_ text: String) -> BodyReference {
    var hash = SHA256Hash()
    hash.update(Array(text.utf8))
    let commitment = Digest(words: hash.finish())
    texts[commitment] = text
    return BodyReference(id: 0, commitment: commitment, byteCount: UInt64(text.utf8.count))
  }

  /// What other entries call this one, and the sentence about it if that says more.
  private func tell(_ entry: Entry, _ word: Word) throws -> (name: String, sentence: String?) {
    func called(_ seq: Seq?) -> String { seq.flatMap { names[$0] } ?? "nobody" }
    let paths = try entry.paths.map { "\($0.path)" }.joined(separator: " ")
    switch entry.kind {
    case ReadLanded.number:
      return ("\(try called(entry.decode(ReadLanded.self)?.begin)) landed", nil)
    case ReadRefused.number:
      guard let refused = try entry.decode(ReadRefused.self) else { break }
      let witness = refused.witness.map { ", by \(called($0))" } ?? ""
      let name = called(refused.begin)
      return ("\(name) refused", "\(name) refused: \(refused.reason.rawValue)\(witness)")
    case MutationAnswered.number:
      let name = try called(entry.decode(MutationAnswered.self)?.mutation)
      return ("\(name) answered", "\(name) answered: \(paths)")
    case MutationSuppressed.number:
      guard let suppressed = try entry.decode(MutationSuppressed.self) else { break }
      let name = called(suppressed.mutation)
      let reason = "\(suppressed.reason.rawValue), by \(called(suppressed.witness))"
      return ("\(name) suppressed", "\(name) suppressed: \(paths) \(reason)")
    case MutationFailed.number:
      guard let failed = try entry.decode(MutationFailed.self) else { break }
      let name = called(failed.mutation)
      return ("\(name) failed", "\(name) failed: \(failed.reason.rawValue)")
    case GenerationBumped.number:
      guard let bumped = try entry.decode(GenerationBumped.self) else { break }
      let cause = entry.cause.map { called($0).split(separator: " ")[0] + " " } ?? ""
      return ("\(cause)bumped", "\(cause)bumped: \(bumped.from) to \(bumped.to)")
    case ReadBegan.number, MutationSent.number:
      if case .begin(_, let name) = word { return (name, "\(name) began") }
      if case .send(_, let name, _) = word { return (name, "\(name) sent") }
    default: break
    }
    return (entry.kindName, nil)
  }
}
