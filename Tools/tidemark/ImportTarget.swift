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
    // What would refuse the file itself does not see its copy.
    try Journal.checkForWriting(path)
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
    case .journal, .binary: return
    case .empty where System.fileType(at: path + "-anchor") != .missing: return
    case nil:
      if System.isLink(path) { return try checkLink(path) }
      try checkFolder(of: path)
    case let nature?:
      throw refusal(
        .notAJournal,
        "--into \(path): it is \(nature.words), no journal",
        advice: "Name a journal, or a file that is not there yet."
      )
    }
  }

  /// A link that leads nowhere is refused: it is not known what is to stand where.
  private static func checkLink(_ path: String) throws(Failure) {
    guard System.fileType(at: path) == .missing else { return }
    throw refusal(
      .noSuchJournal,
      "--into \(path): it is a symbolic link that leads nowhere",
      advice: "Remove it, or name the file that it is to lead to."
    )
  }

  private static func refusal(
    _ finding: FindingCode,
    _ message: String,
    advice: String
  ) -> Failure {
    var failure = Failure.input(message, advice: advice)
    failure.become(finding)
    return failure
  }

  private static func checkFolder(of path: String) throws(Failure) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    switch System.fileType(at: folder) {
    case .folder: return
    case .missing where !System.isLink(folder):
      throw .input(
        "--into \(path): there is no folder '\(folder)'",
        advice: "Try: mkdir -p \(Words.quoted(folder))"
      )
    case .missing, .regular, .other:
      throw .input("--into \(path): '\(folder)' is no folder", advice: nil)
    }
  }
}
