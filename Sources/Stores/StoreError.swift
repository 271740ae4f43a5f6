public import TidemarkEntries
public import TidemarkJournalStore

/// Why a store did not do what was asked.
///
/// Nothing was appended, and nothing was shown. ``advice`` says what to do.
public enum StoreError: Error, Sendable {
  /// The journal refused; its code says why.
  case journal(JournalError)

  /// A key stands for other content already, in the entry that is named.
  case keyReused(IdempotencyKey, prior: Seq)

  /// What was named is not there, or is settled.
  case unknown(String)

  /// The store is over: it was retired, or its scope was opened anew.
  case over(Scope)

  /// The work was authored under another server or account.
  case otherScope(Scope)

  /// Something earlier of the same lane is not settled.
  case notItsTurn(behind: IdempotencyKey)

  /// One attempt, or one pass, is under way already.
  case underWay

  /// It waits for a person, or for somebody to sign in.
  case waits

  /// The server has it already; only the copies are missing.
  case answered

  /// A part cannot be read and was kept as it is; nothing is synchronised from it.
  case unreadable(StoreUnreadable.Part)

  /// A value is beyond a limit, or malformed.
  case invalid(String)

  /// What the caller should do.
  public var advice: String {
    switch self {
    case .journal(let error): error.code.advice
    case .keyReused: "take a new key: what stands under this one is something else"
    case .unknown: "look again at what the store holds; nothing is lost"
    case .over: "open the scope again; what was in flight in the old store is refused"
    case .otherScope: "leave it: it waits until its own server and account are open"
    case .notItsTurn: "send what is before it first, or let a person decide on that"
    case .underWay: "wait for what is under way to end"
    case .waits: "let a person retry or discard it, or say that somebody has signed in"
    case .answered: "finish it with the copies of its answer; do not send it again"
    case .unreadable: "tell the user; restoring it is a person's decision"
    case .invalid: "correct the value"
    }
  }
}

extension JournalError.Code {
  fileprivate var advice: String {
    switch self {
    case .missing: "check the path"
    case .foreign: "leave the file alone; it is something else"
    case .newer: "use the newer build that wrote it; nothing was written"
    case .busy:
      "use the stores that this process has; another process tries again, or writes to the inbox"
    case .damaged: "stop appending; `tidemark verify` names the place, and what is there is kept"
    case .storage: "the device refused: tell the user, and keep the screen as it is"
    case .invalid: "correct what was to be appended"
    case .stale: "decide again on what is there now"
    case .stopped: "go on later: what was done so far is kept"
    }
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String { "\(message); \(advice)" }

  private var message: String {
    switch self {
    case .journal(let error): error.description
    case .keyReused(let key, let prior): "the key \(key) is that of entry \(prior)"
    case .unknown(let what): what
    case .over(let scope): "the store of \(scope) is over"
    case .otherScope(let scope): "it belongs to \(scope)"
    case .notItsTurn(let key): "\(key) comes before it in its lane"
    case .underWay: "one is under way already"
    case .waits: "it waits for a person"
    case .answered: "it was answered"
    case .unreadable(let part): "the \(part.rawValue) cannot be read"
    case .invalid(let what): what
    }
  }
}
