package import TidemarkEntries
package import TidemarkJournalStore
internal import TidemarkProjections

/// Compares what replay gives with the digests that the checkpoints of a journal hold: F8.
///
/// This asks whether this build makes the same of the entries, so it runs the projections; the
/// checks, which judge what was decided, do not. It ends where entries cannot be read.
package struct CheckpointReplay: Sendable {
  /// How many checkpoints were met, and how many of their digests were compared.
  package private(set) var checkpoints: UInt64 = 0
  package private(set) var digests: UInt64 = 0

  /// How many digests are of projections, or versions of them, that this build does not have.
  package private(set) var others: UInt64 = 0

  /// The last entry that was replayed.
  package private(set) var position = Seq(0)
  package private(set) var findings: [Finding] = []

  /// - Complexity: O(*n*) in the entries, and O(*r* log *r*) in the rows of the states at each
  ///   checkpoint.
  package static func run(
    _ reader: JournalReader,
    progress: (UInt64) -> Void = { _ in }
  ) throws(JournalError) -> CheckpointReplay {
    var replay = CheckpointReplay()
    var states = States()
    let damage = try reader.forEachUntilDamage(from: Seq(1)) { (entry) throws(JournalError) in
      if let checkpointed = entry.decoded(Checkpointed.self) {
        replay.compare(checkpointed, at: entry.seq, states)
      }
      for (name, error) in states.evolve(by: entry) {
        replay.findings.append(
          Finding(.entryMalformed, "\(name): \(error.message)", at: entry.seq)
        )
      }
      replay.position = entry.seq
      progress(entry.seq.value)
      return true
    }
    replay.findings += damage
    return replay
  }

  private mutating func compare(_ checkpointed: Checkpointed, at seq: Seq, _ states: States) {
    checkpoints += 1
    for state in checkpointed.states {
      guard let part = ProjectionCatalogue.parts.first(where: { $0.name == state.name }),
        UInt64(part.version) == state.version
      else {
        others += 1
        continue
      }
      digests += 1
      let digest = part.digest(states)
      guard digest != state.digest else { continue }
      findings.append(
        Finding(
          .projectionDiffers,
          "the checkpoint holds another digest of the \(part.name) than replay gives",
          at: seq,
          expected: digest.description,
          actual: state.digest.description
        )
      )
    }
  }
}
