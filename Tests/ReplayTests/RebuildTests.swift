import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkReplay
import TidemarkSQLite

/// Projections made anew beside the live ones.
@Suite final class RebuildTests {
  /// The journals of the test, whose folders go with them.
  private var kept: [LiveStates] = []

  /// A journal with random stories, and its projections file as an app leaves it.
  private func device() throws -> (live: LiveStates, reader: JournalReader, paths: Rebuild.Paths) {
    let stage = try RandomStores(seed: 11)
    try stage.play(steps: 200)
    kept.append(stage.live)
    let reader = try stage.live.finish()
    let paths = Rebuild.Paths(of: stage.live.place.path)
    let file = try ProjectionsFile(paths.live, of: reader.identity.journal)
    var catching = try CatchingUp(file, reader)
    #expect(try catching.run(reader))
    return (stage.live, reader, paths)
  }

  private func tamper(_ paths: Rebuild.Paths, _ sql: String) throws {
    try Database(path: paths.live, access: .write(creating: false)).execute(sql)
  }

  @Test func `what is as replay gives it is the same, and the journal is not touched`() throws {
    let (live, reader, paths) = try device()
    let before = try live.place.bytes()
    let rebuild = try Rebuild.make(reader, paths, keeping: true)
    #expect(rebuild.isSame)
    #expect(rebuild.findings == [])
    #expect(rebuild.parts.map(\.name) == ["shelf", "outbox", "pins", "inbox"])
    #expect(rebuild.parts.allSatisfy { $0.position == reader.last })
    #expect(try live.place.bytes() == before)
  }

  @Test func `what differs, is damaged, missing or old is told apart, and swapping heals it`()
    throws
  {
    let (live, reader, paths) = try device()
    // The shelf is that of an earlier time, and says that it is not.
    let other = try LiveStates()
    try other.append([.opening()])
    var changed = ChangedRows.all(of: other.states)
    let file = try ProjectionsFile(paths.live, of: reader.identity.journal)
    try file.clear(ProjectionCatalogue.parts[0])
    let leaf = try reader.entry(at: reader.last).map { Tree.leaf(of: $0) }
    changed.formUnion(ChangedRows.all(of: live.states))
    var mixed = live.states
    mixed.shelf = other.states.shelf
    try file.save(mixed, changed, .init(position: reader.last, leaf: leaf))
    try tamper(
      paths,
      """
      UPDATE rows SET value = X'00' WHERE projection = 'outbox';
      DELETE FROM rows WHERE projection = 'pins'; DELETE FROM projections WHERE name = 'pins';
      UPDATE projections SET version = 99 WHERE name = 'inbox'
      """
    )
    let rebuild = try Rebuild.make(reader, paths, keeping: true)
    guard case .differs = rebuild.parts[0].live, case .damaged = rebuild.parts[1].live else {
      return #expect(Bool(false), "\(rebuild.parts.map(\.live))")
    }
    #expect(rebuild.parts[2].live == .missing)
    #expect(rebuild.parts[3].live == .outdated)
    #expect(rebuild.findings.map(\.code) == [.projectionDiffers, .projectionDiffers])
    try Rebuild.swap(paths)
    #expect(try Rebuild.make(reader, paths, keeping: false).isSame)
    #expect(Files.isThere(paths.old))
  }

  @Test func `a live file that is behind is folded on before it is compared`() throws {
    let (_, reader, paths) = try device()
    Files.removeDatabase(paths.live)
    let file = try ProjectionsFile(paths.live, of: reader.identity.journal)
    var states = States()
    let half = Seq(reader.last.value / 2)
    for entry in try reader.allEntries() where entry.seq <= half { _ = states.evolve(by: entry) }
    let leaf = try reader.entry(at: half).map { Tree.leaf(of: $0) }
    try file.save(states, .all(of: states), .init(position: half, leaf: leaf))
    #expect(try Rebuild.make(reader, paths, keeping: false).isSame)
  }

  @Test func `a file of another journal, and none, are told`() throws {
    let (_, reader, paths) = try device()
    Files.removeDatabase(paths.live)
    _ = try ProjectionsFile(paths.live, of: [1, 2, 3])
    let strange = try Rebuild.make(reader, paths, keeping: false)
    #expect(strange.findings.count == 4)
    #expect(Files.isThere(paths.live), "nothing of it is removed")
    Files.removeDatabase(paths.live)
    let missing = try Rebuild.make(reader, paths, keeping: false)
    #expect(missing.parts.allSatisfy { $0.live == .missing })
    #expect(missing.findings == [])
    #expect(!Files.isThere(paths.new))
  }

  @Test func `what is interrupted goes on, and gives the same`() throws {
    let (_, reader, paths) = try device()
    let digests = try Rebuild.make(reader, paths, keeping: false).parts.map(\.digest)
    var looks = 0
    reader.isStopped = {
      looks += 1
      return looks > 5
    }
    #expect(throws: JournalError.self) { try Rebuild.make(reader, paths, keeping: true) }
    reader.isStopped = { false }
    #expect(try Rebuild.make(reader, paths, keeping: true).parts.map(\.digest) == digests)
  }

  @Test func `a writer keeps others out, and so does a lock`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    #expect { try WriterLock(of: place.path) } throws: { ($0 as? JournalError)?.code == .busy }
    try journal.close()
    let lock = try WriterLock(of: place.path)
    #expect { try place.open() } throws: { ($0 as? JournalError)?.code == .busy }
    withExtendedLifetime(lock) {}
  }
}
