internal import TidemarkEntries
package import TidemarkJournalStore

/// The answer to a change and the bump of the generation are one append.
///
/// Read from positions: behind the entries of the answer, and next to them, stands a bump of the
/// same store whose cause is the first of them. An answer to a store that is over bumps nothing.
package struct AnswersBumpTogether: Check {
  package static let rule = "F5a"
  package static let sentence = "An answer and its bump stand together."
  package static let code = FindingCode.answerSplit

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    let isPart = judged.answer != nil
    if let due = AnswersBumpTogether.due(facts), !isPart {
      AnswersBumpTogether.find(due, judged.seq, facts, &verdict)
    } else if case .bumped(let bumped) = judged.content, bumped.reason == .answer, !isPart,
      !facts.isBlind(Seq(judged.seq.value - 1))
    {
      verdict.find(
        "the bump at \(judged.seq) does not stand behind the answer that it says it belongs to",
        at: judged.seq,
        witness: judged.entry.cause,
        scope: judged.store.flatMap { facts.scope(of: $0) }
      )
    }
    switch judged.content {
    case .answered, .copied: verdict.count()
    case .suppressed(let suppressed) where !isPart && suppressed.reason != .retired: verdict.count()
    default: break
    }
  }

  package mutating func finish(
    _ facts: JournalFacts,
    _ reader: JournalReader,
    _ verdict: inout Verdict
  ) throws(JournalError) {
    guard let due = AnswersBumpTogether.due(facts) else { return }
    AnswersBumpTogether.find(due, nil, facts, &verdict)
  }

  /// The answer up to the entry before, if its bump is still to come.
  private static func due(_ facts: JournalFacts) -> JournalFacts.Answer? {
    guard let answer = facts.answer, answer.bumps, !facts.isBlind(answer.last.next) else {
      return nil
    }
    return answer
  }

  private static func find(
    _ answer: JournalFacts.Answer,
    _ next: Seq?,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    verdict.find(
      "the answer at \(answer.first) has no bump behind it that names it as its cause",
      at: answer.first,
      witness: next,
      scope: facts.scope(of: answer.store)
    )
  }
}
