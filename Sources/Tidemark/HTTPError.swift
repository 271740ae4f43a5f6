internal import TidemarkEntries

/// Why no answer could be used; ``advice`` says what to do.
public enum HTTPError: Error, Sendable, Hashable {
  /// There is no way to the server, and nothing was sent.
  case unreachable(String)

  /// No answer came in time.
  case timeout

  /// The answer broke off, or what carried it did.
  case cut(String)

  /// The answer is longer than so many bytes.
  case oversized(bytesMax: Int)

  /// Somebody else answered, or the server sends to somebody else.
  case foreign(String)

  /// The server says no, with a status.
  case status(UInt64, retryAfter: Int64?)

  /// No request can be made of it.
  case invalid(String)

  /// The task was cancelled.
  case cancelled

  /// What the caller should do.
  public var advice: String {
    switch self {
    case .unreachable: "show the copy with the time it was saved; try again when there is a network"
    case .timeout, .cut: "show the copy; try again later"
    case .oversized: "ask for less, such as smaller pages, or allow more in the options"
    case .foreign: "check the address, or sign in to the network that is in between"
    case .status(401, _), .status(403, _): "let somebody sign in"
    case .status(404, _), .status(410, _): "it is not there: show that, or look again later"
    case .status(let status, _) where status == 429 || status >= 500: "try again later"
    case .status: "correct the request"
    case .invalid: "correct the path"
    case .cancelled: "nothing; it was asked for"
    }
  }

  /// What it says of work that was to be sent.
  var doubt: OutboxInDoubt.Reason {
    switch self {
    case .unreachable, .invalid: .unreachable
    case .timeout: .timeout
    case .oversized: .oversized
    case .foreign: .foreign
    case .cut, .cancelled, .status: .cut
    }
  }
}

extension HTTPError: CustomStringConvertible {
  public var description: String { "\(message); \(advice)" }

  private var message: String {
    switch self {
    case .unreachable(let why): "the server cannot be reached: \(why)"
    case .timeout: "no answer came in time"
    case .cut(let why): "the answer broke off: \(why)"
    case .oversized(let bytesMax): "the answer has more than \(bytesMax) bytes"
    case .foreign(let address): "it is no answer of this server: \(address)"
    case .status(let status, _): "the server answers \(status)"
    case .invalid(let what): what
    case .cancelled: "it was cancelled"
    }
  }
}
