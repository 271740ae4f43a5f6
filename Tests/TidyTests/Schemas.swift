/// The schemas of JSON that the tool writes, and the page that is their contract.
enum Schemas {
  static let page = "docs/JSON.md"

  /// Schemas that `files` write and `page` has no section for, and sections that nothing writes.
  static func complaints(about page: TextFile, writtenBy files: [TextFile]) -> [Complaint] {
    let told = Set(
      page.lines.compactMap { $0.wholeMatch(of: #/## `(tidemark\.[a-z-]+/\d+)`/#).map { $0.1 } }
    )
    var written: Set<Substring> = []
    var untold: [Complaint] = []
    for file in files {
      for (index, line) in file.lines.enumerated() {
        for match in line.matches(of: #/"(tidemark\.[a-z-]+/\d+)"/#) {
          written.insert(match.1)
          guard !told.contains(match.1) else { continue }
          untold.append(Complaint(file.path, index + 1, "\(page.path) does not tell of \(match.1)"))
        }
      }
    }
    return untold
      + told.subtracting(written).sorted().map { Complaint(page.path, 0, "nothing writes \($0)") }
  }
}
