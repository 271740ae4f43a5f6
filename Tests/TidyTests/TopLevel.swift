/// The names that stand at the top of the repository.
enum TopLevel {
  static let names = [
    ".ci", ".editorconfig", ".gitignore", ".shellcheckrc", ".swift-format", "CHANGELOG.md",
    "Journal", "Package.swift", "README.md", "Sources", "Tests", "Tools", "docs",
  ]

  static func complaints(in found: [String]) -> [Complaint] {
    let ours = found.filter { !Repository.isLeftover($0) }
    return Set(ours).subtracting(names).sorted().map {
      Complaint(
        $0,
        0,
        "this has no place at the top level: `docs/ARCHITECTURE.md` says what belongs where"
      )
    }
      + Set(names).subtracting(ours).sorted().map {
        Complaint($0, 0, "this is missing at the top level")
      }
  }
}
