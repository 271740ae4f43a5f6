import TidemarkJournalStore

/// The journal that an import writes to: the one that is named, or a copy for a dry run.
final class ImportTarget {
  let path: String
  let isDryRun: Bool

  /// The path as it was given.
  let name: String

  /// What the names of a journal's files end with.
  private static let parts = ["", "-wal", "-shm", "-anchor"]

  /// What a dry run says at its end.
  static let dryRunNote: Line = "note: nothing was written; the same with --yes writes it"

  /// - Throws: ``Failure`` if no journal can be there.
  init(_ path: String, isDryRun: Bool) throws {
    try ImportTarget.check(path)
    name = path
    self.isDryRun = isDryRun
    guard isDryRun else {
      self.path = path
      return
    }
    let folder = try System.temporaryFolder()
    self.path = folder + "/dry-run.tidemark"
    Leftovers.note(folder)
    for part in ImportTarget.parts { Leftovers.note(self.path + part) }
    if System.fileType(at: path) != .missing { try JournalReader(path).copy(to: self.path) }
  }

  deinit {
    guard isDryRun, let slash = path.lastIndex(of: "/") else { return }
    for part in ImportTarget.parts { System.remove(path + part) }
    System.removeFolder(String(path[..<slash]))
  }

  private static func check(_ path: String) throws(Failure) {
    switch FileNature(at: path) {
    // What only SQLite can tell, it tells.
    case .journal, .binary, .empty: return
    case nil:
      guard let folder = missingFolder(of: path) else { return }
      throw .input(
        "--into \(path): there is no folder '\(folder)'",
        advice: "Try: mkdir -p \(Words.quoted(folder))"
      )
    case let nature?:
      var failure = Failure.input(
        "--into \(path): it is \(nature.words), no journal",
        advice: "Name a journal, or a file that is not there yet."
      )
      failure.become(.notAJournal)
      throw failure
    }
  }

  private static func missingFolder(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
    let folder = String(path[..<slash])
    return System.fileType(at: folder) == .missing ? folder : nil
  }
}
