extension FindingCode {
  /// What `tidemark explain` prints of a code.
  struct Explanation {
    var name: String
    var exit: Int32
    var isNote = false
    var cause: String
    var remedy: String
  }

  // One line a code; the groups say the layer: J0 container, J1 bytes and tree, J2 shelf,
  // J3 outbox, J4 pins, J6 replay, J7 import and export.
  var explanation: Explanation {
    switch self {
    case .noSuchJournal:
      Explanation(
        name: "no-such-journal",
        exit: 10,
        cause: "There is nothing at this path.",
        remedy: "Check the path, or what $TIDEMARK_JOURNAL names."
      )
    case .notAJournal:
      Explanation(
        name: "not-a-journal",
        exit: 10,
        cause: "The file is no SQLite file, or it belongs to another application.",
        remedy: "If it is a HAR capture or JSON Lines, `tidemark import` makes a journal of it."
      )
    case .newerFormat:
      Explanation(
        name: "newer-format",
        exit: 12,
        cause: "The file needs a format version or a codec that this build does not have.",
        remedy: "Use a newer build. Nothing was written."
      )
    case .busy:
      Explanation(
        name: "busy",
        exit: 11,
        cause: "Another writer has the journal, or could have it under another name.",
        remedy:
          "Wait, close the app, or use a verb that only reads. Of several hard links keep one."
      )
    case .containerDamaged:
      Explanation(
        name: "container-damaged",
        exit: 4,
        cause: "SQLite finds the file malformed, or its tables are not those of the format.",
        remedy:
          "Copy the file and those beside it first. Nothing is appended to it; what can still be "
          + "read is shown."
      )
    case .storageRefused:
      Explanation(
        name: "storage-refused",
        exit: 1,
        cause: "The device is full, or failed, or may not be written. Nothing was appended.",
        remedy:
          "Make room, or mend the permissions; then do it again: the same keys add nothing twice."
      )
    case .tailLost:
      Explanation(
        name: "tail-lost",
        exit: 4,
        cause: "The anchor beside the journal names entries that the journal no longer has.",
        remedy: "Keep both files. Look for a newer copy of the journal and its -wal file."
      )
    case .otherAnchor:
      Explanation(
        name: "other-anchor",
        exit: 4,
        cause: "The anchor beside the journal belongs to another journal, or to another history.",
        remedy: "Look which of the two was copied or restored alone; put its own anchor beside it."
      )
    case .tornTail:
      Explanation(
        name: "torn-tail",
        exit: 4,
        isNote: true,
        cause: "The last block does not unpack, nothing whole follows, and nobody was told of it.",
        remedy: "None is needed. The next writer sets the bytes aside and says so."
      )
    case .blockDamaged:
      Explanation(
        name: "block-damaged",
        exit: 4,
        cause: "A block does not unpack, exceeds a limit, or its checksum differs.",
        remedy: "Appending stops. Keep the file; what is whole can be read and exported."
      )
    case .seqGap:
      Explanation(
        name: "seq-gap",
        exit: 4,
        cause: "A seq is missing or comes twice.",
        remedy: "Look for a copy that was made while the journal was open, without its -wal file."
      )
    case .entryMalformed:
      Explanation(
        name: "entry-malformed",
        exit: 4,
        cause: "An entry is not deterministic CBOR, or its envelope or payload lacks a field.",
        remedy: "`show` it. If a build of Tidemark wrote it, that build has a fault."
      )
    case .rootDiffers:
      Explanation(
        name: "root-differs",
        exit: 4,
        cause: "The tree made from the entries differs from the one that is stored or anchored.",
        remedy: "Find the last place that agrees; what follows was changed after it was written."
      )
    case .bodyDiffers:
      Explanation(
        name: "body-differs",
        exit: 4,
        cause: "Content does not match the commitment in its entry, or is gone without a record: "
          + "perhaps the copy was exported without --bodies.",
        remedy: "A copy: read it again from the server. Authored: take it from an older copy."
      )
    case .keyRepeated:
      Explanation(
        name: "key-repeated",
        exit: 4,
        cause: "Two entries carry one idempotency key.",
        remedy: "Something other than Tidemark wrote to the file. `show` both."
      )
    case .pointerWrong:
      Explanation(
        name: "pointer-wrong",
        exit: 5,
        cause: "A back pointer of an entry is not what the entries before it say.",
        remedy: "`show` the entry. If a build of Tidemark wrote it, that build has a fault."
      )
    case .lateLanding:
      Explanation(
        name: "late-landing",
        exit: 5,
        cause: "A read landed although its store was fenced after it began.",
        remedy: "`why` the path, then read it again. The newer value is in the journal."
      )
    case .supersededLanding:
      Explanation(
        name: "superseded-landing",
        exit: 5,
        cause: "A read landed although a later read of its path had begun.",
        remedy: "`why` the path, then read it again: two flights of one path crossed."
      )
    case .retiredLanding:
      Explanation(
        name: "retired-landing",
        exit: 5,
        cause: "A write landed after its store was retired, or in another store than it began in.",
        remedy: "Look for a reply that outlived a change of server or a sign-out."
      )
    case .revisionFell:
      Explanation(
        name: "revision-fell",
        exit: 5,
        cause: "A copy replaced one of a higher revision.",
        remedy: "A replica or a cache lags. Send reads with no-store, and read again."
      )
    case .ticketUnbalanced:
      Explanation(
        name: "ticket-unbalanced",
        exit: 5,
        cause: "A ticket ended twice, or something ended that did not begin.",
        remedy: "`log` the path. Tickets left open by a crash are only counted."
      )
    case .witnessWrong:
      Explanation(
        name: "witness-wrong",
        exit: 5,
        cause: "A refusal names no witness, or one that does not make its ticket stale.",
        remedy: "The refusal was not needed, or the code that decided differs from this one."
      )
    case .listIncomplete: .listIncomplete
    case .copyingWrote: .copyingWrote
    case .lateAnswer:
      Explanation(
        name: "late-answer",
        exit: 5,
        cause: "The answer to a change wrote a path that was written since the change was sent.",
        remedy: "`why` the path, then read it again: two changes crossed."
      )
    case .answerSplit:
      Explanation(
        name: "answer-split",
        exit: 5,
        cause: "An answer to a change stands without the bump of the generation behind it.",
        remedy: "`show` the entry. If a build of Tidemark wrote it, that build has a fault."
      )
    case .retiredUnanswered: .retiredUnanswered
    case .retiredBeforeCopies: .retiredBeforeCopies
    case .sentOutOfTurn: .sentOutOfTurn
    case .outboxUnbalanced: .outboxUnbalanced
    case .requestChanged: .requestChanged
    case .guessedSettlement: .guessedSettlement
    case .acknowledgementUndone: .acknowledgementUndone
    case .sentElsewhere: .sentElsewhere
    case .pinsOverreached: .pinsOverreached
    case .repinRemoved: .repinRemoved
    case .pinsOverlapped: .pinsOverlapped
    case .pinsPartial: .pinsPartial
    case .removedUnshown: .removedUnshown
    case .syncedUnreadable: .syncedUnreadable
    case .otherVersion: .otherVersion
    case .projectionDiffers: .projectionDiffers
    case .kindUnknown:
      Explanation(
        name: "kind-unknown",
        exit: 3,
        cause: "An entry is of a kind that this build does not know. It is kept as it is.",
        remedy: "Use a newer build to judge it."
      )
    case .keyConflict:
      Explanation(
        name: "key-conflict",
        exit: 13,
        cause: "A key came with other content than it has. It was recorded, not written over.",
        remedy: "`show` the key to see which fields differ. The sender needs a new key."
      )
    case .inputMalformed:
      Explanation(
        name: "input-malformed",
        exit: 3,
        cause: "Part of the input does not parse, exceeds a limit, or nests too deep.",
        remedy: "Place and reason are listed; the rest was taken."
      )
    case .bundleIncomplete:
      Explanation(
        name: "bundle-incomplete",
        exit: 4,
        cause: "The input names what it does not hold, or its count or digest differs.",
        remedy: "Make it again: it was cut or edited on the way."
      )
    case .streamDiverged:
      Explanation(
        name: "stream-diverged",
        exit: 4,
        cause: "The input holds another history of this journal.",
        remedy: "Two writers share an identity: one was restored or cloned. `info` both."
      )
    }
  }
}
