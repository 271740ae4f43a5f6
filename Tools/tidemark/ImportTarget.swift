import TidemarkJournalStore

/// The journal that an import writes to: the one that is named, or a copy for a dry run.
final class ImportTarget {
  let path: String
  let isDryRun: Bool

  /// The path as it was given.
  let name: String

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
    self.path = try System.temporaryFolder() + "/dry-run.tidemark"
    if System.fileType(at: path) != .missing { try JournalReader(path).copy(to: self.path) }
  }

  deinit {
    guard isDryRun, let slash = path.lastIndex(of: "/") else { return }
    for suffix in ["", "-wal", "-shm", "-anchor"] { System.remove(path + suffix) }
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
      failure.exit = .noJournal
      failure.code = FindingCode.notAJournal.rawValue
      throw failure
    }
  }

  private static func missingFolder(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
    let folder = String(path[..<slash])
    return System.fileType(at: folder) == .missing ? folder : nil
  }
}
