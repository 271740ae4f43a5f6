public import TidemarkEntries

/// Why the journal did not do what was asked.
public struct JournalError: Error, Sendable, CustomStringConvertible {
  /// What the caller can do about it.
  public enum Code: String, Sendable, Hashable {
    /// There is nothing at this path.
    ///
    /// Check it.
    case missing

    /// The file is something else than a journal.
    ///
    /// Leave it alone.
    case foreign

    /// A newer build wrote it.
    ///
    /// Use that one; nothing was written.
    case newer

    /// Another writer has the journal.
    ///
    /// Try again, or open it for reading.
    case busy

    /// The bytes contradict the format.
    ///
    /// Stop appending; `tidemark verify` names the place.
    case damaged

    /// The device refused.
    ///
    /// Nothing was appended; tell the user before the screen changes.
    case storage

    /// What was to be appended is beyond a limit, or rests on what is not there.
    ///
    /// Correct it.
    case invalid

    /// What the append was to rest on is not so any more.
    ///
    /// Decide again.
    case stale

    /// Somebody asked for a long read to stop.
    ///
    /// Nothing is wrong.
    case stopped
  }

  /// What the caller can decide by.
  public var code: Code

  /// What happened, with the values that contradict each other.
  public var message: String

  /// The finding that says the same to scripts, if there is one.
  public var finding: FindingCode?

  /// The entry at which it happened, if it is one entry.
  public var seq: Seq?

  /// What was thrown below, if something was.
  public var cause: (any Error)?

  package init(
    _ code: Code,
    _ message: String,
    finding: FindingCode? = nil,
    at seq: Seq? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.finding = finding
    self.seq = seq
    self.cause = cause
  }

  public var description: String {
    seq.map { "\(code.rawValue) at entry \($0): \(message)" } ?? "\(code.rawValue): \(message)"
  }
}
