// What is said of the stores beside the shelf, of lists, and of replay.
extension FindingCode.Explanation {
  static let listIncomplete = Self(
    name: "list-incomplete",
    exit: 5,
    cause:
      "A list became a copy before its last page, or of pages of two tickets, or with a row twice.",
    remedy: "Read the list again. The previous whole copy is still in the journal."
  )

  static let copyingWrote = Self(
    name: "copying-wrote",
    exit: 5,
    cause: "The copying half of a sync pass asked a server for more than copies.",
    remedy: "`log` shows the request. Mend the app before that pass is made again."
  )

  static let retiredUnanswered = Self(
    name: "retired-unanswered",
    exit: 5,
    cause: "Something left the outbox without an answer that was read, or a person.",
    remedy: "Its content is still in the journal: `show` its key, and enqueue it again under "
      + "the same key."
  )

  static let retiredBeforeCopies = Self(
    name: "retired-before-copies",
    exit: 5,
    cause:
      "Something left the outbox before the server's record and every file stood on the shelf.",
    remedy: "Read the record again. Nothing that was authored is lost."
  )

  static let sentOutOfTurn = Self(
    name: "sent-out-of-turn",
    exit: 5,
    cause:
      "Something was sent while an attempt of it was open, or before what comes first in its lane.",
    remedy: "Look for two passes at once, and check the order on the server."
  )

  static let outboxUnbalanced = Self(
    name: "outbox-unbalanced",
    exit: 5,
    cause: "Something came of an item of the outbox that has ended, or was never enqueued.",
    remedy: "`show` both entries. If a build of Tidemark wrote them, that build has a fault."
  )

  static let requestChanged = Self(
    name: "request-changed",
    exit: 5,
    cause: "An attempt carries another key or another content than the user's work has.",
    remedy: "Check on the server which of them took effect: it cannot tell that they are one."
  )

  static let guessedSettlement = Self(
    name: "guessed-settlement",
    exit: 5,
    cause: "An entry says what came of an attempt, and no attempt shows it.",
    remedy: "`why` the key. What nobody has answered is in doubt; send it again under the same key."
  )

  static let acknowledgementUndone = Self(
    name: "acknowledgement-undone",
    exit: 5,
    cause: "What the server has was parked, or let go again, instead of being finished.",
    remedy: "Read what it is about again; its answer is in the journal."
  )

  static let sentElsewhere = Self(
    name: "sent-elsewhere",
    exit: 5,
    cause: "What was authored for one server and account went to another.",
    remedy: "Look for a switch of accounts under a running pass, and check the other server."
  )

  static let pinsOverreached = Self(
    name: "pins-overreached",
    exit: 5,
    cause:
      "A removal names what no list showed, or a request or an answer one that is not under way.",
    remedy: "The removal stays queued. Compare request and answer in `log`."
  )

  static let repinRemoved = Self(
    name: "repin-removed",
    exit: 5,
    isNote: true,
    cause:
      "A removal without a version was sent again, and may have taken a pin that was added since.",
    remedy: "A limit of servers that send no versions. Add the pin again if it is gone."
  )

  static let pinsOverlapped = Self(
    name: "pins-overlapped",
    exit: 5,
    cause: "A request of a list began while another was under way.",
    remedy: "Look for two passes at once; the later list may be the older one."
  )

  static let pinsPartial = Self(
    name: "pins-partial",
    exit: 5,
    cause: "A list was taken that is not whole, or has a pin without an id of its own.",
    remedy: "Ask for the list again. The removals stay queued."
  )

  static let removedUnshown = Self(
    name: "removed-unshown",
    exit: 5,
    cause:
      "A pin was taken off that was off already: it was shown although it should not have been.",
    remedy: "Look at what the screen is made of: the list without what was taken off."
  )

  static let syncedUnreadable = Self(
    name: "synced-unreadable",
    exit: 5,
    cause: "A list that could not be read was synchronised before a person decided.",
    remedy: "`log` the store from there on, and compare the list with the server's."
  )

  static let otherVersion = Self(
    name: "other-version",
    exit: 5,
    cause: "A removal names another version than the list showed.",
    remedy: "The server may have taken a pin that nobody saw. Add it again if it is gone."
  )

  static let projectionDiffers = Self(
    name: "projection-differs",
    exit: 6,
    cause: "Replay gives another state, or another digest, than a checkpoint or the live "
      + "projection holds.",
    remedy: "`tidemark rebuild` shows which differ; `--swap` puts what replay gives in their place."
  )
}
