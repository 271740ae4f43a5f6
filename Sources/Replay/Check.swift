package import TidemarkEntries
package import TidemarkJournalStore

/// One property of a journal, judged in one pass.
///
/// A check sees every entry once, in order, with where things stood before it, and compares
/// positions. It shares no code with the rules that it judges, or it would repeat their mistakes.
/// It never stops at what it finds.
package protocol Check: Sendable {
  /// The rule, as the documentation numbers it: `F2`.
  static var rule: String { get }

  /// What must hold, in one sentence.
  static var sentence: String { get }

  /// The code of what it finds.
  static var code: FindingCode { get }

  init()

  mutating func visit(_ judged: JudgedEntry, _ facts: JournalFacts, _ verdict: inout Verdict)

  /// A range of entries could not be read, or is not there.
  mutating func pass(_ damage: Finding, _ verdict: inout Verdict)

  /// The journal is at its end.
  mutating func finish(
    _ facts: JournalFacts,
    _ reader: JournalReader,
    _ verdict: inout Verdict
  ) throws(JournalError)
}

extension Check {
  package mutating func pass(_ damage: Finding, _ verdict: inout Verdict) {}

  package mutating func finish(
    _ facts: JournalFacts,
    _ reader: JournalReader,
    _ verdict: inout Verdict
  ) throws(JournalError) {}
}

/// What one check says of a journal.
package struct Verdict: Sendable {
  package let rule: String
  package let sentence: String
  package let code: FindingCode

  /// How often the property could have been broken; if never, it holds vacuously.
  package private(set) var instances: UInt64 = 0

  /// How often it was broken.
  package private(set) var findingCount: UInt64 = 0

  /// The first of the findings.
  package private(set) var findings: [Finding] = []

  /// Whether nothing is there that could have broken the property.
  package var isVacuous: Bool { instances == 0 }

  private let examplesMax: Int

  init(of check: any Check.Type, examplesMax: Int) {
    rule = check.rule
    sentence = check.sentence
    code = check.code
    self.examplesMax = examplesMax
  }

  package mutating func count() { instances += 1 }

  package mutating func find(
    _ message: @autoclosure () -> String,
    at seq: Seq,
    witness: Seq? = nil,
    scope: Scope? = nil,
    path: Path? = nil,
    key: IdempotencyKey? = nil,
    expected: String? = nil,
    actual: String? = nil
  ) {
    let code = code
    find(
      Finding(
        code,
        message(),
        at: seq,
        witness: witness,
        scope: scope,
        path: path,
        key: key,
        expected: expected,
        actual: actual
      )
    )
  }

  /// - Parameter finding: is made only if it is one of the first.
  package mutating func find(_ finding: @autoclosure () -> Finding) {
    findingCount += 1
    if findings.count < examplesMax { findings.append(finding()) }
  }
}
