import Testing

/// A story whose bad end the judge sees in the journal, and the code by which it tells.
struct Judged: Sendable, CustomTestStringConvertible {
  let id: String
  let code: String

  var testDescription: String { "\(id): \(code)" }

  static let stories = [
    Judged(id: "late-list", code: "J201"),
    Judged(id: "two-pulls-of-one-screen", code: "J202"),
    Judged(id: "there-and-back", code: "J203"),
    Judged(id: "lagging-replica", code: "J204"),
    Judged(id: "two-taps-answered-in-reverse", code: "J204"),
    Judged(id: "room-for-the-answer", code: "J302"),
    Judged(id: "newer-edit-first", code: "J303"),
    Judged(id: "two-at-once", code: "J303"),
    Judged(id: "same-thing-again", code: "J107"),
  ]
}
