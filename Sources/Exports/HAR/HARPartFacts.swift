internal import TidemarkJSON

/// What the first pass keeps of a request.
struct RequestFacts {
  /// Where it stands in the file.
  var range = 0..<0
  var isObject = false
  var hasMethod = false
  var hasURL = false

  init() {}

  init(from scanner: inout JSONScanner, _ outer: inout SeenNames) throws(JSONError) {
    let start = try scanner.start()
    defer { range = start..<scanner.offset }
    guard try scanner.enter(.object) else { return }
    isObject = true
    var names = SeenNames()
    while try scanner.nextMember() {
      if scanner.isNamed("method") {
        names.see(0)
        hasMethod = try scanner.passText()
      } else if scanner.isNamed("url") {
        names.see(1)
        hasURL = try scanner.passText()
      } else {
        try scanner.skip()
      }
    }
    outer.add(names)
  }
}

/// What the first pass keeps of a response.
struct ResponseFacts {
  /// Where it stands in the file.
  var range = 0..<0
  var status = 0.0
  var hasFailed = false
  var text = JSONText(range: 0..<0, hasEscapes: false)

  init() {}

  init(from scanner: inout JSONScanner, _ outer: inout SeenNames) throws(JSONError) {
    let start = try scanner.start()
    defer { range = start..<scanner.offset }
    guard try scanner.enter(.object) else { return }
    var names = SeenNames()
    while try scanner.nextMember() {
      if scanner.isNamed("status") {
        names.see(0)
        status = try scanner.number() ?? 0
      } else if scanner.isNamed("content") {
        names.see(1)
        try readContent(from: &scanner, &names)
      } else if scanner.isNamed("_error") || scanner.isNamed("_failureText") {
        hasFailed = try scanner.passText() || hasFailed
      } else if scanner.isNamed("_charlesStatus") {
        hasFailed = try scanner.string().map { !$0.isComplete } ?? false || hasFailed
      } else {
        try scanner.skip()
      }
    }
    outer.add(names)
  }

  private mutating func readContent(
    from scanner: inout JSONScanner,
    _ outer: inout SeenNames
  ) throws(JSONError) {
    text = JSONText(range: 0..<0, hasEscapes: false)
    guard try scanner.enter(.object) else { return }
    var names = SeenNames()
    while try scanner.nextMember() {
      if scanner.isNamed("text"), try scanner.kind() == .string {
        names.see(0)
        text = try scanner.text()
      } else {
        try scanner.skip()
      }
    }
    outer.add(names)
  }
}

extension JSONString {
  /// Whether Charles saw the exchange to its end.
  fileprivate var isComplete: Bool {
    description.lowercased() == "complete"
  }
}

/// Which of the names that are read have been seen in one object.
struct SeenNames {
  private var bits: UInt8 = 0
  private(set) var hasRepeated = false

  mutating func see(_ place: UInt8) {
    hasRepeated = hasRepeated || bits & 1 << place != 0
    bits |= 1 << place
  }

  mutating func add(_ inner: SeenNames) {
    hasRepeated = hasRepeated || inner.hasRepeated
  }
}

extension JSONScanner {
  /// Whether the member that was entered last says that an answer came from a cache.
  var namesCacheFlag: Bool {
    isNamed("_fromCache") || isNamed("_fromDiskCache") || isNamed("_fromMemoryCache")
      || isNamed("fromDiskCache")
  }

  /// Whether `true` or a text that is not empty comes next; any value is passed.
  mutating func isTrueOrText() throws(JSONError) -> Bool {
    try kind() == .string ? try passText() : try isTrue()
  }

  /// Where the next value begins.
  fileprivate mutating func start() throws(JSONError) -> Int {
    _ = try kind()
    return offset
  }
}
