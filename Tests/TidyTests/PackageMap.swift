/// The targets of a `Package.swift`, as far as the arrows ask for them.
struct PackageMap {
  struct Target {
    let name: String

    /// The folder of its files.
    let path: String

    /// The targets that it is declared to rest on.
    let dependencies: [String]
  }

  let targets: [Target]

  /// Reads the calls that declare targets, in the order in which they stand.
  ///
  /// `swift package describe` would know more, but waits for the build that runs the tests.
  init(reading manifest: String) {
    targets = manifest.matches(of: #/(func |\.)?(\w+)\(/#).compactMap { match in
      let declares =
        switch match.1 {
        case ".": ["target", "executableTarget", "testTarget", "systemLibrary"].contains(match.2)
        case nil: ["library", "tool", "tests"].contains(match.2)
        default: false
        }
      guard declares else { return nil }
      let arguments = PackageMap.arguments(manifest[match.range.upperBound...])
      return PackageMap.target(isTest: match.2 == "tests", arguments)
    }
  }

  subscript(name: String) -> Target? { targets.first { $0.name == name } }

  /// The target that a file belongs to: the one with the longest path that holds it.
  func target(of path: String) -> Target? {
    targets.filter { path.hasPrefix($0.path + "/") }.max { $0.path.count < $1.path.count }
  }

  /// The target that a call declares; nothing inside the helpers, where the name is a parameter.
  private static func target(isTest: Bool, _ arguments: [Argument]) -> Target? {
    let unnamed = arguments.filter { $0.label == nil }
    let name = arguments.first { $0.label == "name" } ?? unnamed.first
    guard let name = name?.texts.first else { return nil }
    let path = arguments.first { $0.label == "path" } ?? unnamed.dropFirst().first
    let list = arguments.first { $0.label == "dependencies" } ?? unnamed.first { $0.isList }
    return Target(
      name: name,
      path: (isTest ? nil : path?.texts.first) ?? "Tests/\(name)",
      dependencies: (list?.texts ?? []) + (isTest ? ["TestSupport"] : [])
    )
  }

  private struct Argument {
    var label: String?
    var text: Substring

    var isList: Bool { text.hasPrefix("[") }

    /// What stands between quotes.
    var texts: [String] { text.matches(of: #/"([^"]*)"/#).map { String($0.1) } }
  }

  /// The arguments up to the parenthesis that closes the call.
  private static func arguments(_ rest: Substring) -> [Argument] {
    var parts: [Substring] = []
    var depth = 0
    var start = rest.startIndex
    for place in rest.indices {
      switch rest[place] {
      case "(", "[": depth += 1
      case ")" where depth == 0:
        return (parts + [rest[start..<place]]).map(argument)
      case ")", "]": depth -= 1
      case "," where depth == 0:
        parts.append(rest[start..<place])
        start = rest.index(after: place)
      default: break
      }
    }
    return []
  }

  private static func argument(_ text: Substring) -> Argument {
    guard let match = text.prefixMatch(of: #/\s*(?:(\w+):\s*)?/#) else {
      return Argument(text: text)
    }
    return Argument(label: match.1.map(String.init), text: text[match.range.upperBound...])
  }
}
