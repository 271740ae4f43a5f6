internal import TidemarkJSON

/// The first pass over a capture: its structure is checked, and of each entry is kept where it is.
///
/// What is wrong with one element does not hurt the others: it is left out with its position.
struct HARIndex {
  private(set) var elements: [HARElement] = []
  private(set) var entryCount = 0
  private(set) var problems = HARProblems()
  private(set) var notes: [HARNote: Int] = [:]
  private(set) var about = HARAbout()

  /// The types that requests are told to have; the first one is none.
  private(set) var resourceTypes = [""]

  private let limits: HARLimits
  private var scanner: JSONScanner
  private var foundLog = false
  private var foundEntries = false
  private var isInEntries = false

  init(reading file: InputFile, limits: HARLimits) throws(HARError) {
    self.limits = limits
    scanner = JSONScanner(reading: file, from: try HARIndex.start(of: file))
    do throws(JSONError) {
      try readRoot()
      try scanner.finish()
    } catch {
      if error.code == .unreadable { throw .unreadable(file.failure(saying: error.message)) }
      let rest = error.code == .cut ? "what came before it was taken" : "the rest was left out"
      let index = isInEntries ? entryCount : nil
      problems.add("\(error.message); \(rest)", at: error.offset, index: index)
    }
    guard foundEntries else { throw .notACapture(whyNot) }
  }

  /// Why there are no entries: the first problem, if there is one.
  private var whyNot: HARProblem {
    if let first = problems.listed.first { return first }
    let what = foundLog ? "'log' has no 'entries'" : "there is no 'log'"
    return HARProblem(offset: scanner.offset, reason: what)
  }

  /// The offset of the first byte behind a byte order mark.
  private static func start(of file: InputFile) throws(HARError) -> Int {
    var bytes = [UInt8](repeating: 0, count: 4)
    let count: Int
    do { count = try file.take(4, at: 0, into: &bytes, from: 0) } catch { throw .unreadable(error) }
    guard count > 0 else { throw .notACapture(HARProblem(offset: 0, reason: "the file is empty")) }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return 3 }
    let isMarkedWide = bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
    guard !isMarkedWide, count < 2 || (bytes[0] != 0 && bytes[1] != 0) else {
      let reason = "the text is UTF-16 or UTF-32, or no text; a HAR file is UTF-8, save it as that"
      throw .notACapture(HARProblem(offset: 0, reason: reason))
    }
    return 0
  }

  private mutating func readRoot() throws(JSONError) {
    guard try scanner.kind() == .object else { throw scanner.unexpected("an object with 'log'") }
    try scanner.enter()
    while try scanner.nextMember() {
      if scanner.isNamed("log"), try isFirst(.object, foundLog) {
        foundLog = true
        try readLog()
      } else {
        try readOther(inLog: false)
      }
    }
  }

  private mutating func readLog() throws(JSONError) {
    try scanner.enter()
    while try scanner.nextMember() {
      if scanner.isNamed("entries"), try isFirst(.array, foundEntries) {
        foundEntries = true
        try readEntries()
      } else {
        try readOther(inLog: true)
      }
    }
  }

  /// Whether the next value is the first of its name and of the right kind; if not, it is reported.
  private mutating func isFirst(_ kind: JSONKind, _ found: Bool) throws(JSONError) -> Bool {
    let name = scanner.nameText
    guard try scanner.kind() == kind else {
      problems.add("'\(name)' is no \(kind); left out", at: scanner.offset)
      return false
    }
    if found { problems.add("a second '\(name)'; the first was taken", at: scanner.offset) }
    return !found
  }

  private mutating func readEntries() throws(JSONError) {
    isInEntries = true
    try scanner.enter()
    while try nextElement() {
      try readElement()
      entryCount += 1
    }
    isInEntries = false
  }

  /// Goes to the next element; what stands between two elements without a comma is left out.
  private mutating func nextElement() throws(JSONError) -> Bool {
    var failedAt: Int?
    while true {
      do throws(JSONError) {
        return try scanner.nextElement()
      } catch {
        let place = try scanner.place()
        if failedAt == place.offset { throw error }
        failedAt = place.offset
        try leaveOut(place, because: error)
      }
    }
  }

  private mutating func readElement() throws(JSONError) {
    let place = try scanner.place()
    do throws(JSONError) {
      guard try scanner.kind() == .object else {
        problems.add("no object; left out", at: place.offset, index: entryCount)
        return try scanner.skip()
      }
      var facts = HAREntryFacts()
      try facts.read(from: &scanner)
      take(facts, at: place.offset)
    } catch {
      try leaveOut(place, because: error)
    }
  }

  /// Reads or passes a member that is not the one looked for.
  private mutating func readOther(inLog: Bool) throws(JSONError) {
    let place = try scanner.place()
    do throws(JSONError) {
      if inLog { try about.read(from: &scanner) } else { try scanner.skip() }
    } catch {
      try leaveOut(place, because: error)
    }
  }

  /// Reports a value that is not JSON, and passes it by its quotes and brackets alone.
  private mutating func leaveOut(
    _ place: JSONScanner.Place,
    because error: JSONError
  ) throws(JSONError) {
    guard error.code != .cut, error.code != .unreadable else { throw error }
    problems.add(
      "\(error.message); the value was left out",
      at: error.offset,
      index: isInEntries ? entryCount : nil
    )
    try scanner.passOver(place)
  }

  private mutating func take(_ facts: HAREntryFacts, at offset: Int) {
    let byteCount = scanner.offset - offset
    if byteCount > limits.entryBytesMax {
      refuse("\(byteCount) bytes, \(limits.entryBytesMax) are allowed; left out", at: offset)
    } else if elements.count == limits.entriesMax {
      refuse("more than \(limits.entriesMax) entries; left out", at: offset)
    } else if let refusal = facts.refusal {
      refuse(refusal, at: offset)
    } else {
      let type = place(ofType: facts.resourceType)
      let element = facts.element(offset: offset, index: entryCount, resourceType: type)
      if let element { elements.append(element) }
      for note in facts.notes { notes[note, default: 0] += 1 }
    }
  }

  /// The place of a type in the list; types beyond the 255th are not told.
  private mutating func place(ofType type: String) -> UInt8 {
    if let place = resourceTypes.firstIndex(of: type) { return UInt8(place) }
    guard resourceTypes.count <= UInt8.max, type.utf8.count <= 64 else { return 0 }
    resourceTypes.append(type)
    return UInt8(resourceTypes.count - 1)
  }

  private mutating func refuse(_ reason: String, at offset: Int) {
    problems.add(reason, at: offset, index: entryCount)
  }
}
