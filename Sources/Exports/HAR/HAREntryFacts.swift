internal import TidemarkJSON

/// What the first pass keeps of an element while it reads it.
///
/// Where a name stands twice in one object, the last one counts, as in a browser.
struct HAREntryFacts {
  private var hasRepeatedName = false
  private var started: HARTime?
  private var hasStarted = false
  private var milliseconds: Double?
  private var timings = HARTimings()
  private var request = RequestFacts()
  private var response = ResponseFacts()
  private var wasAborted = false

  /// Reads an element, before which `scanner` stands, and passes it whole.
  mutating func read(from scanner: inout JSONScanner) throws(JSONError) {
    var names = SeenNames()
    try scanner.enter()
    while try scanner.nextMember() {
      if scanner.isNamed("startedDateTime") {
        names.see(0)
        let text = try scanner.string()
        hasStarted = text != nil
        started = text.flatMap { HARTime($0.bytes) }
      } else if scanner.isNamed("time") {
        names.see(1)
        milliseconds = try scanner.number()
      } else if scanner.isNamed("timings") {
        names.see(2)
        timings = try HARTimings(from: &scanner)
      } else if scanner.isNamed("request") {
        names.see(3)
        request = try RequestFacts(from: &scanner, &names)
      } else if scanner.isNamed("response") {
        names.see(4)
        response = try ResponseFacts(from: &scanner, &names)
      } else if scanner.isNamed("_wasAborted") {
        wasAborted = try scanner.isTrue()
      } else {
        try scanner.skip()
      }
    }
    hasRepeatedName = names.hasRepeated
  }

  /// Why the element cannot be taken, if it cannot.
  var refusal: String? {
    if !hasStarted { return "no startedDateTime; left out, because it has no place in time" }
    if started == nil { return "startedDateTime is no date and time; left out" }
    if !request.isObject { return "no request; left out" }
    if !request.hasMethod { return "the request has no method; left out" }
    if !request.hasURL { return "the request has no URL; left out" }
    return nil
  }

  /// What is odd about it.
  var notes: [HARNote] {
    var notes: [HARNote] = []
    if hasRepeatedName { notes.append(.repeatedName) }
    if let started, !started.hasZone { notes.append(.withoutZone) }
    if let started, !started.isPlausible { notes.append(.clockSkewed) }
    return notes
  }

  /// The element, if it can be taken.
  func element(offset: Int, byteCount: Int, index: Int) -> HARElement? {
    guard refusal == nil, let started else { return nil }
    let text = response.text
    let told = toldMicroseconds
    return HARElement(
      offset: offset,
      began: started.microseconds,
      ended: started.microseconds + (told ?? 0),
      index: UInt32(index),
      byteCount: UInt32(byteCount),
      textOffset: text.range.isEmpty ? 0 : UInt32(text.range.lowerBound - offset),
      textByteCount: UInt32(text.range.count),
      textHasEscapes: text.hasEscapes,
      missingEnd: missingEnd(told != nil)
    )
  }

  private func missingEnd(_ hasTime: Bool) -> MissingEnd? {
    if wasAborted || response.hasFailed { return .aborted }
    if response.status < 100 { return .noAnswer }
    return hasTime && !timings.stopAfterWait ? nil : .noTime
  }

  /// How long the exchange took, by its time or by the sum of its timings.
  private var toldMicroseconds: Int64? {
    guard let told = HARTimings.usable(milliseconds) ?? HARTimings.usable(timings.sum) else {
      return nil
    }
    return Int64((told * 1000).rounded())
  }
}

/// The phases of an exchange, in milliseconds; a phase that did not happen is −1.
struct HARTimings {
  /// The sum of the phases that happened, if any of them is told.
  private(set) var sum: Double?

  /// Whether the answer began and its end was not seen: so Playwright says it.
  var stopAfterWait: Bool { hasWait && endsOpen }

  private var hasWait = false
  private var endsOpen = false

  private static let millisecondsMax = 1e12

  init() {}

  init(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    while try scanner.nextMember() {
      let isWait = scanner.isNamed("wait")
      let isReceive = scanner.isNamed("receive")
      // `ssl` is a part of `connect`.
      let isPhase =
        isWait || isReceive || scanner.isNamed("blocked") || scanner.isNamed("dns")
        || scanner.isNamed("connect") || scanner.isNamed("send")
      guard isPhase, let value = try scanner.number() else {
        if !isPhase { try scanner.skip() }
        continue
      }
      if let usable = HARTimings.usable(value) { sum = (sum ?? 0) + usable }
      if isWait { hasWait = value >= 0 }
      if isReceive { endsOpen = value < 0 }
    }
  }

  /// `milliseconds` if they are a duration: not negative, and less than 32 years.
  static func usable(_ milliseconds: Double?) -> Double? {
    milliseconds.flatMap { (0...millisecondsMax).contains($0) ? $0 : nil }
  }
}

/// What the first pass keeps of a request.
private struct RequestFacts {
  var isObject = false
  var hasMethod = false
  var hasURL = false

  init() {}

  init(from scanner: inout JSONScanner, _ outer: inout SeenNames) throws(JSONError) {
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
private struct ResponseFacts {
  var status = 0.0
  var hasFailed = false
  var text = JSONText(range: 0..<0, hasEscapes: false)

  init() {}

  init(from scanner: inout JSONScanner, _ outer: inout SeenNames) throws(JSONError) {
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
private struct SeenNames {
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
