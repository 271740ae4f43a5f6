/// Folders of one target that may not know each other, where the compiler cannot keep them apart.
enum Layers {
  /// Files below `folder` that name a type which one of `others` declares.
  static func strangers(
    in folder: String,
    declaredIn others: [TextFile],
    _ files: [TextFile]
  ) -> [Complaint] {
    let names = Dictionary(
      others.flatMap { file in file.declaredTypes.map { ($0, file.path) } },
      uniquingKeysWith: { first, _ in first }
    )
    return files.filter { $0.path.hasPrefix(folder + "/") }.flatMap { file in
      file.namedTypes.compactMap { line, name in
        names[name].map {
          Complaint(file.path, line, "\(folder) does not know \(name) of \($0)")
        }
      }
    }
  }

  /// A projection that names a type of another one.
  static func mixedProjections(in files: [TextFile]) -> [Complaint] {
    let inFolders = files.filter {
      $0.path.wholeMatch(of: #/Sources\/Projections\/\w+\/.*/#) != nil
    }
    let folders = Set(inFolders.map { folder(of: $0) }).sorted()
    return folders.flatMap { folder in
      let others = inFolders.filter { self.folder(of: $0) != folder }
      return strangers(in: folder, declaredIn: others, inFolders)
    }
  }

  /// A check that names a type of the projections: a judge shares nothing with the judged.
  static func biasedChecks(in files: [TextFile]) -> [Complaint] {
    let projections = files.filter { $0.path.hasPrefix("Sources/Projections/") }
    let imports = files.filter { $0.path.hasPrefix("Sources/Replay/Checks/") }.flatMap { file in
      file.imports.filter { $0.module == "TidemarkProjections" }.map {
        Complaint(file.path, $0.line, "a check does not import what it judges")
      }
    }
    return imports + strangers(in: "Sources/Replay/Checks", declaredIn: projections, files)
  }

  private static func folder(of file: TextFile) -> String {
    file.path.split(separator: "/").prefix(3).joined(separator: "/")
  }
}

extension TextFile {
  /// The types that the code names, each once a line.
  var namedTypes: [(line: Int, name: String)] {
    code.enumerated().flatMap { index, line in
      Set(line.capitalizedNames).sorted().map { (index + 1, $0) }
    }
  }

  /// The types that the file declares at its top level.
  var declaredTypes: [String] {
    code.compactMap { line in
      guard line.indentation == 0 else { return nil }
      let pattern = #/^(?:[\w@()]+ )*(?:struct|enum|class|actor|protocol|typealias) ([A-Z]\w*)/#
      return line.hasPrefix("private ") ? nil : line.firstMatch(of: pattern).map { String($0.1) }
    }
  }
}
