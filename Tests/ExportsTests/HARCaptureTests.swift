import Foundation
import TestSupport
import Testing
import TidemarkExports
import TidemarkJSON

/// The first pass: structure, and what is wrong with it.
@Suite struct HARCaptureTests {
  private let one = entryText()

  private func reasons(_ text: String) throws -> [String] {
    try Reading(text).problems.map(\.description)
  }

  private func refusal(_ bytes: [UInt8]) throws -> String? {
    do {
      _ = try Reading(bytes)
      return nil
    } catch let error as HARError {
      return error.description
    }
  }

  private func refusal(_ text: String) throws -> String? { try refusal(Array(text.utf8)) }

  @Test func `a capture tells who made it`() throws {
    let text = """
      {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"},
       "browser": {"name": "Firefox", "version": "128.0"}, "pages": [{}, {}], "comment": "x",
       "entries": [\(one)]}}
      """
    let capture = try Reading(text).capture
    #expect(capture.about.version == "1.2")
    #expect(capture.about.creator == "WebInspector 537.36")
    #expect(capture.about.browser == "Firefox 128.0")
    #expect(capture.about.pageCount == 2)
    #expect(capture.entryCount == 1)
    #expect(capture.problems.count == 0)
  }

  @Test func `members before and behind the entries, and around the log, do not matter`() throws {
    let big =
      "["
      + Array(repeating: "{\"a\": [1, 2, {\"entries\": []}]}", count: 20_000)
      .joined(separator: ",") + "]"
    let log = captureText([one], before: "\"pages\": \(big), ", after: ", \"z\": \(big)")
      .dropFirst()
    let text = "{\"first\": \(big), \"entries\": [1], " + log
    #expect(try Reading(text).order == "+0 -0")
    #expect(try reasons(text) == [])
  }

  @Test func `a byte order mark is passed`() throws {
    #expect(try Reading([0xef, 0xbb, 0xbf] + Array(captureText([one]).utf8)).order == "+0 -0")
  }

  @Test func `what is no capture is refused with the reason and the place`() throws {
    let utf16 = captureText([one]).utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(try refusal("") == "no HTTP capture (HAR): byte 0: the file is empty")
    for wide in [[0xff, 0xfe] + utf16, utf16, [0xfe, 0xff, 0x00, 0x7b], [0x00, 0x7b, 0x00]] {
      #expect(try refusal(wide)?.contains("UTF-16") == true)
    }
    #expect(try refusal("[]")?.contains("byte 0: an object with 'log' is expected") == true)
    #expect(try refusal("<html>")?.contains("byte 0: a value is expected") == true)
    #expect(try refusal("{}")?.contains("byte 2: there is no 'log'") == true)
    #expect(try refusal("{\"log\": 3}")?.contains("byte 8: 'log' is no object") == true)
    #expect(try refusal("{\"log\": {}}")?.contains("'log' has no 'entries'") == true)
    let noArray = "{\"log\": {\"entries\": {}}}"
    #expect(try refusal(noArray)?.contains("byte 20: 'entries' is no array") == true)
    #expect(try refusal("{\"log\": {\"pages\": [")?.contains("byte 19: the text ends") == true)
    #expect(try refusal("{\"lag\": {\"entries\": []}}")?.contains("there is no 'log'") == true)
  }

  @Test func `a file that is cut gives the entries that are whole`() throws {
    let text = Array(captureText([one, one, one]).utf8)
    let whole = try #require(String(decoding: text, as: UTF8.self).range(of: one))
    let start =
      text.count - Array(String(decoding: text, as: UTF8.self)[whole.lowerBound...].utf8).count
    for count in stride(from: start, to: text.count, by: 13) {
      let reading = try Reading(Array(text[..<count]))
      let entries = (count - start) / (one.utf8.count + 2)
      let isBehind = (count - start) % (one.utf8.count + 2) >= one.utf8.count
      #expect(reading.capture.exchangeCount == min(3, entries + (isBehind ? 1 : 0)), "at \(count)")
      let problem = try #require(reading.problems.last)
      #expect(reading.problems.count == 1)
      #expect(problem.offset == count)
      #expect(problem.reason == "the text ends in the middle; what came before it was taken")
    }
  }

