import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkSQLite

/// What is written entry by entry is what the whole state gives.
///
/// What is not whole is never taken for a state. `SEED` repeats a run.
@Suite struct RowTests {
  private typealias Rows = [RowKey: [UInt8]]

  private func rows(_ part: StatePart, _ states: States) -> Rows {
    var rows: Rows = [:]
    for key in part.rowKeys(states) { rows[key] = part.row(states, key) }
    return rows
  }

  @Test func `rows written as they change are those of the whole state, at every entry`() throws {
    let seed = testSeed()
    for run in 0..<8 {
      let stage = try RandomStores(seed: seed &+ UInt64(run))
      try stage.play(steps: 250)
      var states = States()
      var kept = ProjectionCatalogue.parts.map { _ in Rows() }
      for entry in try stage.live.finish().allEntries() {
        let keys = ProjectionCatalogue.parts.map { $0.changedKeys(states, entry) }
        _ = states.evolve(by: entry)
        for (index, part) in ProjectionCatalogue.parts.enumerated() {
          for key in keys[index] { kept[index][key] = part.row(states, key) }
          try #require(
            kept[index] == rows(part, states),
            "run \(run): \(part.name) after \(entry.kindName) at \(entry.seq)"
          )
        }
      }
    }
  }

  @Test func `a state that is read from its rows has the same digest, and goes on the same`() throws
  {
    let seed = testSeed()
    for run in 0..<20 {
      let stage = try RandomStores(seed: seed &+ UInt64(run))
      try stage.play(steps: 250)
      let entries = try stage.live.finish().allEntries()
      var states = States()
      for entry in entries.prefix(entries.count / 2) { _ = states.evolve(by: entry) }
      var read = States()
      for part in ProjectionCatalogue.parts {
        let sorted = rows(part, states).sorted {
          $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
        }.map { (key: $0.key, value: $0.value) }
        try part.load(&read, sorted)
        #expect(part.digest(read) == part.digest(states), "run \(run): \(part.name)")
      }
      for entry in entries.dropFirst(entries.count / 2) { _ = read.evolve(by: entry) }
      for part in ProjectionCatalogue.parts {
        #expect(part.digest(read) == part.digest(stage.live.states), "run \(run): \(part.name)")
      }
    }
  }

  // MARK: On disk

  /// A projections file as an app leaves it, closed.
  private func saved(seed: UInt64) throws -> (
    stage: LiveStates, reader: JournalReader, path: String
  ) {
    let stage = try RandomStores(seed: seed)
    try stage.play(steps: 120)
    let reader = try stage.live.finish()
    let path = ProjectionsFile.path(for: stage.live.place.path)
    do {
      let file = try ProjectionsFile(path, of: reader.identity.journal)
      let leaf = try reader.entry(at: reader.last).map { Tree.leaf(of: $0) }
      try file.save(
        stage.live.states,
        stage.live.changed,
        .init(position: reader.last, leaf: leaf)
      )
    }
    try Database(path: path, access: .write(creating: false)).execute(
      "PRAGMA journal_mode = DELETE"
    )
    return (stage.live, reader, path)
  }

  /// What opening makes of the file: the states, and how many of them were made anew.
  private func opened(
    _ path: String,
    _ reader: JournalReader
  ) throws -> (states: States, rebuilt: Int) {
    let file = try ProjectionsFile(path, of: reader.identity.journal)
    var catching = try CatchingUp(file, reader)
    _ = try catching.run(reader)
    return (catching.states, catching.rebuilt.count)
  }

  private func expectRight(_ states: States, _ live: LiveStates, _ what: String) {
    for part in ProjectionCatalogue.parts {
      #expect(part.digest(states) == part.digest(live.states), "\(part.name): \(what)")
    }
  }

  @Test func `what was saved as it changed is loaded whole`() throws {
    let (live, reader, path) = try saved(seed: testSeed())
    let (states, rebuilt) = try opened(path, reader)
    #expect(rebuilt == 0)
    expectRight(states, live, "untouched")
  }

  @Test func `a flipped byte never gives another state`() throws {
    let seed = testSeed()
    let (live, reader, path) = try saved(seed: seed)
    let whole = try TemporaryFile.bytes(at: path)
    var chance = SeededGenerator(seed: seed)
    let count = isThorough ? 2000 : 150
    var rebuilt = 0
    for _ in 0..<count {
      var bytes = whole
      let place = Int.random(in: 0..<bytes.count, using: &chance)
      bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &chance))
      Files.removeDatabase(path)
      try TemporaryFile.write(bytes, at: path)
      let (states, again) = try opened(path, reader)
      rebuilt += again
      expectRight(states, live, "byte \(place)")
    }
    #expect(rebuilt > 0)
  }

  @Test func `a file that was cut anywhere is made anew`() throws {
    let seed = testSeed()
    let (live, reader, path) = try saved(seed: seed)
    let whole = try TemporaryFile.bytes(at: path)
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<(isThorough ? 500 : 60) {
      let length = Int.random(in: 0..<whole.count, using: &chance)
      Files.removeDatabase(path)
      try TemporaryFile.write(Array(whole.prefix(length)), at: path)
      expectRight(try opened(path, reader).states, live, "cut to \(length)")
    }
  }

  @Test func `what another version made is made anew, and nothing of it is left`() throws {
    let (live, reader, path) = try saved(seed: 5)
    try Database(path: path, access: .write(creating: false)).execute(
      """
      UPDATE projections SET version = 99 WHERE name = 'outbox';
      INSERT INTO rows SELECT projection, CAST(key || X'00' AS BLOB), value, 1 FROM rows
      WHERE projection = 'outbox' LIMIT 1
      """
    )
    let (states, rebuilt) = try opened(path, reader)
    #expect(rebuilt == 1)
    expectRight(states, live, "made anew")
    let again = try opened(path, reader)
    #expect(again.rebuilt == 0)
    expectRight(again.states, live, "opened again")
  }

  @Test func `what is written whole leaves nothing of what was there`() throws {
    let (live, reader, path) = try saved(seed: 5)
    let file = try ProjectionsFile(path, of: reader.identity.journal)
    try file.saveAll(live.states, .init(position: reader.last, leaf: nil))
    try file.saveAll(States(), .init())
    var states = live.states
    for part in ProjectionCatalogue.parts {
      #expect(file.load(part, into: &states) == .whole(.init()))
      #expect(part.digest(states) == part.digest(States()), "\(part.name)")
    }
  }

  @Test func `a row that is gone, strange or from elsewhere is damage`() throws {
    for sql in [
      """
      DELETE FROM rows WHERE projection = 'shelf'
      AND key = (SELECT min(key) FROM rows WHERE projection = 'shelf')
      """,
      "UPDATE rows SET value = X'80' WHERE projection = 'outbox'",
      "UPDATE rows SET projection = 'inbox' WHERE projection = 'pins'",
      "UPDATE projections SET position = position - 1",
      "UPDATE projections SET sum = sum + 1",
      "UPDATE projections SET position = position + 5, leaf = NULL",
      """
      UPDATE rows SET value = (
        SELECT value FROM rows AS other
        WHERE other.projection = 'shelf' AND substr(other.key, 1, 1) = X'69'
        ORDER BY other.key DESC LIMIT 1
      )
      WHERE projection = 'shelf'
      AND key = (SELECT min(key) FROM rows WHERE projection = 'shelf' AND substr(key, 1, 1) = X'69')
      """,
      "PRAGMA application_id = 7", "UPDATE about SET journal = X'00'", "DROP TABLE rows",
      "ALTER TABLE rows RENAME COLUMN value TO other",
    ] {
      let (live, reader, path) = try saved(seed: 5)
      try Database(path: path, access: .write(creating: false)).execute(sql)
      let (states, rebuilt) = try opened(path, reader)
      #expect(rebuilt > 0, "\(sql)")
      expectRight(states, live, sql)
    }
  }
}
