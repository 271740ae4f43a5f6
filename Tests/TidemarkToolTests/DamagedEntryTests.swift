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
}
