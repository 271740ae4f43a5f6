/// Who may import whom.
///
/// `Package.swift` says the same; it stands here a second time, because the compiler does not
/// notice an import that skips a layer.
enum Arrows {
  /// What each target may import, in the order of the data.
  static let table: KeyValuePairs<String, [String]> = [
    "CTidemarkFiles": [],
    "CTidemarkSQLite": [],
    "CTidemarkZstd": [],
    "CTidemarkZlib": [],
    "CTidemarkOpenSSL": [],
    "TidemarkSQLite": ["CTidemarkSQLite"],
    "TidemarkCompression": ["CTidemarkZstd"],
    "TidemarkInflate": ["CTidemarkZlib", "TidemarkCompression"],
    "TidemarkHashing": ["CTidemarkOpenSSL"],
    "TidemarkParallel": [],
    "TidemarkJournalFormat": [],
    "TidemarkEntries": [],
    "TidemarkJSON": ["TidemarkEntries"],
    "TidemarkJournalStore": [
      "CTidemarkFiles", "TidemarkEntries", "TidemarkJournalFormat", "TidemarkSQLite",
      "TidemarkCompression", "TidemarkHashing", "TidemarkParallel",
    ],
    "TidemarkProjections": [
      "TidemarkEntries", "TidemarkJournalStore", "TidemarkSQLite", "TidemarkHashing",
    ],
    "TidemarkReplay": [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkHashing",
    ],
    "TidemarkExports": [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkCompression", "TidemarkInflate", "TidemarkHashing", "TidemarkParallel",
    ],
    "TidemarkStores": [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkHashing",
    ],
    "TidemarkSimulation": [
      "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore", "TidemarkProjections",
      "TidemarkReplay", "TidemarkStores", "TidemarkSQLite",
    ],
    "Tidemark": ["TidemarkEntries", "TidemarkJournalStore", "TidemarkStores"],
    "TidemarkLoopback": [],
    "TidemarkTool": [
      "TidemarkJournalFormat", "TidemarkEntries", "TidemarkJSON", "TidemarkJournalStore",
      "TidemarkProjections", "TidemarkReplay", "TidemarkExports", "TidemarkHashing",
      "TidemarkSimulation",
    ],
    "TidemarkExample": ["Tidemark", "TidemarkLoopback"],
    "CTidemarkPeer": ["CTidemarkSQLite", "CTidemarkZstd", "CTidemarkOpenSSL"],
    "TidemarkBench": [
      "CTidemarkPeer", "TidemarkStores", "TidemarkEntries", "TidemarkJournalStore",
      "TidemarkProjections", "TidemarkReplay", "TidemarkExports", "TidemarkSQLite",
      "TidemarkCompression", "TidemarkHashing",
    ],
    "TidemarkGolden": [
      "TidemarkEntries", "TidemarkJournalStore", "TidemarkProjections", "TidemarkSQLite",
    ],
  ]

  /// What of the system a target may import besides.
  ///
  /// Foundation costs a tool its start-up time, and network and clocks come with it.
  static let system: [String: [String]] = [
    "TidemarkHashing": ["CryptoKit"],
    "TidemarkParallel": ["Dispatch", "Synchronization"],
    "TidemarkStores": ["Synchronization"],
    "TidemarkSimulation": ["Synchronization"],
    "Tidemark": ["Foundation", "FoundationNetworking", "Synchronization"],
    "TidemarkLoopback": ["Foundation", "Synchronization"],
    "TidemarkExports": ["Synchronization"],
    "TidemarkTool": ["Synchronization"],
    "TidemarkExample": ["Foundation", "Synchronization"],
    "TidemarkBench": ["Foundation"],
    "TidemarkGolden": ["Foundation"],
  ]

  /// The C library of the platform: any target, but one file of it.
  static let platform = ["Darwin", "Glibc", "Musl"]

  /// What tests may import besides: they may ask the world.
  static let testSystem = [
    "Testing", "Foundation", "FoundationNetworking", "Synchronization", "Dispatch",
  ]

