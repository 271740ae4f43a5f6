public import TidemarkEntries

/// What became of one entry that was to be appended.
public enum AppendOutcome: Sendable, Hashable {
  /// It stands in the journal, at this seq.
  case appended(at: Seq)

  /// It was there already, under its key and with the same content.
  ///
  /// Nothing was written.
  case alreadyAppended(at: Seq)

  /// Its key stands for other content; the incident was recorded.
  ///
  /// Use a new key.
  case conflict(Conflict)

  /// Another entry of its batch has a conflict: nothing of the batch was written.
  case withheld

  /// A key that came a second time, with other content.
  public struct Conflict: Sendable, Hashable {
    /// The key that came.
    public var key: IdempotencyKey

    /// The entry that has the key.
    public var prior: Seq

    /// The names of the fields that differ.
    public var fields: [String]

    public init(key: IdempotencyKey, prior: Seq, fields: [String]) {
      self.key = key
      self.prior = prior
      self.fields = fields
    }
  }

  var isConflict: Bool {
    if case .conflict = self { true } else { false }
  }

  var isWithheld: Bool {
    if case .withheld = self { true } else { false }
  }

  /// Where the entry stands, if it does.
  public var seq: Seq? {
    switch self {
    case .appended(let seq), .alreadyAppended(let seq): seq
    case .conflict, .withheld: nil
    }
  }
}

/// How long an append may wait for the medium.
public enum Durability: Sendable, Hashable {
  /// On the medium before the call returns: what a user did, what a server answered to a change.
  case authored

  /// In order, but with the next sync: a read began, a copy landed.
  ///
  /// Losing it costs a read.
  case lazy
}

/// What an append rests on.
///
/// It is compared in the transaction that appends.
public enum AppendGuard: Sendable, Hashable {
  /// The journal ends at this entry (0: it is empty).
  case head(Seq)

  /// The last fence of the store is this entry.
  case fence(store: Seq, last: Seq)

  /// The last begin or write of the path in the store is this entry.
  case path(store: Seq, path: Path, last: Seq?)
}
