/// What a judge can find.
///
/// A code is a promise to scripts: it never changes its meaning.
///
/// `docs/FINDINGS.md` lists the same; a test compares the two.
public enum FindingCode: String, Sendable, Hashable, CaseIterable {
  case noSuchJournal = "J001"
  case notAJournal = "J002"
  case newerFormat = "J003"
  case busy = "J004"
  case containerDamaged = "J005"
  case storageRefused = "J006"
  case tailLost = "J007"
  case otherAnchor = "J008"

  case tornTail = "J101"
  case blockDamaged = "J102"
  case seqGap = "J103"
  case entryMalformed = "J104"
  case rootDiffers = "J105"
  case bodyDiffers = "J106"
  case keyRepeated = "J107"
  case pointerWrong = "J108"

  case lateLanding = "J201"
  case supersededLanding = "J202"
  case retiredLanding = "J203"
  case revisionFell = "J204"
  case ticketUnbalanced = "J205"
  case witnessWrong = "J206"
  case listIncomplete = "J207"
  case copyingWrote = "J208"
  case lateAnswer = "J209"
  case answerSplit = "J210"

  case retiredUnanswered = "J301"
  case retiredBeforeCopies = "J302"
  case sentOutOfTurn = "J303"
  case outboxUnbalanced = "J305"
  case requestChanged = "J306"
  case guessedSettlement = "J307"
  case acknowledgementUndone = "J308"
  case sentElsewhere = "J309"
  case pinsOverreached = "J401"
  case repinRemoved = "J402"
  case pinsOverlapped = "J404"
  case pinsPartial = "J405"
  case removedUnshown = "J406"
  case syncedUnreadable = "J407"
  case otherVersion = "J408"
  case projectionDiffers = "J601"
  case kindUnknown = "J604"

  case keyConflict = "J701"
  case inputMalformed = "J702"
  case bundleIncomplete = "J703"
  case streamDiverged = "J704"

  /// The name that stands beside the code.
  public var name: String { explanation.name }

  /// The exit status of a tool that finds this.
  public var exitStatus: Int32 { explanation.exit }

  /// Whether it is only a note: printed, without an exit status of its own unless asked for.
  public var isNote: Bool { explanation.isNote }

  /// What happened, in one sentence.
  public var cause: String { explanation.cause }

  /// What to do next.
  public var remedy: String { explanation.remedy }
}
