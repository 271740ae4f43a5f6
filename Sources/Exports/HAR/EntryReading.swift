internal import TidemarkJSON

/// What an element says of an exchange, but for the times and the answer's text.
struct EntryReading {
  var request = RequestReading()
  var response = ResponseReading()
  var resourceType: String?
  var isFromCache = false

  init(from scanner: inout JSONScanner) throws(JSONError) {
    try scanner.enter()
    while try scanner.nextMember() {
      if scanner.isNamed("request") {
        request = try RequestReading(from: &scanner)
      } else if scanner.isNamed("response") {
        response = try ResponseReading(from: &scanner)
      } else if scanner.isNamed("_resourceType") {
        resourceType = try scanner.string()?.description.lowercased()
      } else if scanner.isNamed("cache") {
        isFromCache = try EntryReading.isCacheUsed(&scanner) || isFromCache
      } else if scanner.isNamed("_fetchType") {
        isFromCache = try scanner.string()?.description.hasSuffix("Cache") ?? false || isFromCache
      } else if scanner.namesCacheFlag {
        isFromCache = try scanner.isTrueOrText() || isFromCache
      } else {
        try scanner.skip()
      }
    }
  }

  /// Firefox says so by an `afterRequest` alone, which may be null.
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

  /// What the request was for: as told, or as the browser told the server.
  var purpose: String? {
    if let resourceType, !resourceType.isEmpty { return resourceType }
    let destination = request.headers.first("sec-fetch-dest")?.lowercased()
    return destination == "empty" ? "fetch" : destination
  }
}

/// What an element says of a request.
struct RequestReading {
  var method = ""
  var url: [UInt8] = []
  var headers = CapturedHeaders()
  var content = ContentFacts()

  init() {}

  init(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    var byteCount = -1.0
    while try scanner.nextMember() {
      if scanner.isNamed("method") {
        method = try scanner.string()?.description ?? ""
      } else if scanner.isNamed("url") {
        url = try scanner.string()?.bytes ?? []
      } else if scanner.isNamed("headers") {
        headers = try CapturedHeaders(from: &scanner)
      } else if scanner.isNamed("postData") {
        content = try ContentFacts(from: &scanner, keepsText: true)
      } else if scanner.isNamed("bodySize") {
        byteCount = try scanner.number() ?? -1
      } else {
        try scanner.skip()
      }
    }
    content.byteCount = byteCount
  }
}

/// What an element says of an answer.
struct ResponseReading {
  var status = 0
  var headers = CapturedHeaders()
  var content = ContentFacts()
  var failure: String?
  var isFromCache = false

  init() {}

  init(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    var sentByteCount = -1.0
    while try scanner.nextMember() {
      if scanner.isNamed("status") {
        let told = try scanner.number() ?? 0
        status = (100..<1000).contains(told) ? Int(told) : 0
      } else if scanner.isNamed("headers") {
        headers = try CapturedHeaders(from: &scanner)
      } else if scanner.isNamed("content") {
        content = try ContentFacts(from: &scanner, keepsText: false)
      } else if scanner.isNamed("bodySize") {
        sentByteCount = try scanner.number() ?? -1
      } else if scanner.isNamed("_error") || scanner.isNamed("_failureText") {
        let told = try scanner.string()?.description ?? ""
        failure = told.isEmpty ? failure : told
      } else if scanner.isNamed("_charlesStatus") {
        let told = try scanner.string()?.description ?? "complete"
        failure = told.lowercased() == "complete" ? failure : told
      } else if scanner.namesCacheFlag {
        isFromCache = try scanner.isTrueOrText() || isFromCache
      } else {
        try scanner.skip()
      }
    }
    content.sentByteCount = sentByteCount
  }
}

extension JSONScanner {
  /// Whether the member that was entered last says that an answer came from a cache.
  fileprivate var namesCacheFlag: Bool {
    isNamed("_fromCache") || isNamed("_fromDiskCache") || isNamed("_fromMemoryCache")
      || isNamed("fromDiskCache")
  }

  /// Whether `true` or a text that is not empty comes next; any value is passed.
  fileprivate mutating func isTrueOrText() throws(JSONError) -> Bool {
    try kind() == .string ? try passText() : try isTrue()
  }
}
