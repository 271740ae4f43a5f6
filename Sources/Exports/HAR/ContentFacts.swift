internal import TidemarkJSON

/// What a capture tells of content beside the content: in `postData` or in `content`.
struct ContentFacts {
  var mediaType: String?

  /// The length unpacked, as `content.size` or, for a request, as `bodySize`; negative: not told.
  var byteCount = -1.0

  /// The length as it was sent; negative: not told.
  var sentByteCount = -1.0

  /// How much packing saved.
  var compression: Double?

  var isBase64 = false
  var hasText = false

  /// The text; that of an answer is read apart.
  var text: JSONString?

  /// The fields of a form; nothing if one of them is a file, or there are none.
  var fields: [(name: JSONString, value: JSONString)] = []

  private var isToldCut = false

  init() {}

  /// Reads a member `postData` or `content`; the text only if it is to be kept.
  init(from scanner: inout JSONScanner, keepsText: Bool) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    while try scanner.nextMember() {
      if scanner.isNamed("mimeType") {
        mediaType = try scanner.string()?.description
      } else if scanner.isNamed("text") {
        try readText(from: &scanner, keepsText)
      } else if scanner.isNamed("encoding") || scanner.isNamed("_encoding") {
        isBase64 = try scanner.string()?.description.lowercased() == "base64"
      } else if scanner.isNamed("size") {
        byteCount = try scanner.number() ?? -1
      } else if scanner.isNamed("compression") {
        compression = try scanner.number()
      } else if scanner.isNamed("params") {
        try readFields(from: &scanner)
      } else if scanner.isNamed("comment") || scanner.isNamed("_comment") {
        let comment = try scanner.string()?.description.lowercased() ?? ""
        isToldCut = isToldCut || comment.contains("truncated")
      } else if scanner.isNamed("_truncated") || scanner.isNamed("_isTruncated") {
        isToldCut = try scanner.isTrue() || isToldCut
      } else {
        try scanner.skip()
      }
    }
  }

  private mutating func readText(
    from scanner: inout JSONScanner,
    _ keepsText: Bool
  ) throws(JSONError) {
    hasText = try scanner.kind() == .string
    if keepsText { text = try scanner.string() } else { try scanner.skip() }
  }

  private mutating func readFields(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.array) else { return }
    while try scanner.nextElement() {
      if let field = try scanner.pair() { fields.append(field) }
    }
  }

  /// Whether `count` bytes of text are fewer than were sent.
  ///
  /// Some captures tell the packed length as `size`, so a length is trusted only downwards; a byte
  /// order mark of three bytes is lost in most, and UTF-16 becomes shorter as UTF-8.
  func isCut(_ count: Int) -> Bool {
    if isToldCut { return true }
    var least = byteCount
    if sentByteCount >= 0, let compression { least = min(least, sentByteCount + compression) }
    let missing = least - Double(count)
    return missing > 0 && (isBase64 || missing != 3 && !isWideText)
  }

  private var isWideText: Bool {
    let type = mediaType?.lowercased() ?? ""
    return ["utf-16", "utf-32", "ucs-2", "utf16"].contains { type.contains($0) }
  }

  /// The fields as they would be sent.
  var form: [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in fields {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      FormEncoding.append(name.bytes, to: &bytes)
      bytes.append(UInt8(ascii: "="))
      FormEncoding.append(value.bytes, to: &bytes)
    }
    return bytes
  }
}
