import TestSupport
import Testing
import TidemarkCompression
import TidemarkEntries
import TidemarkExports
import TidemarkJSON

/// What becomes of contents, in all the ways in which captures hold them.
@Suite struct CapturedBodyTests {
  private func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let value = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for place in 0..<4 {
        text.append(
          place > part.count ? UInt8(ascii: "=") : letters[value >> (18 - 6 * place) & 63]
        )
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func packed(
    _ bytes: [UInt8],
    _ coding: String,
    mediaType: String = "application/json",
    more: String = ""
  ) throws -> CapturedBody {
    let text = "\"text\": \"\(base64(bytes))\", \"encoding\": \"base64\""
    return try body(
      "{\(text), \"mimeType\": \"\(mediaType)\"\(more)}",
      headers: "{\"name\": \"Content-Encoding\", \"value\": \"\(coding)\"}"
    )
  }

  private let gzip = Hex.decode("1f8b08000000000002ffabae050043bfa6a302000000") ?? []
  private let zlib = Hex.decode("789cabae0500017500f9") ?? []
  private let raw = Hex.decode("abae0500") ?? []

  // MARK: Text

  @Test func `text is taken as UTF-8, with its escapes taken out`() throws {
    let body = try body(
      #"{"text": "{\"a\":\"\u00e9\ud83d\ude00é\/\"}", "size": 17, "mimeType": "x/y; a=b"}"#
    )
    #expect(body.text == #"{"a":"é😀é/"}"#)
    #expect(body.isWhole)
    #expect(body.mediaType == "x/y; a=b")
    #expect(body.toldByteCount == 17)
  }

  @Test func `what is no character is replaced, and told`() throws {
    #expect(try body(#"{"text": "a\ud800b"}"#).gap == .altered)
    let text = Array(captureText([entryText(content: #"{"text": "a#b"}"#)]).utf8)
    let invalid = text.map { $0 == UInt8(ascii: "#") ? 0xff : $0 }
    let exchange = try #require(try Reading(invalid).exchanges.first)
    #expect(exchange.responseBody.gap == .altered)
    #expect(exchange.responseBody.text == "a\u{fffd}b")
  }

  @Test func `content that the capture does not hold is absent`() throws {
    for content in [
      nil, "null", "{}", #"{"size": 5}"#, #"{"size": -1, "mimeType": "x/y"}"#,
      #"{"text": null, "size": 5}"#,
      #"{"text": 5, "size": 5}"#, #"{"text": "", "size": 5}"#,
      #"{"_file": "abc.json", "size": -1}"#,
      #"{"size": 5, "comment": "Response bodies are not included."}"#,
    ] {
      let body = try exchange(entryText(content: content)).responseBody
      #expect(body.gap == .absent, "\(content ?? "")")
      #expect(body.bytes.isEmpty)
    }
    #expect(try body(#"{"size": 5}"#).toldByteCount == 5)
  }

  @Test func `content that is empty is whole`() throws {
    for content in [
      #"{"size": 0}"#, #"{"text": "", "size": 0}"#, #"{"text": ""}"#, #"{"size": "0"}"#,
    ] {
      #expect(try body(content).isWhole, "\(content)")
    }
    let untold = try exchange(entryText(response: "\"bodySize\": 20", content: #"{"size": 0}"#))
    #expect(untold.responseBody.gap == .absent)
  }

  @Test func `an answer that has no content by HTTP is whole without any`() throws {
    for status in ["204", "205", "304"] {
      #expect(try body(#"{"size": 5}"#, status: status).isWhole, "\(status)")
    }
    #expect(
      try exchange(entryText(method: "\"HEAD\"", content: #"{"size": 5}"#)).responseBody.isWhole
    )
    let confirmed = try exchange(entryText(status: "304", content: #"{"text": "[]"}"#))
    #expect(confirmed.responseBody.text == "[]")
    #expect(confirmed.wasCached)
  }

  @Test func `content shorter than the capture tells is cut`() throws {
    #expect(try body(#"{"text": "[1,2", "size": 9}"#).gap == .cut)
    #expect(try body(#"{"text": "[1,2", "size": 4}"#).isWhole)
    #expect(try body(#"{"text": "[1,2", "size": 3}"#).isWhole)
    #expect(try body(#"{"text": "[1,2", "size": -1}"#).isWhole)
    #expect(try body(#"{"text": "AAAA", "encoding": "base64", "size": 6}"#).gap == .cut)
    for told in [
      #""comment": "Truncated to 1 MB""#, #""_comment": "truncated""#, #""_truncated": true"#,
    ] {
      #expect(try body("{\"text\": \"[1,2\", \"size\": 4, \(told)}").gap == .cut, "\(told)")
    }
    #expect(try body(#"{"text": "[1,2", "comment": "", "_truncated": false}"#).isWhole)
  }

  @Test func `a length that has another reason does not make content cut`() throws {
    // A byte order mark is lost; UTF-16 was twice as long; mitmproxy tells the packed length.
    #expect(try body(#"{"text": "[1,2", "size": 7}"#).isWhole)
    #expect(
      try body(#"{"text": "ab", "size": 4, "mimeType": "text/plain; charset=UTF-16LE"}"#).isWhole
    )
    let mitmproxy = entryText(
      response: "\"bodySize\": 60",
      content: #"{"text": "[1,2]", "size": 60, "compression": -55}"#
    )
    #expect(try exchange(mitmproxy).responseBody.isWhole)
  }

  // MARK: Base64

  @Test(arguments: [
    "+/+/AAEC", "+/+/AAEC\\n", "+/\\n+/A\\r\\nAEC", "+\\/+\\/AAEC", "-_-_AAEC", " +/+/ AAEC ",
    "+/+/AAE\\u0043",
  ])
  func `base64 is taken with line breaks, of both alphabets, with escapes`(text: String) throws {
    let body = try body("{\"text\": \"\(text)\", \"encoding\": \"base64\"}")
    #expect(body.bytes == [0xfb, 0xff, 0xbf, 0, 1, 2])
    #expect(body.isWhole)
  }

  @Test func `base64 is taken with and without padding`() throws {
    for count in 0..<40 {
      let bytes = (0..<UInt8(count)).map { $0 &* 41 &+ 7 }
      let text = base64(bytes)
      for form in [text, text.replacing("=", with: "")] {
        let body = try body("{\"text\": \"\(form)\", \"encoding\": \"Base64\"}")
        #expect(body.bytes == bytes, "\(form)")
        #expect(body.isWhole)
      }
    }
  }

  @Test(arguments: [
    "A", "AAAAA", "AA=A", "A===A", "AAA*", "AAAAAAAA.", "é", "====A", "AAAA\\u0000",
  ])
  func `what is not base64 is left out, and told`(text: String) throws {
    let reading = try Reading(
      captureText([entryText(content: "{\"text\": \"\(text)\", \"encoding\": \"base64\"}")])
    )
    #expect(reading.order == "+0 -0")
    #expect(reading.exchanges.first?.responseBody.gap == .malformed)
    #expect(reading.exchanges.first?.responseBody.bytes == [])
    #expect(reading.problems.map(\.index) == [0])
    #expect(reading.problems.first?.reason.contains("not base64") == true)
  }

  @Test func `text that is called anything but base64 is text`() throws {
    #expect(try body(#"{"text": "AAAA", "encoding": "utf-8"}"#).text == "AAAA")
    #expect(try body(#"{"text": "AAAA", "encoding": null}"#).text == "AAAA")
  }

  // MARK: Content codings

  @Test func `content that is still packed is unpacked`() throws {
    let zstd = try #require(
      Compressor().compress(Array(String(repeating: "{}", count: 100).utf8))
    )
    for (bytes, coding) in [
      (gzip, "gzip"), (gzip, "x-gzip"), (gzip, "GZIP"), (gzip + gzip, "gzip"), (zlib, "deflate"),
      (raw, "deflate"), (zstd, "zstd"),
    ] {
      let body = try packed(bytes, coding)
      #expect(body.isWhole, "\(coding)")
      #expect(body.text.hasPrefix("{}"), "\(coding)")
    }
    #expect(try packed(gzip + gzip, "gzip").text == "{}{}")
  }

  @Test func `content that was unpacked already is left as it is`() throws {
    for coding in ["gzip", "deflate", "zstd", "br", "identity", "gzip, br"] {
      let body = try packed(Array("{}".utf8), coding)
      #expect(body.isWhole, "\(coding)")
      #expect(body.text == "{}", "\(coding)")
    }
    let archive = try packed(gzip, "gzip", mediaType: "application/gzip")
    #expect(archive.bytes == gzip)
    #expect(archive.isWhole)
    let image = try packed([0x89, 0x50, 0xff], "br", mediaType: "image/png")
    #expect(image.isWhole)
  }

  @Test func `codings are taken off in their order`() throws {
    // A zstd frame with one raw block (RFC 8878, section 3.1.1).
    let count = UInt8(gzip.count)
    let twice = [0x28, 0xb5, 0x2f, 0xfd, 0x20, count, count << 3 | 1, 0, 0] + gzip
    #expect(try packed(twice, "gzip, zstd").text == "{}")
    #expect(try packed(twice, "zstd, gzip").bytes == gzip)
    #expect(try packed(gzip, "zstd, gzip").text == "{}")
  }

  @Test func `brotli stays packed, and is told`() throws {
    let body = try packed([0x0b, 0x00, 0x80, 0x7b, 0x7d, 0x03, 0xff], "br")
    #expect(body.gap == .packed("br"))
    #expect(body.bytes.count == 7)
    #expect(!body.isWhole)
  }

  @Test func `packed content that is broken is kept as it is, and told`() throws {
    let broken = Array(gzip[..<10]) + [0xff, 0xff, 0xff]
    #expect(try packed(broken, "gzip").gap == .packed("gzip"))
    #expect(try packed(broken, "gzip").bytes == broken)
    #expect(try packed(Array(gzip[..<13]), "gzip").gap == .cut)
    #expect(try packed(gzip + [1, 2, 3], "gzip").gap == .packed("gzip"))
  }

  @Test func `packed bytes that were taken for text are lost, and told`() throws {
    let lost = try body(
      #"{"text": "\u001f\ufffd\u0008", "mimeType": "text/html"}"#,
      headers: #"{"name": "content-encoding", "value": "gzip"}"#
    )
    #expect(lost.gap == .packed("gzip"))
  }

  @Test func `content that unpacks to far more than it is is left out, and told`() throws {
    func unpacked(_ count: Int) throws -> Reading {
      let bomb = try #require(Compressor().compress([UInt8](repeating: 0, count: count)))
      let entry = entryText(
        response: #""headers": [{"name": "content-encoding", "value": "zstd"}]"#,
        content: "{\"text\": \"\(base64(bomb))\", \"encoding\": \"base64\"}"
      )
      return try Reading(captureText([entry, entryText()]))
    }
    let reading = try unpacked((1 << 20) + 1)
    #expect(reading.exchanges.map(\.responseBody.gap) == [.tooLong, nil])
    #expect(reading.exchanges.first?.responseBody.bytes.count == 0)
    #expect(reading.problems.map(\.index) == [0])
    // Small enough to be harmless, whatever the ratio.
    let small = try unpacked(1 << 20)
    #expect(small.exchanges.first?.responseBody.bytes.count == 1 << 20)
    #expect(small.problems == [])
  }

  @Test func `content beyond the limit is left out, and told`() throws {
    var limits = HARLimits()
    limits.bodyBytesMax = 100
    let plain = String(repeating: "x", count: 100)
    let packed = try #require(Compressor().compress([UInt8](repeating: 0, count: 101)))
    let zstd = #""headers": [{"name": "content-encoding", "value": "zstd"}]"#
    let reading = try Reading(
      captureText([
        entryText(content: "{\"text\": \"\(plain)\"}"),
        entryText(content: "{\"text\": \"\(plain)x\"}"),
        entryText(content: "{\"text\": \"\(plain)\\n\"}"),
        entryText(content: "{\"text\": \"\(plain)\(plain)\(plain)\"}"),
        entryText(
          content:
            "{\"text\": \"\(base64(Array(repeating: 0, count: 101)))\", \"encoding\": \"base64\"}"
        ),
        entryText(
          response: zstd,
          content: "{\"text\": \"\(base64(packed))\", \"encoding\": \"base64\"}"
        ),
        entryText(request: "\"postData\": {\"text\": \"\(plain)x\"}"),
      ]),
      limits: limits
    )
    let gap = BodyGap.tooLong
    #expect(reading.exchanges.map(\.responseBody.gap) == [nil, gap, gap, gap, gap, gap, nil])
    #expect(reading.exchanges.map(\.responseBody.bytes.count) == [100, 0, 0, 0, 0, 0, 2])
    #expect(reading.exchanges.last?.requestBody?.gap == gap)
    #expect(Set(reading.problems.compactMap(\.index)) == [1, 2, 3, 4, 5, 6])
  }
}
