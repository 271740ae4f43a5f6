import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkSQLite

/// What `info` tells of the projections that an app keeps beside its journal.
@Suite struct FoundProjectionTests {
  /// A journal whose projections go up to its end, or end an entry before it.
  private func device(isBehind: Bool = false) throws -> (LiveStates, JournalReader, String) {
    let stage = try RandomStores(seed: 23)
    try stage.play(steps: 60)
    let reader = try stage.live.finish()
    let path = ProjectionsFile.path(for: stage.live.place.path)
    let file = try ProjectionsFile(path, of: reader.identity.journal)
    var catching = try CatchingUp(file, reader)
    #expect(try catching.run(reader))
    if isBehind {
      let position = Seq(reader.last.value - 1)
      let leaf = try reader.entry(at: position).map { Tree.leaf(of: $0) }
      try file.save(catching.states, ChangedRows(), .init(position: position, leaf: leaf))
    }
    return (stage.live, reader, path)
  }

  private func found(
    _ live: LiveStates,
    _ reader: JournalReader,
    withRows: Bool = true
  ) throws -> [FoundProjection] {
    try FoundProjection.all(beside: live.place.path, reader, withRows: withRows)
  }

  @Test func `what is whole goes up to an entry, and may be behind`() throws {
    for isBehind in [false, true] {
      let (live, reader, path) = try device(isBehind: isBehind)
      let before = try TemporaryFile.bytes(at: path)
      for withRows in [true, false] {
        let all = try found(live, reader, withRows: withRows)
        #expect(all.map(\.name) == ["shelf", "outbox", "pins", "inbox"])
        #expect(all.map(\.version) == ProjectionCatalogue.parts.map(\.version))
        let position = isBehind ? reader.last.value - 1 : reader.last.value
        #expect(all.allSatisfy { $0.position?.value == position })
      }
      #expect(try TemporaryFile.bytes(at: path) == before)
    }
  }

  @Test func `what is missing, of another version or damaged is told apart`() throws {
    let (live, reader, path) = try device()
    try Database(path: path, access: .write(creating: false)).execute(
      """
      DELETE FROM projections WHERE name = 'pins';
      UPDATE projections SET version = 999 WHERE name = 'inbox';
      UPDATE projections SET position = position + 1000 WHERE name = 'outbox';
      UPDATE projections SET sum = sum + 1 WHERE name = 'shelf'
      """
    )
    let all = try found(live, reader)
    #expect(all[0].loaded == .damaged("the rows are not all that were written"))
    #expect(all[1].loaded == .damaged("it is of another history of the journal"))
    #expect(all[2].loaded == .missing)
    #expect(all[3].loaded == .outdated)
    #expect(all[3].version == 999)
    #expect(all.allSatisfy { $0.position == nil })
    // Without its rows nobody knows.
    #expect(try found(live, reader, withRows: false)[0].position == reader.last)
  }

  @Test func `a file that is not there is missing, one that is no database is damaged`() throws {
    let (live, reader, path) = try device()
    Files.removeDatabase(path)
    #expect(try found(live, reader).allSatisfy { $0.loaded == .missing })
    #expect(!Files.isThere(path))
    try TemporaryFile.write(Array(repeating: 65, count: 600), at: path)
    #expect(try found(live, reader).allSatisfy { $0.loaded != .missing && $0.position == nil })
  }
}
