internal import TidemarkJSON

/// Who made a capture, as it says itself.
package struct HARAbout: Sendable, Hashable {
  /// The version of HAR, such as 1.2.
  package private(set) var version: String?

  /// The program that wrote the file, with its version.
  package private(set) var creator: String?

  /// The browser, with its version.
  package private(set) var browser: String?

  package private(set) var pageCount = 0

  /// Reads the member of `log` that was entered, if it is about the capture.
  mutating func read(from scanner: inout JSONScanner) throws(JSONError) {
    if scanner.isNamed("version") {
      version = try scanner.string()?.description
    } else if scanner.isNamed("creator") {
      creator = try HARAbout.program(from: &scanner)
    } else if scanner.isNamed("browser") {
      browser = try HARAbout.program(from: &scanner)
    } else if scanner.isNamed("pages"), try scanner.kind() == .array {
      try scanner.enter()
      while try scanner.nextElement() {
        try scanner.skip()
        pageCount += 1
      }
    } else {
      try scanner.skip()
    }
  }

  private static func program(from scanner: inout JSONScanner) throws(JSONError) -> String? {
    guard try scanner.enter(.object) else { return nil }
    var name: String?
    var version: String?
    while try scanner.nextMember() {
      if scanner.isNamed("name") {
        name = try scanner.string()?.description
      } else if scanner.isNamed("version") {
        version = try scanner.string()?.description
      } else {
        try scanner.skip()
      }
    }
    return version.map { "\(name ?? "") \($0)" } ?? name
  }
}
