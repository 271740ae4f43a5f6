/// Lines that do not fit beside each other on a screen.
enum LineLength {
  static let columnsMax = 100

  /// The long lines of Swift and Markdown; tables, and lines with a link, may be long.
  static func complaints(in file: TextFile) -> [Complaint] {
    guard file.isSwift || file.path.hasSuffix(".md") else { return [] }
    return file.lines.enumerated().compactMap { index, line in
      // Bytes are cheaper to count than characters, and never fewer.
      guard line.utf8.count > columnsMax, line.count > columnsMax, !isExempt(line, file) else {
        return nil
      }
      return Complaint(file.path, index + 1, "\(line.count) columns, \(columnsMax) fit")
    }
  }

  private static func isExempt(_ line: Substring, _ file: TextFile) -> Bool {
    line.contains("://") || (!file.isSwift && (line.hasPrefix("|") || line.contains("](")))
  }
}
