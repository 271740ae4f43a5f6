package import TidemarkJournalStore

/// Why exported lines are not taken: the line, and what is wrong with it.
package struct JSONLinesError: Error, Sendable, CustomStringConvertible {
  /// `input-malformed`, `bundle-incomplete`, `stream-diverged`, or what is wrong with an entry.
  package var code: FindingCode
  package var message: String

  /// Counted from 1; one behind the last if something is missing at the end.
  package var line: Int

  package init(_ code: FindingCode, _ message: String, line: Int) {
    self.code = code
    self.message = message
    self.line = line
  }

  package var description: String { "line \(line): \(message)" }
}
