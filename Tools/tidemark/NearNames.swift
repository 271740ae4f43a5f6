import TidemarkEntries
import TidemarkJournalStore

/// What is said when nothing was found, with the names that were perhaps meant.
enum NearNames {
  /// So many paths are compared, of so many entries: the last ones, for what a hint may cost.
  private static let pathsMax = 10_000
  private static let entriesMax = 20_000

  /// So many names are told.
  private static let shownMax = 3

  /// `, near are: /api/notes`, or nothing if no path of the journal is near.
  static func suffix(of path: Path, in reader: JournalReader) throws -> String {
    let known = try paths(of: reader)
    return known.paths.contains(path) ? "; other entries name it" : suffix(of: path, among: known)
  }

  /// Paths that entries name.
  private struct Known {
    var paths: Set<Path> = []

    /// How many entries were looked at, and whether these are all.
    var entryCount = 0
    var isAll = true
  }

  private static func suffix(of path: Path, among known: Known) -> String {
    let near = Nearest.names(
      to: EntryText.text(of: path),
      among: known.paths.map { EntryText.text(of: $0) },
      max: shownMax
    )
    return near.isEmpty ? "" : ", near are: \(near.joined(separator: " "))"
  }

  /// Says that nothing matches `selection`, and what its paths were perhaps meant to be.
  static func tell(
    _ selection: EntrySelection,
    in reader: JournalReader,
    _ output: inout Output
  ) throws {
    guard !selection.filter.isEmpty, selection.limit > 0 else { return }
    var note = "note: no entry matches"
    let paths = selection.filter.paths.filter { !$0.isPrefix }.map { Path(canonical: $0.bytes) }
    if !paths.isEmpty {
      let known = try self.paths(of: reader)
      let none = known.isAll ? "none" : "none of the last \(Quantity.count(known.entryCount))"
      for path in paths where !known.paths.contains(path) {
        note += "; \(none) names \(EntryText.text(of: path))" + suffix(of: path, among: known)
      }
    }
    output.note(Line(note))
  }

  /// Says that no store is of `scope`, if that is so, and which there are.
  ///
  /// - Returns: whether it was said.
  static func tell(scope: String?, in reader: JournalReader, _ output: inout Output) throws -> Bool
  {
    guard let scope else { return false }
    let scopes = try reader.stores().map(\.scope)
    guard !scopes.contains(where: { [$0.address, $0.description].contains(scope) }) else {
      return false
    }
    let names = Set(scopes.map(\.description)).sorted().prefix(shownMax).joined(separator: " ")
    output.note("note: no store is of \(scope); there are: \(names.isEmpty ? "none" : names)")
    return true
  }

  /// The path of the journal that a word means: behind a method or a server, in quotes, without its
  /// first slash; nothing if none is near.
  static func path(meantBy word: String, in reader: JournalReader) throws -> String? {
    var rest = word.drop { "'\"".contains($0) }
    while let last = rest.last, "'\"".contains(last) { rest.removeLast() }
    if let space = rest.firstIndex(of: " "), rest[..<space].allSatisfy(\.isUppercase) {
      rest = rest[space...].drop { $0 == " " }
    }
    let address = try reader.stores().map(\.scope.address).first { rest.hasPrefix($0 + "/") }
    rest = rest.dropFirst(address?.count ?? 0)
    let path = rest.first == "/" ? String(rest) : "/\(rest)"
    let known = try paths(of: reader).paths.map { EntryText.text(of: $0) }
    return known.contains(path) ? path : Nearest.names(to: path, among: known, max: 1).first
  }

  private static func paths(of reader: JournalReader) throws(JournalError) -> Known {
    var known = Known()
    try reader.forEachReversed { (entry) throws(JournalError) in
      known.isAll = known.paths.count < pathsMax && known.entryCount < entriesMax
      guard known.isAll else { return false }
      for link in (try? entry.paths) ?? [] { known.paths.insert(link.path) }
      known.entryCount += 1
      return true
    } mapping: {
      $0
    }
    return known
  }
}
