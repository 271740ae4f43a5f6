/// Finds public declarations without a word on them.
///
/// Exempt are what a protocol asks for, since the protocol says what it means, initializers that
/// only set the properties of the same names, and the cases of an enumeration, which the summary of
/// the enumeration may explain together.
struct Documentation {
  /// What each protocol asks for, by the names that the requirements have.
  private let requirements: [String: Set<String>]

  /// - Parameter files: where protocols of ours are declared.
  init(protocolsIn files: [TextFile]) {
    requirements = files.flatMap(\.protocols).reduce(into: Documentation.standard) {
      $0[$1.name, default: []].formUnion($1.requirements)
    }
  }

  private static let standard: [String: Set<String>] = [
    "Equatable": ["=="], "Hashable": ["==", "hash(into:)"], "Comparable": ["<"],
    "CustomStringConvertible": ["description"], "LosslessStringConvertible": ["description"],
    "CustomDebugStringConvertible": ["debugDescription"],
    "RawRepresentable": ["rawValue", "init(rawValue:)"],
    "Sequence": ["makeIterator()"], "IteratorProtocol": ["next()"],
    "AsyncSequence": ["makeAsyncIterator()"], "AsyncIteratorProtocol": ["next()"],
    "Identifiable": ["id"], "ExpressibleByStringLiteral": ["init(stringLiteral:)"],
    "ExpressibleByIntegerLiteral": ["init(integerLiteral:)"],
    "Codable": ["encode(to:)", "init(from:)"],
  ]

  func complaints(in file: TextFile) -> [Complaint] {
    file.publicDeclarations.compactMap { declaration in
      guard !file.isDocumented(at: declaration.index),
        !isWitness(declaration, in: file),
        !file.onlySetsProperties(at: declaration.index)
      else { return nil }
      let sentence = "nothing is said about `\(declaration.name)`, which is public"
      return Complaint(file.path, declaration.index + 1, sentence)
    }
  }

  private func isWitness(_ declaration: Declaration, in file: TextFile) -> Bool {
    file.header(around: declaration.index).contains { name in
      requirements[name, default: []].contains(declaration.name)
    }
  }
}

/// A line that declares something.
struct Declaration {
  /// The index of the line.
  let index: Int

  /// The name, with the labels of an initializer or a function: `hash(into:)`.
  let name: String

  let isPublic: Bool

  /// Reads a line of code, or gives nothing if it declares nothing.
  init?(_ line: Substring, at index: Int) {
    let pattern =
      #/
      ^\s* (?: @\w+ (?: \([^)]*\) )? \s+ )* ((?: [a-z]+ (?: \(set\) )? \s+ )*?)
      (?: (?: var|let|struct|enum|class|actor|protocol|typealias ) \s+ (\w+)
        | func \s+ ([^\s(<]+) | (init|subscript) ) (.*)
      /#
    guard let match = line.wholeMatch(of: pattern) else { return nil }
    self.index = index
    isPublic = match.1.split(separator: " ").contains { $0 == "public" || $0 == "open" }
    if let value = match.2 {
      name = String(value)
    } else {
      name = String(match.3 ?? match.4 ?? "") + Declaration.labels(match.5)
    }
  }

  /// The labels of a list of parameters, as `(into:)`; operators have none worth naming.
  private static func labels(_ rest: Substring) -> String {
    guard let list = rest.firstMatch(of: #/^[?!]?(?:<[^>]*>)?\((.*)/#) else { return "" }
    let labels = list.1.matches(of: #/(?:^|,)\s*(\w+)[^:,()]*:/#).map { "\($0.1):" }
    return "(\(labels.joined()))"
  }
}

extension TextFile {
  var publicDeclarations: [Declaration] {
    code.enumerated().compactMap { index, line in
      guard line.contains("public ") || line.contains("open ") else { return nil }
      return Declaration(line, at: index).flatMap { $0.isPublic ? $0 : nil }
    }
  }

  /// Whether a documentation comment stands above a line, attributes between them left out.
  func isDocumented(at index: Int) -> Bool {
    let above = lines[..<index].last {
      !$0.trimmed.hasPrefix("@") && !$0.trimmed.hasPrefix("#")
    }
    return above?.trimmed.hasPrefix("///") ?? false
  }

  /// Whether an initializer holds nothing but lines of the form `self.name = name`.
  func onlySetsProperties(at index: Int) -> Bool {
    let indentation = code[index].indentation
    guard code[index].contains("init") else { return false }
    let rest = code[index...].prefix {
      !($0.indentation == indentation && $0.trimmed.hasPrefix("}"))
    }
    guard let opening = rest.firstIndex(where: { $0.trimmed.hasSuffix("{") }) else { return false }
    return rest[(opening + 1)...].allSatisfy { line in
      line.trimmed.wholeMatch(of: #/self\.(\w+) = (\w+)/#).map { $0.1 == $0.2 } ?? false
    }
  }

  /// What the type or extension around a line inherits from.
  func header(around index: Int) -> [String] {
    let indentation = code[index].indentation
    let headers = code[..<index].indices.reversed().filter {
      code[$0].indentation < indentation && !code[$0].trimmed.isEmpty
    }
    guard let start = headers.first else { return [] }
    let text = code[start...index].joined(separator: " ").prefix { $0 != "{" }
    return text.split { !$0.isLetter && !$0.isNumber }.map { String($0) }
  }

  /// The protocols that the file declares, with what they ask for.
  var protocols: [(name: String, requirements: [String])] {
    code.indices.compactMap { start in
      guard code[start].contains("protocol "),
        let match = code[start].firstMatch(of: #/\bprotocol (\w+)/#)
      else { return nil }
      let body = code[(start + 1)...].prefix { $0.indentation > 0 || $0.trimmed.isEmpty }
      let requirements = body.indices.compactMap { Declaration(code[$0], at: $0)?.name }
      return (String(match.1), requirements)
    }
  }
}
