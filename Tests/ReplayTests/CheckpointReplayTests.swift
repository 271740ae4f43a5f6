import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkReplay

/// Checkpoints against what replay gives.
@Suite struct CheckpointReplayTests {
  @Test func `a checkpoint that holds another digest is found, and the first of two tells where`()
    throws
  {
    let live = try LiveStates()
    try live.append([.opening()])
    try live.checkpoint()
    try live.append([.begin(key: "b", store: 1)])
    let wrong = ProjectionState(name: "shelf", version: 2, digest: Digest(words: (1, 2, 3, 4)))
    let strange = ProjectionState(name: "tides", version: 1, digest: wrong.digest)
    try live.append([
      Draft(
        Checkpointed(states: [wrong, strange]),
        key: live.key(),
        store: .journal,
        time: live.now
      )
    ])
    let replay = try CheckpointReplay.run(try live.finish())
    #expect(replay.checkpoints == 2)
    #expect(replay.digests == 5)
    #expect(replay.others == 1)
    #expect(replay.findings.map(\.code) == [.projectionDiffers])
    #expect(replay.findings.first?.seq == Seq(4))
    #expect(replay.findings.first?.actual == wrong.digest.description)
  }
}
