import Foundation

/// The files of this repository, as the rules see them.
enum Repository {
  /// The folder that holds `Package.swift`.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every text of ours, by path: sources, scripts, pages.
  static let files: [TextFile] = paths(below: "").compactMap(file)

  static let swiftFiles = files.filter { $0.isSwift }
  static let sources = swiftFiles.filter { $0.path.hasPrefix("Sources/") }
  static let pages = files.filter { $0.path.hasSuffix(".md") }

  static func file(_ path: String) -> TextFile? {
    let data = try? Data(contentsOf: root.appending(path: path))
    return data.flatMap { String(data: $0, encoding: .utf8) }.map { TextFile(path, $0) }
  }

  /// The names in a folder, in order; none if there is no such folder.
  static func names(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path
    )
    return (names ?? []).sorted()
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// Whether nobody wrote it: what builds leave behind, and what `git` keeps for itself.
  static func isLeftover(_ name: String) -> Bool {
    [".git", ".swiftpm", ".DS_Store", "__pycache__"].contains(name)
      || name.hasPrefix(".build") || name.hasSuffix(".xcodeproj")
  }

  /// The paths of all files below a folder that can hold text of ours.
  private static func paths(below folder: String) -> [String] {
    names(in: folder).filter { !isLeftover($0) }.flatMap { name in
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      let below = paths(below: path)
      return below.isEmpty && isText(name) ? [path] : below
    }
  }

  private static func isText(_ name: String) -> Bool {
    let ending = name.split(separator: ".").dropFirst().last
    return ending.map { textEndings.contains(String($0)) } ?? true
  }

  private static let textEndings: Set<String> = [
    "swift", "md", "h", "modulemap", "sql", "json", "sh", "py", "js", "html", "css", "c", "txt",
    "jsonl", "story", "swift-format", "gitignore", "editorconfig",
  ]
}