  static func allowed(for target: PackageMap.Target) -> [String] {
    if target.path.hasPrefix("Tests/") { return target.dependencies + testSystem }
    let own = table.first { $0.key == target.name }?.value ?? []
    return own + system[target.name, default: []]
  }
}

// The rules.
extension Arrows {
  /// What the manifest says otherwise than the table does.
  static func differences(in manifest: PackageMap) -> [Complaint] {
    let built = manifest.targets.filter { !$0.path.hasPrefix("Tests/") }
    let missing = table.filter { row in !built.contains { $0.name == row.key } }.map {
      Complaint("Package.swift", 0, "\($0.key) is in the table of arrows, but is no target")
    }
    let different = built.compactMap { target -> Complaint? in
      guard let row = table.first(where: { $0.key == target.name }) else {
        return Complaint("Package.swift", 0, "\(target.name) is not in the table of arrows")
      }
      guard Set(row.value) != Set(target.dependencies) else { return nil }
      return Complaint(
        "Package.swift",
        0,
        "\(target.name) rests on \(list(target.dependencies)); the table of arrows says "
          + list(row.value)
      )
    }
    return missing + different
  }

  /// The folders of `Sources` of which `page` has no row with the target that is built from it.
  static func missingRows(
    in page: TextFile,
    of folders: [String],
    _ manifest: PackageMap
  ) -> [Complaint] {
    folders.map { "Sources/\($0)" }.compactMap { folder in
      let target = manifest.targets.first { $0.path == folder }?.name ?? "no target"
      guard !page.lines.contains(where: { $0.hasPrefix("| `\(folder)` | `\(target)` | ") }) else {
        return nil
      }
      return Complaint(page.path, 0, "no row says what is in \(folder), which is \(target)")
    }
  }

  /// Which targets stand above what they rest on; below, the map reads in the order of the data.
  static func disorder(in manifest: PackageMap) -> [Complaint] {
    var above: Set<String> = []
    return manifest.targets.flatMap { target in
      above.insert(target.name)
      return target.dependencies.filter { !above.contains($0) }.map {
        Complaint("Package.swift", 0, "\(target.name) rests on \($0), which stands below it")
      }
    }
  }

  /// The imports that a file may not have.
  static func wrongImports(in file: TextFile, of manifest: PackageMap) -> [Complaint] {
    guard let target = manifest.target(of: file.path) else {
      return [Complaint(file.path, 0, "no target of Package.swift holds this file")]
    }
    let allowed = allowed(for: target)
    return file.imports.compactMap { line, module in
      guard !allowed.contains(module), !platform.contains(module) else { return nil }
      return Complaint(
        file.path,
        line,
        "\(target.name) imports \(module); \(target.name) may import \(list(allowed))"
      )
    }
  }

  /// The targets in which more than one file calls the C library of the platform.
  static func scatteredCalls(in files: [TextFile], of manifest: PackageMap) -> [Complaint] {
    let callers = files.filter { file in
      file.imports.contains { platform.contains($0.module) }
        && !file.path.hasPrefix("Tests/")
    }
    return Dictionary(grouping: callers) { manifest.target(of: $0.path)?.name ?? "" }
      .filter { $0.value.count > 1 }
      .map { target, files in
        let paths = list(files.map(\.path))
        return Complaint(
          files[0].path,
          0,
          "raw calls of \(target) are in one file, not in \(paths)"
        )
      }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "nothing" : Set(names).sorted().joined(separator: ", ")
  }
}

extension TextFile {
  /// The modules that the file imports, with their lines.
  var imports: [(line: Int, module: String)] {
    let pattern =
      #/
      ^\s* (?: @\w+ (?: \(\w+\) )? \s+ | (?: public | package | internal | private ) \s+ )*
      import \s+ (?: (?: struct | class | enum | protocol | func | var | let ) \s+ )? (\w+)
      /#
    return code.enumerated().compactMap { index, line in
      guard line.contains("import"), let match = line.firstMatch(of: pattern) else { return nil }
      return (index + 1, String(match.1))
    }
  }
}
