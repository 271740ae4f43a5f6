/// A rule of the stores, by the name that scenarios give it.
///
/// Rules are always on. A debug build can switch one off for as long as a test runs, so that each
/// is seen to matter: without it, the state that somebody once complained of comes back.
// Usable from inline, or other modules would call `isOn` in a release build.
@usableFromInline
package enum StoreRule: String, Sendable, Hashable, CaseIterable {
  case blobOwned = "blob.owned"
  case clearKeepsOutbox = "clear.keepsOutbox"
  case compactExcludeSelf = "compact.excludeSelf"
  case copySnapshot = "copy.snapshot"
  case diskBeforeScreen = "disk.beforeScreen"
  case durableAuthored = "durable.authored"
  case entryUpcast = "entry.upcast"
  case fenceGeneration = "fence.generation"
  case fenceNoJoin = "fence.noJoin"
  case fenceRetired = "fence.retired"
  case fenceRevision = "fence.rev"
  case fenceSuperseded = "fence.superseded"
  case journalKeyHash = "journal.keyHash"
  case journalMiddle = "journal.middle"
  case journalTail = "journal.tail"
  case keyBytes = "key.bytes"
  case keyCanonical = "key.canonical"
  case mutateRevision = "mutate.rev"
  case openWaits = "open.waits"
  case outboxAuthKeeps = "outbox.authKeeps"
  case outboxCopyBeforeRetire = "outbox.copyBeforeRetire"
  case outboxDuplicateIsAck = "outbox.duplicateIsAck"
  case outboxExpiry = "outbox.expiry"
  case outboxFifo = "outbox.fifo"
  case outboxInDoubt = "outbox.inDoubt"
  case outboxInFlightLock = "outbox.inFlightLock"
  case outboxJournalFirst = "outbox.journalFirst"
  case outboxKey = "outbox.key"
  case outboxLaneIsolation = "outbox.laneIsolation"
  case outboxLocalFailure = "outbox.localFailure"
  case outboxPark = "outbox.park"
  case outboxRetryTimer = "outbox.retryTimer"
  case outboxScope = "outbox.scope"
  case outboxTransientKeeps = "outbox.transientKeeps"
  case pageBytes = "page.bytes"
  case pagesComplete = "pages.complete"
  case projectionGapless = "projection.gapless"
  case rebuildFromJournal = "rebuild.fromJournal"
  case replayIdempotent = "replay.idempotent"
  case replayRecordedTime = "replay.recordedTime"
  case replicaAckSent = "replica.ackSent"
  case replicaPerID = "replica.perId"
  case replicaSerial = "replica.serial"
  case replicaUnreadable = "replica.unreadable"
  case replicaValidate = "replica.validate"
  case restoreDevice = "restore.device"
  case retryBounded = "retry.bounded"
  case scopeServer = "scope.server"
  case textScalars = "text.scalars"

  #if DEBUG
    /// The rules that are off in this task and those that it starts.
    @TaskLocal package static var off: Set<StoreRule> = []

    /// Whether the rule holds.
    package var isOn: Bool { !StoreRule.off.contains(self) }
  #else
    /// Whether the rule holds: in a release build it always does, and nothing of the rest is left.
    @inlinable @inline(__always)
    package var isOn: Bool { true }
  #endif
}
