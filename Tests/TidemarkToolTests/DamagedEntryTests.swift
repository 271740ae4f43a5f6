import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

/// An entry that is lost is told as what it is: damage, and not an entry that never was.
@Suite struct DamagedEntryTests {
  @Test(arguments: [
    ("DELETE FROM blocks WHERE first_seq = 2", "J103"),
    ("UPDATE blocks SET entry_count = 1 WHERE first_seq = 2", "J102"),
    (
      "PRAGMA ignore_check_constraints = ON; UPDATE blocks SET entry_count=0 WHERE first_seq = 2",
      "J102"
    ),
    (
      "PRAGMA ignore_check_constraints = ON; UPDATE blocks SET entry_count=-3 WHERE first_seq = 2",
      "J102"
    ),
    ("UPDATE blocks SET entry_count = 400 WHERE first_seq = 2", "J102"),
  ])
  func `show tells why an entry cannot be shown`(sql: String, code: String) throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "a"), .begin(key: "b"), .begin(key: "c")])
    try journal.append([.begin(key: "d")])
    try journal.close()
    try place.tamper(sql)
    let shell = Shell(folder: place.folder.path)
    for word in ["2", "3", "4"] {
      let result = try shell.run("tidemark show test.tidemark \(word)")
      #expect(result.exit == 3, "\(word)")
      #expect(result.output == "", "\(word)")
      #expect(result.errors.contains(code) && result.errors.contains("seq 2"), "\(word)")
      #expect(!result.errors.contains("there is no entry"), "\(result.errors)")
      let why = try shell.run("tidemark why test.tidemark \(word)")
      #expect(why.exit == 3 && why.output == "", "\(word)")
    }
    let whole = try shell.run("tidemark show test.tidemark 5")
    #expect(whole.output.hasPrefix("entry") && !whole.errors.contains("there is no entry"))
    #expect(try shell.run("tidemark show test.tidemark 6").exit == 1)
  }

  /// A journal of three blocks, the last two of which are behind the index.
  private func journal() throws -> (TemporaryJournal, Shell) {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening()])
    try journal.append([.begin(key: "a"), .begin(key: "b")])
    try journal.append([.begin(key: "c")])
    try journal.close()
    return (place, Shell(folder: place.folder.path))
  }

  @Test(arguments: [
    ("flipped", "J102", "seq 2"), ("dropped", "J103", "seq 2"), ("tail", "J007", "seq 3"),
  ])
  func `a key that a lost entry may have had is not said to be of none`(
    how: String,
    code: String,
    seq: String
  ) throws {
    let (place, shell) = try journal()
    switch how {
    case "flipped": try place.flipBit(inEntry: 2)
    case "dropped": try place.dropBlock(ofEntry: 2)
    default: try place.dropBlock(ofEntry: 4)
    }
    for verb in ["show", "why"] {
      let result = try shell.run("tidemark \(verb) test.tidemark lost")
      #expect(result.output == "" && result.exit == (how == "tail" ? 4 : 3), "\(verb)")
      #expect(result.errors.contains("\(code) ") && result.errors.contains(seq))
      #expect(
        result.errors.contains("no entry that can be read has the key 'lost', and others are lost")
      )
      #expect(!result.errors.contains("no entry has the key"), "\(result.errors)")
    }
    // Those that can be read are found all the same.
    #expect(
      try shell.run("tidemark show test.tidemark \(try Draft.opening().key)").output.hasPrefix(
        "entry     1"
      )
    )
  }

  @Test func `an entry whose block overlaps another one is shown with that`() throws {
    let (place, shell) = try journal()
    try place.forgeBlocks("UPDATE blocks SET first_seq = 3 WHERE first_seq = 4")
    let shown = try shell.run("tidemark show test.tidemark 2")
    #expect(shown.output.hasPrefix("entry     2"))
    #expect(shown.errors.contains("J103") && shown.errors.contains("a block begins at entry 3"))
  }

  @Test func `an entry is shown with a block before it that claims it, where no walk comes by`()
    throws
  {
    let (place, shell) = try journal()
    try place.forgeBlocks("UPDATE blocks SET first_seq = 3 WHERE first_seq = 2")
    let shown = try shell.run("tidemark show test.tidemark 4")
    #expect(shown.output.hasPrefix("entry     4"), "\(shown.errors)")
    #expect(shown.errors.contains("J103") && shown.errors.contains("a block begins at entry 4"))
  }

  @Test func `a dry run tells what is wrong with the journal, not with its own copy`() throws {
    let (place, shell) = try journal()
    try place.tamper("CREATE TABLE extra(a)")
    let command = "tidemark import har \(Shell.sample) --into test.tidemark"
    let dry = try shell.run("\(command) --dry-run")
    #expect(dry.exit == 4 && dry.errors.contains("tables and triggers of test.tidemark are not"))
    #expect(try shell.run("\(command) --yes") == dry)
  }

  @Test func `an entry that the anchor names and the journal has not is lost`() throws {
    let (place, shell) = try journal()
    try place.dropBlock(ofEntry: 4)
    let lost = try shell.run("tidemark show test.tidemark 4 2>&1")
    #expect(lost.exit == 4 && lost.output.contains("J007"))
    #expect(!lost.output.contains("there is no entry"), "\(lost.output)")
    #expect(try shell.run("tidemark show test.tidemark 5").exit == 1)
  }
}
