import TestSupport
import Testing
import TidemarkJSON

@Suite struct JSONScannerTests {
  /// Passes a whole text, and tells what was wrong.
  private func failure(_ bytes: [UInt8], windowBytes: Int? = nil) throws -> JSONError? {
    var scanner = JSONScanner(bytes)
    if let windowBytes {
      let file = try TemporaryFile(bytes)
      scanner = JSONScanner(reading: try InputFile(path: file.path), windowBytes: windowBytes)
    }
    do throws(JSONError) {
      try scanner.skip()
      try scanner.finish()
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: JSONSuite.valid)
  func `what RFC 8259 allows is passed`(text: JSONSuite.Text) throws {
    #expect(try failure(text.bytes) == nil)
    #expect(try failure(text.bytes, windowBytes: 8) == nil)
  }

  @Test(arguments: JSONSuite.invalid)
  func `what RFC 8259 does not allow is refused`(text: JSONSuite.Text) throws {
    let whole = try failure(text.bytes)
    #expect(whole != nil)
    #expect(try failure(text.bytes, windowBytes: 8) == whole, "the same through a small window")
  }

  @Test(arguments: JSONSuite.up)
  func `what RFC 8259 leaves open is decided, and never a crash`(text: JSONSuite.Text) throws {
    #expect((try failure(text.bytes) == nil) == text.isTaken)
  }

  @Test func `an error tells its place`() throws {
    let error = try #require(try failure(Array(#"{"a": [1, 2, }"#.utf8)))
    #expect(error.code == .syntax)
    #expect(error.offset == 13)
    #expect("\(error)" == "a value is expected at byte 13")
  }

  @Test func `every beginning of a text is cut, never a crash and never whole`() throws {
    let text = Array(#" {"a": [1, -2.5e+7, "x\u00e9\"\\", true], "b": {"c": null, "é": []}}"#.utf8)
    #expect(try failure(text) == nil)
    for count in 0..<text.count {
      let error = try #require(try failure(Array(text[..<count])))
      #expect(error.code == .cut, "at \(count): \(error)")
      #expect(error.offset == count, "at \(count): \(error)")
    }
  }

  @Test func `64 levels are passed and 65 are too deep`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(try failure(nested(64)) == nil)
    let error = try #require(try failure(nested(65)))
    #expect(error.code == .depth)
    #expect(error.offset == 64)
    #expect(try failure(nested(1_000_000))?.code == .depth)
  }

  @Test func `a name that no window holds is refused, a value that is passed may be of any length`()
    throws
  {
    let long = String(repeating: "x", count: JSONScanner.tokenBytesMax + 1)
    let file = try TemporaryFile("{\"a\": \"\(long)\", \"\(long)\": 1}")
    var scanner = JSONScanner(reading: try InputFile(path: file.path))
    try scanner.enter()
    #expect(try scanner.nextMember())
    try scanner.skip()
    #expect(throws: JSONError.self) { try scanner.nextMember() }
  }

  @Test(arguments: [1, 7, 8, 9, 15, 16, 17, 31, 64, 100, 1000])
  func `strings of every length end where they end`(length: Int) throws {
    for special in ["", "\\n", "\\\"", "\\\\", "é", "\\u00e9"] {
      for place in Set([0, length / 2, length]) {
        let plain = String(repeating: "a", count: length)
        var inside = plain
        inside.insert(contentsOf: special, at: inside.index(inside.startIndex, offsetBy: place))
        var scanner = JSONScanner(Array("[\"\(inside)\", 7]".utf8))
        try scanner.enter()
        #expect(try scanner.nextElement())
        let string = try #require(try scanner.string())
        let meant = ["": "", "\\n": "\n", "\\\"": "\"", "\\\\": "\\", "é": "é", "\\u00e9": "é"]
        var expected = plain
        expected.insert(
          contentsOf: meant[special] ?? "",
          at: expected.index(expected.startIndex, offsetBy: place)
        )
        #expect(string.description == expected)
        #expect(try scanner.nextElement())
        #expect(try scanner.number() == 7)
        #expect(try !scanner.nextElement())
      }
    }
  }

  @Test func `half of a surrogate pair and bytes that are not UTF-8 become U+FFFD, and are told`()
    throws
  {
    func string(_ raw: [UInt8]) throws -> JSONString? {
      var scanner = JSONScanner([0x22] + raw + [0x22])
      return try scanner.string()
    }
    let pair = try string(Array(#"\ud83d\ude00"#.utf8))
    #expect(pair?.description == "😀")
    #expect(pair?.isAltered == false)
    for lone in [
      #"\ud83d"#, #"\ude00"#, #"\ud83dx"#, #"\ud83d\u0041"#, #"\ud83d\n"#, #"\ude00\ude00"#,
    ] {
      let altered = try #require(try string(Array(lone.utf8)))
      #expect(altered.isAltered, "\(lone)")
      #expect(altered.description.unicodeScalars.first == "\u{fffd}", "\(lone)")
    }
    #expect(try string(Array(#"\ud83d\u0041"#.utf8))?.description == "\u{fffd}A")
    let invalid: [[UInt8]] = [
      [0xff], [0xc3], [0xc0, 0xaf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80],
      [0xf0, 0x80, 0x80, 0x80],
      [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0x80],
    ]
    for bytes in invalid {
      let altered = try #require(try string(Array("abcdefgh".utf8) + bytes + Array("z".utf8)))
      #expect(altered.isAltered, "\(bytes)")
      #expect(altered.description.hasPrefix("abcdefgh\u{fffd}"), "\(bytes)")
    }
    let all = Array("\u{7f}\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}".utf8)
    #expect(try string(all)?.bytes == all)
    #expect(try string(all)?.isAltered == false)
  }

  @Test func `names are compared as characters, escaped or not`() throws {
    var scanner = JSONScanner(Array(#"{"\u006cog": 1, "lo": 2, "logs": 3, "log": 4}"#.utf8))
    try scanner.enter()
    var found: [Double] = []
    while try scanner.nextMember() {
      if scanner.isNamed("log") {
        found.append(try scanner.number() ?? 0)
      } else {
        try scanner.skip()
      }
    }
    #expect(found == [1, 4])
  }

  @Test func `random bytes are refused, never a crash`() throws {
    let seed = testSeed()
    var random = SeededGenerator(seed: seed)
    let alphabet = Array(#"{}[]",:\ue01-+.tfn "#.utf8)
    for _ in 0..<20_000 {
      let count = Int(random.next() % 40)
      let bytes = (0..<count).map { _ in
        random.next() % 4 == 0
          ? UInt8(truncatingIfNeeded: random.next()) : alphabet[Int(random.next() % 18)]
      }
      let inHand = try failure(bytes)
      if random.next() % 50 == 0 {
        #expect(try failure(bytes, windowBytes: 8) == inHand, "\(bytes), seed \(seed)")
      }
    }
  }

  @Test func `a broken value is passed by its brackets, and what follows is read`() throws {
    let broken = [
      #"{"a": NaN}"#, #"{"a": "\x"}"#, #"{"a": NaN, "b": "\\\"}]"}"#, "{\"a\": \"\u{1}\"}",
      #"[1 2 {"b": "]"}]"#, "nul", "+1",
      String(repeating: "[", count: 70) + String(repeating: "]", count: 70), #"{"a" "b"}"#,
    ]
    for text in broken {
      for window in [8, 1000] {
        let file = try TemporaryFile("[0, \(text) , 2]")
        var scanner = JSONScanner(reading: try InputFile(path: file.path), windowBytes: window)
        try scanner.enter()
        #expect(try scanner.nextElement())
        try scanner.skip()
        #expect(try scanner.nextElement())
        let place = try scanner.place()
        #expect(throws: JSONError.self, "\(text)") { try scanner.skip() }
        try scanner.passOver(place)
        #expect(try scanner.nextElement(), "\(text)")
        #expect(try scanner.number() == 2, "\(text)")
        #expect(try !scanner.nextElement())
      }
    }
  }
}