  @Test func `what follows the end is told, and does not hurt`() throws {
    let text = captureText([one])
    let reading = try Reading(text + " garbage")
    #expect(reading.order == "+0 -0")
    #expect(reading.problems.map(\.offset) == [text.utf8.count + 1])
    #expect(try reasons(text + " \n\t\r\n") == [])
  }

  @Test(arguments: [
    #"{"startedDateTime": NaN}"#, #"{"a": "\x41"}"#, "{\"a\": \"\u{0}\"}", "{\"a\": \"x\ny\"}",
    #"{"a" 1}"#,
    #"{"a": 01}"#, #"{"a": [1, 2}"#, "{'a': 1}", "{\"a\": tru}", "{,}",
    "{\"a\": " + String(repeating: "[", count: 80) + String(repeating: "]", count: 80) + "}",
  ])
  func `an element that is not JSON is left out, and the others are taken`(broken: String) throws {
    let text = captureText([one, broken, one])
    let reading = try Reading(text)
    #expect(reading.order == "+0 +2 -0 -2")
    let problem = try #require(reading.problems.first)
    #expect(reading.problems.count == 1)
    #expect(problem.index == 1)
    let place = try #require(text.range(of: broken))
    let start = text[..<place.lowerBound].utf8.count
    #expect((start..<start + broken.utf8.count).contains(problem.offset))
    #expect(reading.capture.entryCount == 3)
  }

  @Test func `an element in which 64 levels are open is taken`() throws {
    let levels = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
    #expect(try reasons(captureText([entryText(more: "\"_deep\": \(levels)")])) == [])
    let deeper = String(repeating: "[", count: 61) + String(repeating: "]", count: 61)
    let problem = try Reading(captureText([entryText(more: "\"_deep\": \(deeper)")])).problems.first
    #expect(problem?.reason.hasPrefix("nested deeper than 64") == true)
  }

  @Test func `garbage between elements is left out, and the others are taken`() throws {
    let comma = try Reading(captureText([one]).replacing("]}}", with: ",]}}"))
    #expect(comma.order == "+0 -0")
    #expect(comma.capture.entryCount == 1)
    #expect(comma.problems.count == 1)
    let twice = captureText([one + " 7", one])
    #expect(try Reading(twice).order == "+0 +1 -0 -1")
    #expect(try reasons(twice).count == 1)
    let closed = try Reading(captureText([one + "}", one]))
    #expect(closed.order == "+0 -0")
    #expect(closed.problems.last?.reason.hasSuffix("the rest was left out") == true)
  }

  @Test func `what is broken outside of the entries does not hurt them`() throws {
    for broken in [
      "NaN", "{\"a\" 1}", String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
    ] {
      let inside = try Reading(captureText([one], before: "\"pages\": \(broken), "))
      #expect(inside.order == "+0 -0")
      #expect(inside.problems.count == 1)
      let outside = try Reading("{\"x\": \(broken), " + captureText([one]).dropFirst())
      #expect(outside.order == "+0 -0")
      #expect(outside.problems.count == 1)
    }
  }

