internal import TidemarkCompression
internal import TidemarkInflate
internal import TidemarkJSON

/// Makes bodies of what a capture holds of them: takes off escapes, base64 and content codings.
struct BodyReader {
  private let zstd = Decompressor()

  /// The longest body that is kept.
  private let byteCountMax: Int

  init(byteCountMax: Int) {
    self.byteCountMax = byteCountMax
  }

  /// The body of an answer, of which `raw` stands between the quotes of `content.text`.
  ///
  /// `coding` is the header `content-encoding`, and `cannotHaveContent` tells whether an answer to
  /// this method, with this status, has none by HTTP.
  func answer(
    _ raw: RawSpan,
    hasEscapes: Bool,
    _ facts: ContentFacts,
    coding: String?,
    cannotHaveContent: Bool
  ) -> CapturedBody {
    if !raw.isEmpty { return content(raw, hasEscapes: hasEscapes, facts, coding: coding) }
    var body = BodyReader.empty(facts)
    let isEmpty = facts.byteCount == 0 && facts.sentByteCount <= 0
    let isToldEmpty = facts.hasText && facts.byteCount <= 0
    if !cannotHaveContent, !isEmpty, !isToldEmpty { body.gap = .absent }
    return body
  }

  /// The body of a request; nothing if it had none.
  func request(_ facts: ContentFacts, coding: String?) -> CapturedBody? {
    if let text = facts.text, !text.bytes.isEmpty {
      var body = content(text.bytes.span.bytes, hasEscapes: false, facts, coding: coding)
      if text.isAltered, body.gap == nil { body.gap = .altered }
      return body
    }
    var body = BodyReader.empty(facts)
    if !facts.fields.isEmpty, facts.mediaType?.hasPrefix("multipart/") != true {
      body.bytes = facts.form
      body.gap = .rebuilt
    } else if facts.byteCount > 0 {
      body.gap = .absent
    } else if facts.text == nil {
      return nil
    }
    return body
  }

  /// The body of an answer that is read later.
  static func unread(_ facts: ContentFacts) -> CapturedBody {
    var body = empty(facts)
    body.gap = .unread
    return body
  }

  /// A body without bytes.
  private static func empty(_ facts: ContentFacts) -> CapturedBody {
    var body = CapturedBody()
    body.mediaType = facts.mediaType
    body.toldByteCount = facts.byteCount >= 0 ? Int(exactly: facts.byteCount.rounded()) : nil
    return body
  }

  private func content(
    _ raw: RawSpan,
    hasEscapes: Bool,
    _ facts: ContentFacts,
    coding: String?
  ) -> CapturedBody {
    var body = BodyReader.empty(facts)
    let codings = BodyReader.codings(coding)
    // Base64 has 4 characters for 3 bytes, and an escape at most 6 for 1: no need to decode those.
    if raw.byteCount > byteCountMax * (hasEscapes ? 6 : 2) {
      body.gap = .tooLong
    } else if facts.isBase64 {
      let decoded = hasEscapes ? Base64.decode(text(raw).bytes.span.bytes) : Base64.decode(raw)
      if let decoded { unpack(decoded, codings, into: &body) } else { body.gap = .malformed }
    } else {
      let text = JSONString(raw: raw, hasEscapes: hasEscapes)
      body.bytes = text.bytes
      body.gap = text.isAltered ? .altered : BodyReader.mangled(text.bytes, codings)
    }
    if body.bytes.count > byteCountMax {
      body.bytes = []
      body.gap = .tooLong
    }
    if body.gap == nil, facts.isCut(body.bytes.count) { body.gap = .cut }
    return body
  }

  private func text(_ raw: RawSpan) -> JSONString {
    JSONString(raw: raw, hasEscapes: true)
  }

  // MARK: - Content codings

  /// The codings that a header names, in the order in which they were put on.
  private static func codings(_ header: String?) -> [String] {
    guard let header, !header.isEmpty else { return [] }
    return header.lowercased().split(whereSeparator: { ", \n".contains($0) }).map(String.init)
  }

  /// Takes off the codings that are still on.
  ///
  /// Most captures hold content unpacked and keep the header, so a coding is taken off only if the
  /// bytes begin as it does.
  private func unpack(_ bytes: [UInt8], _ codings: [String], into body: inout CapturedBody) {
    body.bytes = bytes
    for coding in codings.suffix(HARLimits.codingsMax).reversed() {
      switch unpacked(body.bytes, coding, mediaType: body.mediaType ?? "") {
      case nil: continue
      case .whole(let unpacked): body.bytes = unpacked
      case .cut:
        body.gap = .cut
        return
      case .tooLong:
        body.bytes = []
        body.gap = .tooLong
        return
      case .malformed:
        body.gap = .packed(coding)
        return
      }
    }
  }

  /// What comes of taking `coding` off; nothing if it is not on.
  private func unpacked(_ bytes: [UInt8], _ coding: String, mediaType: String) -> Unpacked? {
    let limit = min(
      byteCountMax,
      max(1 << 20, bytes.count * HARLimits.unpackedRatioMax)
    )
    switch coding {
    case "gzip", "x-gzip":
      guard bytes.starts(with: [0x1f, 0x8b]), !mediaType.contains("gzip") else { return nil }
      return Zlib.inflate(bytes, .gzip, byteCountMax: limit)
    case "deflate":
      return unpackedDeflate(bytes, byteCountMax: limit)
    case "zstd":
      guard bytes.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) else { return nil }
      return zstd.unpack(bytes, byteCountMax: limit)
    case "br":
      // Brotli has no mark; a text that is no text is taken for it.
      let isPacked = BodyReader.isText(mediaType) && !bytes.span.bytes.isUTF8
      return isPacked ? .malformed("brotli is not unpacked") : nil
    default: return nil
    }
  }

  /// HTTP's `deflate` has a zlib header, or, with some servers, none.
  private func unpackedDeflate(_ bytes: [UInt8], byteCountMax: Int) -> Unpacked? {
    guard bytes.count >= 2 else { return nil }
    let hasHeader = bytes[0] & 0x0f == 8 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
    if hasHeader { return Zlib.inflate(bytes, .zlib, byteCountMax: byteCountMax) }
    switch Zlib.inflate(bytes, .raw, byteCountMax: byteCountMax) {
    case .whole(let unpacked): return .whole(unpacked)
    case .tooLong: return .tooLong
    case .cut, .malformed: return nil
    }
  }

  /// Packed bytes that were taken for text by who made the capture are lost.
  private static func mangled(_ bytes: [UInt8], _ codings: [String]) -> BodyGap? {
    let isGzip =
      bytes.starts(with: [0x1f, 0xc2, 0x8b]) || bytes.starts(with: [0x1f, 0xef, 0xbf, 0xbd])
    return isGzip && codings.contains("gzip") ? .packed("gzip") : nil
  }

  private static func isText(_ mediaType: String) -> Bool {
    let type = mediaType.lowercased()
    return type.hasPrefix("text/")
      || ["json", "javascript", "xml", "x-www-form-urlencoded"].contains { type.contains($0) }
  }
}
