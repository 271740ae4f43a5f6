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
    let filter = selection.filter
    guard !filter.isEmpty, selection.limit > 0 else { return }
    let scopes = try unknownScopes(filter, in: reader)
    let note =
      try "note: no entry matches" + unknownPaths(filter, in: reader) + scopes
      + outsideTimes(filter, in: reader)
    output.note(Line(note))
  }

  private static func unknownPaths(_ filter: EntryFilter, in reader: JournalReader) throws -> String
  {
    guard !filter.paths.isEmpty else { return "" }
    let known = try paths(of: reader)
    let none = known.isAll ? "none" : "none of the last \(Quantity.count(known.entryCount))"
    return filter.paths.reduce(into: "") { note, pattern in
      let path = Path(canonical: pattern.bytes)
      let isKnown =
        pattern.isPrefix
        ? known.paths.contains { $0.bytes.starts(with: pattern.bytes) }
        : known.paths.contains(path)
      guard !isKnown else { return }
      note += "; \(none) \(pattern.isPrefix ? "begins with" : "names") \(EntryText.text(of: path))"
      let isFolder = pattern.isPrefix && pattern.bytes.last == UInt8(ascii: "/")
      let name = isFolder ? Array(pattern.bytes.dropLast()) : pattern.bytes
      note += suffix(of: Path(canonical: name), among: known)
    }
  }

  private static func unknownScopes(_ filter: EntryFilter, in reader: JournalReader) throws
    -> String
  {
    try filter.scopes.reduce(into: "") { note, scope in
      note += try unknown(scope: scope, in: reader).map { "; \($0)" } ?? ""
    }
  }

  /// `; the journal is of TIME to TIME`, if a time was asked for.
  private static func outsideTimes(_ filter: EntryFilter, in reader: JournalReader) throws -> String
  {
    guard filter.since != nil || filter.until != nil, let first = try reader.entry(at: Seq(1)),
      let last = try reader.entry(at: reader.last)
    else { return "" }
    return "; the journal is of \(first.time) to \(last.time)"
  }

  /// Says that no store is of `scope`, if that is so, and which there are.
  ///
  /// - Returns: whether it was said.
  static func tell(scope: String?, in reader: JournalReader, _ output: inout Output) throws -> Bool
  {
    guard let scope, let said = try unknown(scope: scope, in: reader) else { return false }
    output.note("note: \(said)")
    return true
  }

  private static func unknown(scope: String, in reader: JournalReader) throws -> String? {
    let scopes = try reader.stores().map(\.scope)
    guard !scopes.contains(where: { [$0.address, $0.description].contains(scope) }) else {
      return nil
    }
    let names = Set(scopes.map(\.description)).sorted().prefix(shownMax).joined(separator: " ")
    return "no store is of \(scope); there are: \(names.isEmpty ? "none" : names)"
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
