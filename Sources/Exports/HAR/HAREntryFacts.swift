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
  private var isFromCache = false

  /// What the request was for, in lower case; empty if that is not told.
  private(set) var resourceType = ""

  /// Reads an element, before which `scanner` stands, and passes it whole.
  mutating func read(from scanner: inout JSONScanner) throws(JSONError) {
    var names = SeenNames()
    try scanner.enter()
    while try scanner.nextMember() {
      if try readCache(from: &scanner) { continue }
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
      } else if scanner.isNamed("_resourceType") {
        resourceType = try scanner.string()?.description.lowercased() ?? ""
      } else {
        try scanner.skip()
      }
    }
    hasRepeatedName = names.hasRepeated
  }

  /// Reads a member that may say that the answer came from a cache; false if it is another.
  private mutating func readCache(from scanner: inout JSONScanner) throws(JSONError) -> Bool {
    if scanner.namesCacheFlag {
      isFromCache = try scanner.isTrueOrText() || isFromCache
    } else if scanner.isNamed("_fetchType") {
      isFromCache = try scanner.string()?.description.hasSuffix("Cache") ?? false || isFromCache
    } else if scanner.isNamed("cache") {
      isFromCache = try HAREntryFacts.isCacheUsed(&scanner) || isFromCache
    } else {
      return false
    }
    return true
  }

  /// Firefox says that by an `afterRequest` alone, which may be null.
  private static func isCacheUsed(_ scanner: inout JSONScanner) throws(JSONError) -> Bool {
    guard try scanner.enter(.object) else { return false }
    var before = false
    var after = false
    while try scanner.nextMember() {
      before = scanner.isNamed("beforeRequest") || before
      after = scanner.isNamed("afterRequest") || after
      try scanner.skip()
    }
    return after && !before
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

  /// The element, if it can be taken; `resourceType` is the place of its type in the list of types.
  func element(offset: Int, index: Int, resourceType: UInt8) -> HARElement? {
    guard refusal == nil, let started else { return nil }
    let told = toldMicroseconds
    func part(_ range: Range<Int>) -> HARElement.Part {
      guard !range.isEmpty else { return HARElement.Part() }
      return HARElement.Part(
        offset: UInt32(range.lowerBound - offset),
        byteCount: UInt32(range.count)
      )
    }
    return HARElement(
      offset: offset,
      began: started.microseconds,
      ended: started.microseconds + (told ?? 0),
      index: UInt32(clamping: index),
      request: part(request.range),
      response: part(response.range),
      text: part(response.text.range),
      textHasEscapes: response.text.hasEscapes,
      isFromCache: isFromCache,
      resourceType: resourceType,
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