  @Test func `an element without its necessary parts is left out and told`() throws {
    let cases = [
      ("7", "no object"), ("null", "no object"), ("[]", "no object"), ("{}", "no startedDateTime"),
      (entryText(started: nil), "no startedDateTime"),
      (entryText(started: "5"), "no startedDateTime"),
      (entryText(started: "\"\""), "no date and time"),
      (entryText(started: "\"yesterday\""), "no date and time"),
      (entryText(method: "\"\""), "no method"), (entryText(method: "5"), "no method"),
      (entryText(url: "\"\""), "no URL"), (entryText(url: "null"), "no URL"),
      (#"{"startedDateTime": "2026-05-12T14:03:07Z", "request": []}"#, "no request"),
    ]
    for (text, reason) in cases {
      let reading = try Reading(captureText([one, text, one]))
      #expect(reading.order == "+0 +2 -0 -2", "\(text)")
      #expect(reading.problems.map(\.index) == [1], "\(text)")
      #expect(reading.problems.first?.reason.contains(reason) == true, "\(text)")
    }
  }

  @Test func `a second log or a second array of entries is told, and the first is taken`() throws {
    let log = captureText([one]).dropFirst().dropLast()
    let two = try Reading("{\(log), \(log)}")
    #expect(two.order == "+0 -0")
    #expect(two.problems.map(\.reason) == ["a second 'log'; the first was taken"])
    let entries = try Reading(captureText([one], after: ", \"entries\": [\(one), \(one)]"))
    #expect(entries.order == "+0 -0")
    #expect(entries.problems.map(\.reason) == ["a second 'entries'; the first was taken"])
  }

  @Test func `of members that stand twice in an element the last one counts, and it is noted`()
    throws
  {
    let text = """
      {"startedDateTime": "x", "startedDateTime": "2026-05-12T14:03:07Z", "time": 1, "time": 5,
       "request": {"method": "PUT"}, "request": {"method": "GET", "url": "https://a.example/x"},
       "response": {"status": 500, "content": {"text": "old"}},
       "response": {"status": 200, "content": {"text": "older"},
        "content": {"text": "a", "text": "b"}}}
      """
    let reading = try Reading(captureText([text]))
    #expect(reading.problems == [])
    #expect(reading.capture.notes == [.repeatedName: 1])
    let exchange = try #require(reading.exchanges.first)
    #expect(exchange.method == "GET")
    #expect(exchange.status == 200)
    #expect(exchange.endedMicroseconds == exchange.beganMicroseconds + 5000)
    #expect(exchange.responseBody.text == "b")
  }

  @Test func `of a member that stands twice nothing of the first one is left`() throws {
    let content = try Reading(
      captureText([entryText(content: #"{"text": "old"}, "content": {"size": 5}"#)])
    )
    #expect(content.exchanges.first?.responseBody.gap == .absent)
    #expect(content.capture.notes == [.repeatedName: 1])
    let response = #""response": {"status": 204}"#
    let twice = entryText(content: #"{"text": "old"}"#, more: response)
    let reading = try Reading(captureText([twice]))
    #expect(reading.exchanges.first?.responseBody.bytes == [])
    #expect(reading.exchanges.first?.status == 204)
  }

  @Test func `problems are counted without end, and listed to a limit`() throws {
    let reading = try Reading(captureText(Array(repeating: "{}", count: 3000)))
    #expect(reading.capture.problems.count == 3000)
    #expect(reading.capture.problems.listed.count == HARLimits.problemsListedMax)
  }

  @Test func `an element that is too long, or one too many, is left out`() throws {
    let long = entryText(more: "\"_more\": \"\(String(repeating: "x", count: 1000))\"")
    var limits = HARLimits()
    limits.entryBytesMax = 1000
    let reading = try Reading(captureText([one, long, one]), limits: limits)
    #expect(reading.order == "+0 +2 -0 -2")
    #expect(reading.problems.map(\.index) == [1])
    #expect(reading.problems.first?.reason.contains("1000 are allowed") == true)
    limits.entryBytesMax = long.utf8.count
    limits.entriesMax = 2
    let many = try Reading(captureText([long, one, one, one]), limits: limits)
    #expect(many.order == "+0 +1 -0 -1")
    #expect(many.problems.map(\.index) == [2, 3])
  }

  @Test func `random damage is told, never a crash`() throws {
    let seed = testSeed()
    var random = SeededGenerator(seed: seed)
    let entries = (0..<8).map {
      entryText(time: "\($0 * 30)", more: "\"n\": {\"x\": [1, \"é\\\"\"]}")
    }
    let text = Array(captureText(entries).utf8)
    for _ in 0..<400 {
      var damaged = text
      for _ in 0..<Int(random.next() % 3 + 1) {
        let place = Int(random.next() % UInt64(damaged.count))
        switch random.next() % 3 {
        case 0: damaged[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: damaged.remove(at: place)
        default: damaged.insert(contentsOf: Array("{\"[".utf8), at: place)
        }
      }
      let reading: Reading
      do { reading = try Reading(damaged) } catch is HARError { continue }
      #expect(reading.capture.exchangeCount <= 8, "seed \(seed)")
      // Every element is taken or told.
      let left = Set(reading.capture.problems.listed.compactMap(\.index)).count
      #expect(
        reading.capture.exchangeCount + left >= reading.capture.entryCount,
        "seed \(seed)"
      )
    }
  }
}
