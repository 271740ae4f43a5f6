/// A list with one line a thing, and the folder in which each thing has its own file.
struct Catalogue: Sendable, CustomStringConvertible {
  /// Which children of the folder must be things of the catalogue.
  enum Children: Sendable {
    case all
    case folders
  }

  /// What one line stands for, such as "kind".
  let thing: String

  /// The path of the list.
  let path: String

  /// The folder of the things; the list may stand in it.
  let folder: String

  let children: Children

  var description: String { path }

  static let all = [
    Catalogue(
      thing: "kind",
      path: "Sources/Entries/KindRegistry.swift",
      folder: "Sources/Entries/Kinds",
      children: .all
    ),
    Catalogue(
      thing: "projection",
      path: "Sources/Projections/ProjectionCatalogue.swift",
      folder: "Sources/Projections",
      children: .folders
    ),
    Catalogue(
      thing: "check",
      path: "Sources/Replay/CheckCatalogue.swift",
      folder: "Sources/Replay/Checks",
      children: .all
    ),
    Catalogue(
      thing: "format to import",
      path: "Tools/tidemark/Commands/Import.swift",
      folder: "Tools/tidemark/Imports",
      children: .all
    ),
    Catalogue(
      thing: "format to export",
      path: "Tools/tidemark/Commands/Export.swift",
      folder: "Tools/tidemark/Exports",
      children: .all
    ),
    Catalogue(
      thing: "verb",
      path: "Tools/tidemark/TidemarkTool.swift",
      folder: "Tools/tidemark/Commands",
      children: .all
    ),
  ]

  /// What is missing, or too much, in the list or in the folder.
  func complaints(in files: [TextFile]) -> [Complaint] {
    let things = files.filter { isBelow($0.path) && $0.stem != "Placeholder" }
    guard let list = files.first(where: { $0.path == path }).map(CatalogueList.init) else {
      return things.isEmpty ? [] : [Complaint(things[0].path, 0, "there is no \(path) to list it")]
    }
    guard let type = list.type else {
      return [Complaint(path, 0, "a line that ends with `[any … .Type] = [` begins the list")]
    }
    let declared = things.flatMap { file in
      file.types(conformingTo: type).map { (name: $0, file: file) }
    }
    return unlisted(declared, list) + unfounded(list, declared.map(\.name))
      + misplaced(declared) + foreign(things, declared.map(\.name)) + list.crowdedLines
  }

  private func isBelow(_ path: String) -> Bool {
    path.hasPrefix(folder + "/") && path != self.path && path.hasSuffix(".swift")
  }

  private func unlisted(
    _ declared: [(name: String, file: TextFile)],
    _ list: CatalogueList
  ) -> [Complaint] {
    declared.compactMap { name, file in
      let count = list.lines.count { $0.name == name }
      guard count != 1 else { return nil }
      return Complaint(file.path, 0, "the \(thing) \(name) has \(count) lines in \(path), not one")
    }
  }

  private func unfounded(_ list: CatalogueList, _ declared: [String]) -> [Complaint] {
    list.lines.filter { !declared.contains($0.name) }.map {
      Complaint(path, $0.number, "\($0.name) is listed, but is no \(thing) of \(folder)")
    }
  }

  private func misplaced(_ declared: [(name: String, file: TextFile)]) -> [Complaint] {
    declared.filter { $0.name != $0.file.stem }.map {
      Complaint($0.file.path, 0, "one \(thing), one file: \($0.name) stands in \($0.name).swift")
    }
  }

  private func foreign(_ things: [TextFile], _ declared: [String]) -> [Complaint] {
    let parts = things.map { $0.path.dropFirst(folder.count + 1).split(separator: "/") }
    let names = parts.compactMap { part -> Substring? in
      switch children {
      case .all: part[0].prefix { $0 != "." }
      case .folders: part.count > 1 ? part[0] : nil
      }
    }
    return Set(names).subtracting(declared.map { Substring($0) }).sorted().map {
      Complaint("\(folder)/\($0)", 0, "this holds no \(thing)")
    }
  }
}

/// The lines of the first list of types or values in a file: `[any Check.Type] = [`.
private struct CatalogueList {
  /// The protocol of what is listed.
  var type: String?

  var lines: [(number: Int, name: String)] = []

  /// Lines with more than one thing.
  var crowdedLines: [Complaint] = []

  init(_ file: TextFile) {
    var isInside = false
    for (index, line) in file.code.enumerated() {
      let trimmed = line.trimmed
      if isInside {
        guard !trimmed.hasPrefix("]") else { return }
        let names = trimmed.capitalizedNames
        if names.count > 1 { crowdedLines.append(Complaint(file.path, index + 1, "one line each")) }
        lines += names.map { (index + 1, $0) }
      } else if let match = trimmed.firstMatch(of: #/\[any (\w+).*\[$/#) {
        type = String(match.1)
        isInside = true
      }
    }
  }
}

extension TextFile {
  /// The types that the file declares with `name` among what they inherit from.
  func types(conformingTo name: String) -> [String] {
    let header = #/\b(?:struct|enum|class|actor|extension)\s+(\w+)(?:<[^{]*>)?\s*:([^{]*)\{/#
    return code.joined(separator: "\n").matches(of: header).compactMap { match in
      match.2.split { !$0.isLetter && !$0.isNumber }.contains(Substring(name))
        ? String(match.1) : nil
    }
  }
}
