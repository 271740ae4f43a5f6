internal import TidemarkEntries
package import TidemarkJournalStore

/// What is said of an item rests on an attempt that was made.
///
/// An answer and a doubt end the attempt under way; copies are of what the server has, since its
/// first attempt and for what it declared; the server's no and an old doubt hand it to a person
/// only where there is one.
package struct OnlyAnswersSettle: Check {
  package static let rule = "F13"
  package static let sentence = "Only what was answered is settled."
  package static let code = FindingCode.guessedSettlement

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard let seq = judged.item, let item = facts.item(seq),
      let (isInstance, fault) = fault(judged.content, item)
    else { return }
    if isInstance { verdict.count() }
    guard let fault else { return }
    verdict.find(
      "of what was enqueued at \(seq), a \(judged.entry.kindName) says \(fault)",
      at: judged.seq,
      witness: item.attempt ?? item.answered?.seq ?? seq,
      scope: facts.scope(of: judged),
      path: facts.path(item.path),
      key: item.key
    )
  }

  private func fault(
    _ content: JudgedEntry.Content,
    _ item: OutboxFacts.Item
  ) -> (isInstance: Bool, fault: String?)? {
    switch content {
    case .outbox(.answered(let answered)):
      (true, answered.sent == item.attempt ? nil : "what came of an attempt that is not under way")
    case .outbox(.inDoubt(let doubt)):
      (true, doubt.sent == item.attempt ? nil : "what came of an attempt that is not under way")
    case .copied(let copied): (true, fault(copied, item))
    case .outbox(.parked(let parked)):
      switch parked.reason {
      case .rejected:
        (true, item.answered?.verdict == .rejected ? nil : "that the server said no: it did not")
      case .expiredDoubt: (true, item.doubt == nil ? "that it is in doubt: it is not" : nil)
      case .spent: (false, nil)
      }
    default: nil
    }
  }

  private func fault(_ copied: OutboxCopied, _ item: OutboxFacts.Item) -> String? {
    if item.acknowledged == nil { return "what an answer held that was not read" }
    if copied.sent != item.firstSent { return "that \(copied.sent) is its first attempt" }
    return copied.touches == item.touches ? nil : "that it touches what it did not declare"
  }
}
