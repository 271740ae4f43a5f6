package import TidemarkEntries

/// What a change of a capture is taken to touch: a capture declares nothing itself.
package struct TouchPolicy: Sendable {
  /// What holds where no rule of the app's own speaks.
  package enum Fence: String, Sendable, CaseIterable {
    /// The path of the change, the collections above it, and what lies under it.
    case paths

    /// Everything on the same server.
    case scope
  }

  package var fence: Fence
  package var rules: [TouchRule]

  package init(fence: Fence = .paths, rules: [TouchRule] = []) {
    self.fence = fence
    self.rules = rules
  }

  /// The policy in one line, as the journal records it.
  package var description: String {
    ([fence.rawValue] + rules.map(\.text)).joined(separator: "; ")
  }

  /// What the change touches; nothing means everything.
  package func touches(_ method: String, _ path: Path) -> [Touch]? {
    let resource = Path(canonical: Array(path.resource))
    for rule in rules {
      if let targets = rule.targets(method, resource) {
        return targets.map { [Touch(.resource, resource)] + $0 } ?? nil
      }
    }
    guard fence == .paths else { return nil }
    return [Touch(.resource, resource), Touch(.under, resource)] + TouchPolicy.above(resource)
  }

  /// How many collections above a path are taken to be touched; the nearest ones.
  private static let aboveMax = 16

  /// The collections above a path; the root is none, or every change would touch the first page.
  private static func above(_ path: Path) -> [Touch] {
    var touches: [Touch] = []
    var rest = path.bytes[...]
    while touches.count < aboveMax, let slash = rest.lastIndex(of: UInt8(ascii: "/")),
      slash > rest.startIndex
    {
      rest = rest[..<slash]
      touches.append(Touch(.resource, Path(canonical: Array(rest))))
    }
    return touches
  }
}

/// A rule of an app's own: which paths a change touches besides its own.
///
/// `PATCH /notes/*: /notes /notes/*/history /tags/**`. The method may be `*`; in the pattern a `*`
/// stands for one segment and a `**` at the end for all that follow; in what is touched a `*`
/// stands for what the `*` of the same place in the pattern stood for, and `/**` for what lies
/// under. `**` alone is everything on the server.
package struct TouchRule: Sendable {
  /// The rule as it was given.
  package let text: String
  private let method: String
  private let pattern: [String]
  let targets: [[String]]
  private let isEverything: Bool

  /// - Throws: ``EntryError`` with code `address` if the text is no rule.
  package init(_ text: String) throws(EntryError) {
    self.text = text
    guard let colon = text.firstIndex(of: ":") else { throw TouchRule.malformed(text, "no ':'") }
    let head = text[..<colon].split(separator: " ")
    let tail = text[text.index(after: colon)...].split(separator: " ")
    guard head.count == 2 else { throw TouchRule.malformed(text, "METHOD PATTERN before the ':'") }
    guard !tail.isEmpty else { throw TouchRule.malformed(text, "no path after the ':'") }
    method = String(head[0])
    pattern = try TouchRule.segments(head[1], text)
    isEverything = tail == ["**"]
    var targets: [[String]] = []
    if !isEverything {
      for target in tail { targets.append(try TouchRule.segments(target, text)) }
    }
    self.targets = targets
  }

  private static func segments(_ path: Substring, _ rule: String) throws(EntryError) -> [String] {
    guard path.hasPrefix("/") else { throw malformed(rule, "'\(path)' does not begin with '/'") }
    let segments = path.split(separator: "/").map(String.init)
    guard !segments.dropLast().contains("**") else {
      throw malformed(rule, "'**' stands at the end only")
    }
    return segments
  }

  private static func malformed(_ text: String, _ reason: String) -> EntryError {
    EntryError(.address, "'\(text.prefix(200))' is no rule of what a change touches: \(reason)")
  }

  /// What a change touches by this rule: nothing if the rule does not speak of it; in that, nothing
  /// again for everything.
  func targets(_ method: String, _ path: Path) -> [Touch]?? {
    guard self.method == "*" || self.method == method,
      let stars = TouchRule.match(pattern, path)
    else { return nil }
    return .some(isEverything ? nil : targets.map { TouchRule.touch($0, stars) })
  }

  /// What the stars of `pattern` stand for, if it matches.
  static func match(_ pattern: [String], _ path: Path) -> [String]? {
    let segments = path.resource.split(separator: UInt8(ascii: "/"))
      .map { String(decoding: $0, as: UTF8.self) }
    var stars: [String] = []
    for (index, wanted) in pattern.enumerated() {
      if wanted == "**" { return stars }
      guard index < segments.count else { return nil }
      if wanted == "*" {
        stars.append(segments[index])
      } else if !wanted.utf8.elementsEqual(segments[index].utf8) {
        return nil
      }
    }
    return segments.count == pattern.count ? stars : nil
  }

  private static func touch(_ target: [String], _ stars: [String]) -> Touch {
    var rest = stars[...]
    var segments: [String] = []
    let isUnder = target.last == "**"
    for segment in isUnder ? target.dropLast() : target[...] {
      segments.append(segment == "*" ? rest.popFirst() ?? "*" : segment)
    }
    let path = Path(canonical: Array(("/" + segments.joined(separator: "/")).utf8))
    return Touch(isUnder ? .under : .resource, path)
  }
}
