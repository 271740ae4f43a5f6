internal import TidemarkEntries
package import TidemarkJournalStore

/// What is retired stands on the shelf behind its answer: the record and every file.
///
/// They stand in a store that is not over.
///
/// Read from positions: the cause is the entry that wrote the copies, and it wrote the item's own
/// path, and one more for each file. A path on which something newer stands counts, for that says
/// so behind the copies. What is gone needs none, nor does an answer that says nothing.
package struct RetiredBehindCopies: Check {
  package static let rule = "F11"
  package static let sentence = "What is retired stands on the shelf, with every file."
  package static let code = FindingCode.retiredBeforeCopies

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard case .outbox(.retired(let retired)) = judged.content,
      let item = facts.item(retired.enqueued), let answer = item.acknowledged
    else { return }
    verdict.count()
    guard let fault = fault(of: item, answer, judged, facts) else { return }
    verdict.find(
      "what was enqueued at \(item.enqueued) was retired, \(fault)",
      at: judged.seq,
      witness: item.copied?.seq ?? answer.seq,
      scope: facts.scope(of: judged),
      path: facts.path(item.path),
      key: item.key
    )
  }

  private func fault(
    of item: OutboxFacts.Item,
    _ answer: (seq: Seq, saysSomething: Bool),
    _ judged: JudgedEntry,
    _ facts: JournalFacts
  ) -> String? {
    guard let copied = item.copied, copied.seq > answer.seq, judged.entry.cause == copied.seq else {
      return "and no copies behind its answer are the cause"
    }
    if let end = facts.stores[copied.store].end {
      return "and the store of its copies ended at \(end)"
    }
    let isGone = item.method == "DELETE" || !answer.saysSomething
    guard !isGone || item.fileCount > 0 else { return nil }
    guard copied.paths.contains(item.path) else {
      return "and there is no copy of it under its own path"
    }
    let due = 1 + item.fileCount
    return copied.paths.count < due
      ? "with \(item.fileCount) files, and its copies are \(copied.paths.count) of \(due)" : nil
  }
}
