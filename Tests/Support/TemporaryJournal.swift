import Foundation
package import TidemarkEntries
package import TidemarkJournalStore
import TidemarkSQLite

/// A folder that is gone when the test is.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("tidemark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  package func file(_ name: String) -> String { path + "/" + name }
}

/// A journal in a folder of its own.
package struct TemporaryJournal {
  package let folder: TemporaryFolder
  package let path: String

  package init() throws {
    folder = try TemporaryFolder()
    path = folder.file("test.tidemark")
  }

  /// Opens the journal for appending, making it if it is not there.
  package func open() throws -> Journal {
    var chance = SeededGenerator(seed: 7)
    return try Journal(path, create: true, chance: &chance)
  }

  /// A journal of two blocks: the opening of a store and a begin, and the landing of `content`.
  package static func landed(
    _ content: String
  ) throws -> (place: TemporaryJournal, body: BodyReference) {
    let place = try TemporaryJournal()
    let journal = try place.open()
    var chance = SeededGenerator(seed: 1)
    let body = try journal.body(Array(content.utf8), chance: &chance)
    try journal.append([.opening(), .begin(key: "b")])
    try journal.append([.landing(key: "l", begin: 2, body: body)])
    try journal.close()
    return (place, body)
  }

  package func read() throws -> JournalReader { try JournalReader(path) }

  /// How many blocks there are: one a commit.
  package func blockCount() throws -> Int64 {
    try Database(path: path, access: .read).integer("SELECT count(*) FROM blocks") ?? 0
  }
}

/// All entries of a reader.
extension JournalReader {
  package func allEntries() throws -> [Entry] {
    var entries: [Entry] = []
    let findings = try forEach { (entry) throws(JournalError) in
      entries.append(entry)
      return true
    } mapping: {
      $0
    }
    guard findings.isEmpty else { throw UnexpectedFindings(findings: findings) }
    return entries
  }
}

package struct UnexpectedFindings: Error {
  package let findings: [Finding]
}
