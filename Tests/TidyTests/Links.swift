/// Finds links, named paths and named sections that lead nowhere.
struct Links {
  /// Whether a path of the repository is there.
  let exists: (String) -> Bool

  /// The page at a path, if there is one.
  let page: (String) -> TextFile?

  /// Links of a page to files and headings.
  func broken(in file: TextFile) -> [Complaint] {
    Markdown(file).links.compactMap { number, target in
      guard !target.contains("://"), !target.hasPrefix("mailto:") else { return nil }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let path = parts[0].isEmpty ? file.path : Links.resolve(String(parts[0]), from: file.path)
      guard exists(path) else { return Complaint(file.path, number, "\(path) is not there") }
      guard parts.count == 2 else { return nil }
      guard let page = page(path), Markdown(page).anchors.contains(String(parts[1])) else {
        return Complaint(file.path, number, "\(path) has no heading #\(parts[1])")
      }
      return nil
    }
  }

  /// Paths between backticks, such as `Sources/Entries`, that are not there.
  ///
  /// A part that is `X` or begins with it stands for any name; so does `…`.
  func missingPaths(in file: TextFile) -> [Complaint] {
    let spans = file.isSwift ? file.commentSpans : Markdown(file).spans
    return spans.compactMap { number, text in
      let pattern = #/(?:Sources|Tests|Tools|Journal|docs|\.ci)\/[\w.+\/…*-]*/#
      guard let match = text.prefixMatch(of: pattern) else { return nil }
      let path = match.output
      let isPattern = path.split(separator: "/").contains {
        $0.contains(#/…|\*|^X(?:\.|$|[A-Z])/#)
      }
      guard !isPattern, !exists(String(path)) else { return nil }
      return Complaint(file.path, number, "\(path) is not there")
    }
  }

  /// Sections that a comment names behind a page, as in "`Journal/FORMAT.md`, Block".
  func missingSections(in file: TextFile) -> [Complaint] {
    file.commentLines.flatMap { number, line in
      line.matches(of: #/`([\w\/]+\.md)`, ((?:[A-Z]\w*)(?: [a-z]+)*)/#).compactMap { match in
        guard let page = page(String(match.1)) else { return nil }
        let headings = Markdown(page).headings.map(\.text)
        guard !headings.contains(where: { match.2.hasPrefix($0) }) else { return nil }
        return Complaint(file.path, number, "\(match.1) has no section \(match.2)")
      }
    }
  }

  /// The path that `target` means in the page at `origin`.
  static func resolve(_ target: String, from origin: String) -> String {
    var parts = origin.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}

extension TextFile {
  /// The lines of Swift that are nothing but a comment.
  var commentLines: [(number: Int, text: Substring)] {
    lines.enumerated().compactMap { index, line in
      line.trimmed.hasPrefix("//") ? (index + 1, line) : nil
    }
  }

  /// What stands between backticks in the comments of Swift.
  var commentSpans: [(number: Int, text: String)] {
    commentLines.flatMap { number, line in
      line.matches(of: #/`([^`]+)`/#).map { (number, String($0.1)) }
    }
  }
}
