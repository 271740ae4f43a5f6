internal import TidemarkEntries
package import TidemarkJournalStore

/// What belongs to the copying half of a sync pass asks the server for nothing but copies.
///
/// An entry belongs to it if the beginning of the pass is its cause: a read, bytes that were kept,
/// or the end of the pass.
package struct CopyingOnlyReads: Check {
  package static let rule = "F9"
  package static let sentence = "The copying half of a pass only reads."
  package static let code = FindingCode.copyingWrote

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard let cause = judged.entry.cause, facts.passes.contains(cause) else { return }
    verdict.count()
    switch judged.content {
    case .began, .stored, .unknown: return
    case .other where judged.entry.kind == SyncEnded.number: return
    default: break
    }
    verdict.find(
      "a \(judged.entry.kindName) belongs to the copying that began at \(cause)",
      at: judged.seq,
      witness: cause,
      scope: facts.scope(of: judged),
      path: judged.links.first.map { facts.path($0.path) }
    )
  }
}
