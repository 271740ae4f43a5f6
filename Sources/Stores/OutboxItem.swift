public import TidemarkEntries
internal import TidemarkProjections

/// Something that a user did and no server has confirmed.
public struct OutboxItem: Sendable {
  /// How it stands.
  public enum Standing: Sendable, Hashable {
    /// It waits for its turn, or its time.
    case pending

    /// An attempt is under way.
    case inFlight

    /// An attempt ended without an answer: the server may have it. It is sent again, under its key.
    case inDoubt

    /// The server has it; its copies are still to be written.
    case answered

    /// The server wants somebody to sign in.
    case held

    /// A person must decide.
    case parked(OutboxParked.Reason)
  }

  /// Its name for good, here and for the server.
  public let key: IdempotencyKey

  /// The entry that it came by.
  public let seq: Seq

  /// The server and account that it was authored under.
  public let scope: Scope

  /// The method of its request, such as `POST`.
  public let method: String

  /// Where its own copy will stand.
  public let path: Path

  /// What it keeps its order with.
  public let lane: String

  /// A word for people.
  public let label: String?

  /// An address of something elsewhere.
  public let link: String?

  /// The share that it came in by.
  public let share: String?

  /// When the user did it.
  public let authored: DeviceTime

  /// Until when it is worth sending, if its author said so; nothing goes by it but people.
  public let expires: DeviceTime?

  /// How it stands.
  public let standing: Standing

  /// How many attempts were made.
  public let attempts: UInt64

  /// Before this time no attempt is made by itself.
  public let retryAt: DeviceTime?

  /// Since when nobody knows whether the server has it.
  public let doubtSince: DeviceTime?

  /// The content of the request.
  public let body: BodyReference?

  /// The files that go along.
  public let files: [AttachedFile]

  /// What the server answered, if it has it.
  public let answer: BodyReference?

  /// The key that the attempt under way carries: always ``key``.
  package let requestKey: IdempotencyKey

  /// The status of that answer; 0 if there is none.
  let status: UInt64

  init(_ seq: Seq, _ item: OutboxState.Item, requestKey: IdempotencyKey? = nil) {
    self.seq = seq
    key = item.key
    self.requestKey = requestKey ?? item.key
    scope = item.scope
    method = item.method
    path = item.path
    lane = item.lane
    label = item.label
    link = item.link
    share = item.share
    authored = item.authored
    expires = item.expires
    standing = Standing(item.standing)
    attempts = item.attempts
    retryAt = item.retryAt
    doubtSince = item.doubtSince
    body = item.body
    files = item.files
    answer = item.answer?.body
    status = item.answer?.status ?? 0
  }
}

extension OutboxItem.Standing {
  init(_ standing: OutboxState.Standing) {
    self =
      switch standing {
      case .pending: .pending
      case .inFlight: .inFlight
      case .inDoubt: .inDoubt
      case .answered: .answered
      case .held: .held
      case .parked(let reason): .parked(reason)
      }
  }
}
