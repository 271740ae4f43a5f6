import TestSupport
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

extension Scribe {
  /// What the judge says of all that was written.
  func judged(_ options: Judge.Options = .init()) throws -> Judge.Report {
    try Judge.judge(try finish(), options)
  }
}

extension Judge.Report {
  /// Each finding as `J201 at 4 by 3`, in the order of the entries.
  var briefs: [String] {
    findings.map { finding in
      let witness = finding.witness.map { " by \($0)" } ?? ""
      return "\(finding.code.rawValue) at \(finding.seq ?? Seq(0))\(witness)"
    }
  }

  func verdict(of check: any Check.Type) -> Verdict? {
    verdicts.first { $0.sentence == check.sentence }
  }

  func instances(_ check: any Check.Type) -> UInt64? { verdict(of: check)?.instances }
}
