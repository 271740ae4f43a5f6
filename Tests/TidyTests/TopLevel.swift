/// The names that stand at the top of the repository, beside those that begin with a dot.
enum TopLevel {
  static let names = [
    "CHANGELOG.md", "Journal", "Package.swift", "README.md", "Sources", "Tests", "Tools", "docs",
  ]

  static func complaints(in found: [String]) -> [Complaint] {
    let visible = found.filter { !$0.hasPrefix(".") && !Repository.isLeftover($0) }
    return Set(visible).subtracting(names).sorted().map {
      Complaint(
        $0,
        0,
        "this has no place at the top level: `docs/ARCHITECTURE.md` says what belongs where"
      )
    }
      + Set(names).subtracting(visible).sorted().map {
        Complaint($0, 0, "this is missing at the top level")
      }
  }
}
