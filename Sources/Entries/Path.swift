/// Where a copy lives below its server: `/notes/41?full=1`.
///
/// Canonical, compared as bytes.
public struct Path: Sendable, Hashable, CustomStringConvertible {
  /// The canonical form, which begins with `/`.
  public let bytes: [UInt8]

  /// The longest path, in bytes.
  public static let bytesMax = 8192

  /// Takes a path or a path with a query to its canonical form.
  ///
  /// Escapes of unreserved characters are decoded, other escapes get upper-case digits, bytes that
  /// may not stand in a path are escaped, `.` and `..` segments are resolved, trailing slashes
  /// and the fragment are dropped (RFC 3986, sections 3.3, 3.4 and 6.2.2).
  ///
  /// - Throws: ``EntryError`` with code `address` if the text does not begin with `/`, or with code
  ///   `limit` if the canonical form has more than 8,192 bytes.
  /// - Complexity: O(*n*) in the length of the text.
  public init(_ text: String) throws(EntryError) {
    let received = Array(text.utf8)
    guard StoreRule.keyCanonical.isOn else {
      bytes = received
      return
    }
    guard received.first == UInt8(ascii: "/") else {
      throw EntryError(.address, "a path begins with '/': \(text.prefix(80))")
    }
    var canonical = Path.canonical(received)
    if let query = Path.query(of: received) {
      canonical.append(UInt8(ascii: "?"))
      canonical += Escapes.normalized(query, keeping: Escapes.inQuery)
    }
    guard canonical.count <= Path.bytesMax else {
      throw EntryError(
        .limit,
        "the path has \(canonical.count) bytes, \(Path.bytesMax) are allowed"
      )
    }
    bytes = canonical
  }

  package init(canonical bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The text, if the bytes are printable UTF-8; else `0x` and hexadecimal digits.
  public var description: String { Text.printable(bytes) ?? "0x" + Hex.encode(bytes) }

  /// The path without its query.
  package var resource: ArraySlice<UInt8> {
    bytes.prefix { $0 != UInt8(ascii: "?") }
  }

  /// The last segment of the resource as an app knows it, its escapes taken out: `a b` of
  /// `/notes/a%20b`.
  ///
  /// Nothing for the root, and for what is no UTF-8.
  package var lastSegment: String? {
    guard let last = resource.split(separator: UInt8(ascii: "/")).last else { return nil }
    return String(validating: Escapes.decoded(last), as: UTF8.self)
  }

  private static func canonical(_ received: [UInt8]) -> [UInt8] {
    let resource = received.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    if isCanonical(resource) { return Array(resource) }
    let escaped = Escapes.normalized(resource, keeping: Escapes.inPath)
    var segments: [ArraySlice<UInt8>] = []
    for segment in escaped.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst()
    {
      if segment.elementsEqual("..".utf8) {
        _ = segments.popLast()
      } else if !segment.elementsEqual(".".utf8) {
        segments.append(segment)
      }
    }
    while let last = segments.last, last.isEmpty { segments.removeLast() }
    return [UInt8(ascii: "/")] + segments.joined(separator: CollectionOfOne(UInt8(ascii: "/")))
  }

  /// Whether nothing is to be done: so most paths come.
  private static func isCanonical(_ resource: ArraySlice<UInt8>) -> Bool {
    let slash = UInt8(ascii: "/")
    var previous: UInt8 = 0
    for byte in resource {
      let isPlain = Escapes.inPath[Int(byte)]
      guard isPlain, previous != slash || byte != slash && byte != UInt8(ascii: ".") else {
        return false
      }
      previous = byte
    }
    return previous != slash
  }

  private static func query(of received: [UInt8]) -> ArraySlice<UInt8>? {
    let whole = received.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = whole.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    return whole[(mark + 1)...]
  }
}

/// Percent-encoding in its one normal form (RFC 3986, section 6.2.2).
enum Escapes {
  /// Of each byte, whether it stands in a path as it is; in a query a question mark does too.
  static let inPath = (0...UInt8.max).map { isUnreserved($0) || "!$&'()*+,;=:@/".utf8.contains($0) }
  static let inQuery = (0...UInt8.max).map { inPath[Int($0)] || $0 == UInt8(ascii: "?") }

  static func normalized(_ text: ArraySlice<UInt8>, keeping kept: [Bool]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == UInt8(ascii: "%"), let escaped = escape(at: index, in: text) {
        append(escaped, isPlain: isUnreserved(escaped), to: &result)
        index += 3
      } else {
        append(byte, isPlain: kept[Int(byte)], to: &result)
        index += 1
      }
    }
    return result
  }

  /// The bytes that a text with escapes stands for.
  static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let escaped = text[index] == UInt8(ascii: "%") ? escape(at: index, in: text) : nil
      result.append(escaped ?? text[index])
      index += escaped == nil ? 1 : 3
    }
    return result
  }

  private static func append(_ byte: UInt8, isPlain: Bool, to result: inout [UInt8]) {
    guard !isPlain else { return result.append(byte) }
    let digits = Array("0123456789ABCDEF".utf8)
    result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  private static func escape(at index: Int, in text: ArraySlice<UInt8>) -> UInt8? {
    guard index + 2 < text.endIndex, let high = Hex.value(of: text[index + 1]),
      let low = Hex.value(of: text[index + 2])
    else { return nil }
    return high << 4 | low
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
