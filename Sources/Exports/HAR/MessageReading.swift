internal import TidemarkJSON

/// What an element says of a request.
struct RequestReading {
  var method = ""
  var url: [UInt8] = []
  var headers = CapturedHeaders()
  var content = ContentFacts()

  init() {}

  /// What the request was for, as the browser told the server.
  var destination: String? {
    let destination = headers.first("sec-fetch-dest")?.lowercased()
    return destination == "empty" ? "fetch" : destination
  }

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
