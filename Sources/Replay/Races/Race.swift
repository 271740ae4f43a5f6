package import TidemarkEntries

/// A reply that came late: an app without a fence would have shown it over something newer.
package struct Race: Sendable {
  /// How sure it is that the late reply is older than what it would have replaced.
  package enum Degree: String, Sendable, CaseIterable {
    /// It contradicts what the change answered, or what a newer read brought.
    case certain

    /// It began before the change and may have missed it; the content does not tell.
    case possible

    /// It began before the change, but says the same, or knows the change already.
    case harmless

    /// It began before the change, but holds nothing of what was changed.
    case unrelated
  }

  /// What stood there when the late reply came.
  package enum Over: Sendable {
    /// A change whose answer was read.
    case change(Change)

    /// A read that began later and landed earlier.
    case read(begin: Seq, landed: Seq)

    /// Something that was written while a change was in flight, whose answer came last.
    case write(Seq, by: Writer)
  }

  /// What wrote over the copy while a change was in flight.
  package enum Writer: Sendable {
    /// The answer to another change.
    case change(Change)

    /// A read, with its begin.
    case read(begin: Seq)

    /// Something else, such as the end of the store.
    case other
  }

  /// A change that was answered.
  package struct Change: Sendable {
    package var sent: Seq
    package var answered: Seq
    package var method: String
    package var path: Path
    package var label: String?
    package var sentAt: DeviceTime
    package var answeredAt: DeviceTime
    package var status: UInt64
  }

  package var scope: Scope
  package var path: Path
  package var label: String?

  /// The begin of the late read, or the sending of the change whose answer came late.
  package var began: Seq
  package var beganAt: DeviceTime

  /// The entry that refused it.
  package var refused: Seq
  package var refusedAt: DeviceTime
  package var ticket: Ticket?
  package var over: Over
  package var degree: Degree

  /// Why it is that sure, in plain words.
  package var evidence: String

  /// Whether the fence kept the very content that came late.
  package var keepsSame = false

  /// The landing after which the path was right again, if one came.
  package var healed: (seq: Seq, at: DeviceTime)?

  /// The next reply of the path that was refused in its turn, if one came before it was right.
  package var overtaken: (seq: Seq, at: DeviceTime)?
}
