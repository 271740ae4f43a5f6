/// The limits in the code and in the table of `Journal/FORMAT.md`, below its heading "Limits".
enum FormatLimits {
  static let page = "Journal/FORMAT.md"

  /// Where constants are those of the format.
  static let places = ["Sources/Entries/", "Sources/JournalStore/"]

  struct Limit: Hashable, Sendable {
    let name: String
    let value: Int?
    let path: String
    let line: Int
  }

  /// The integer constants of a file; private ones are nobody's business.
  static func limits(in file: TextFile) -> [Limit] {
    guard places.contains(where: file.path.hasPrefix) else { return [] }
    let pattern = #/\s*(?:public |package )?static let (\w+)(?:: \w+)? = ([\d_]+(?: .*)?|\w*)/#
    return file.code.enumerated().compactMap { index, line in
      guard let match = line.wholeMatch(of: pattern) else { return nil }
      return Limit(
        name: "\(file.type(around: index)).\(match.1)",
        value: value(of: match.2),
        path: file.path,
        line: index + 1
      )
    }
  }

  /// The number that is written as `4096`, `65_535`, `64 << 10` or `4 * 1024`.
  static func value(of text: Substring) -> Int? {
    let numbers = text.replacing("_", with: "").split(separator: " ")
    guard let first = numbers.first.flatMap({ Int($0) }) else { return nil }
    if numbers.count == 1 { return first }
    guard numbers.count == 3, let second = Int(numbers[2]) else { return nil }
    return switch numbers[1] {
    case "<<": first << second
    case "*": first * second
    default: nil
    }
  }

  /// Whether a constant bounds what a journal holds, so that the table must have it.
  ///
  /// What is `cached` bounds memory.
  private static func isRequired(_ limit: Limit) -> Bool {
    limit.name.hasSuffix("Max") && !limit.name.contains(".cached")
  }

  /// Where the two lists differ.
  ///
  /// The table may have other constants as well, if they are there and have the same values.
  static func differences(_ limits: [Limit], _ page: TextFile) -> [Complaint] {
    let rows = Markdown(page).table(below: "## Limits").map { number, cells in
      let digits = (cells.count > 1 ? cells[1] : "").filter { $0 != "," }
      let name = cells.first?.filter { $0 != "`" } ?? ""
      return Limit(name: name, value: Int(digits), path: page.path, line: number)
    }
    return missing(limits.filter(isRequired), in: rows, "the table Limits of \(page.path)")
      + missing(rows, in: limits, "the code")
  }

  private static func missing(_ limits: [Limit], in others: [Limit], _ place: String) -> [Complaint]
  {
    limits.compactMap { limit in
      guard let value = limit.value else {
        return Complaint(limit.path, limit.line, "\(limit.name) is no number that can be read")
      }
      guard let other = others.first(where: { $0.name == limit.name }) else {
        return Complaint(limit.path, limit.line, "\(limit.name) is not in \(place)")
      }
      guard value != other.value else { return nil }
      let found = other.value.map { "\($0)" } ?? "no number"
      let sentence = "\(limit.name) is \(value) here, and \(found) in \(place)"
      return Complaint(limit.path, limit.line, sentence)
    }
  }
}

extension TextFile {
  /// The name of the type or extension around a line.
  func type(around index: Int) -> String {
    let indentation = code[index].indentation
    let header = #/(?:struct|enum|class|actor|extension) (\w+)/#
    let names = code[..<index].reversed().lazy.filter { $0.indentation < indentation }
      .compactMap { $0.firstMatch(of: header).map { String($0.1) } }
    return names.first ?? ""
  }
}
