import TestSupport
import Testing
import TidemarkEntries
import TidemarkExports
import TidemarkJSON

/// The order of events, and the times that it comes from.
@Suite struct HAREventsTests {
  private func entry(_ started: String, _ time: String?, more: String = "") -> String {
    entryText(started: "\"2026-05-12T\(started)\"", time: time, more: more)
  }

  private func began(_ started: String) throws -> String {
    let text = captureText([entryText(started: "\"\(started)\"")])
    guard let exchange = try Reading(text).exchanges.first else { return "no time" }
    return "\(exchange.began) \(exchange.beganMicroseconds % 1000)"
  }

  @Test func `events stand in order of time, whatever the order of the file`() throws {
    let reading = try Reading(
      captureText([
        entry("14:00:02.000Z", "100"), entry("14:00:01.000Z", "5000"),
        entry("14:00:01.500Z", "100"),
      ])
    )
    #expect(reading.order == "+1 +2 -2 +0 -0 -1")
  }

  @Test func `microseconds decide`() throws {
    let reading = try Reading(
      captureText([
        entry("14:00:00.000002Z", "0.003"), entry("14:00:00.000001Z", "0.0011"),
        entry("14:00:00.0000031Z", "1"),
      ])
    )
    #expect(reading.order == "+1 +0 -1 +2 -0 -2")
  }

  @Test func `what happens at one time stands in the order of the file, an end behind its begin`()
    throws
  {
    let reading = try Reading(
      captureText([
        entry("14:00:00Z", "0"), entry("14:00:00Z", "0"), entry("13:59:59Z", "1000"),
      ])
    )
    #expect(reading.order == "+2 +0 -0 +1 -1 -2")
  }

  @Test func `a start is read in every form that captures have`() throws {
    #expect(try began("2026-05-12T14:03:07.912Z") == "2026-05-12T14:03:07.912Z 0")
    #expect(try began("2026-05-12T16:03:07.912345+02:00") == "2026-05-12T14:03:07.912Z 345")
    #expect(try began("2026-05-12T16:03:07.912345678+0200") == "2026-05-12T14:03:07.912Z 345")
    #expect(try began("2026-05-12t10:33:07,9-0330") == "2026-05-12T14:03:07.900Z 0")
    #expect(try began("2026-05-12 14:03:07z") == "2026-05-12T14:03:07.000Z 0")
    #expect(try began("2026-05-12T14:03+00") == "2026-05-12T14:03:00.000Z 0")
    #expect(try began("2026-05-12T23:59:60Z") == "2026-05-13T00:00:00.000Z 0")
    #expect(try began("2024-02-29T00:30:00+01:00") == "2024-02-28T23:30:00.000Z 0")
    #expect(try began("1969-12-31T23:59:59.999999Z") == "1969-12-31T23:59:59.999Z -1")
  }

  @Test(arguments: [
    "2026-05-12", "2026-05-12T", "2026-05-12T14", "26-05-12T14:03:07Z", "2026-13-12T14:03:07Z",
    "2026-02-30T14:03:07Z", "2026-05-12T24:03:07Z", "2026-05-12T14:60:07Z", "2026-05-12T14:03:61Z",
    "2026-05-12T14:03:07ZZ", "2026-05-12T14:03:07+2", "2026-05-12T14:03:07+02:60",
    "+2026-05-12T14:03:07Z",
    "2026-05-12T14:03:07 Z", "2026-05-1２T14:03:07Z", "1778594587", "Tue, 12 May 2026 14:03:07 GMT",
  ])
  func `what is no date and time is none`(text: String) throws {
    #expect(try began(text) == "no time")
  }

  @Test func `a start without a zone is taken as UTC, and noted`() throws {
    #expect(try began("2026-05-12T14:03:07.912") == "2026-05-12T14:03:07.912Z 0")
    let text = captureText([entryText(started: "\"2026-05-12T14:03:07\""), entryText()])
    #expect(try Reading(text).capture.notes == [.withoutZone: 1])
  }

  @Test func `a clock that is far off is noted, and its times are taken`() throws {
    for started in [
      "1970-01-01T00:00:00Z", "1994-12-31T23:59:59Z", "2100-01-01T00:00:00Z",
      "9999-12-31T23:59:59Z",
    ] {
      let reading = try Reading(captureText([entryText(started: "\"\(started)\"")]))
      #expect(reading.capture.notes == [.clockSkewed: 1], "\(started)")
      #expect(reading.order == "+0 -0")
    }
    for started in ["1995-01-01T00:00:00Z", "2099-12-31T23:59:59Z"] {
      #expect(try Reading(captureText([entryText(started: "\"\(started)\"")])).capture.notes == [:])
    }
  }

  @Test(arguments: [
    ("100", 100_000), ("0", 0), ("0.5", 500), ("12.3456", 12_346), ("1e3", 1_000_000),
    ("\"250\"", 250_000),
    ("\"1.5\"", 1500), ("1000000000000", 1_000_000_000_000_000),
  ])
  func `a duration is a number of milliseconds, or a text of one`(time: String, micros: Int64)
    throws
  {
    let exchange = try exchange(entryText(time: time))
    #expect(exchange.endedMicroseconds == exchange.beganMicroseconds + micros)
    #expect(exchange.missingEnd == nil)
  }

  @Test(arguments: [
    nil, "null", "-1", "-0.5", "\"NaN\"", "\"Infinity\"", "\"\"", "\"soon\"", "1e13", "1e999",
    "true", "[]",
    "{}",
  ])
  func `a duration that is none gives no end, unless the phases give one`(time: String?) throws {
    let without = try Reading(captureText([entryText(time: time)]))
    #expect(without.order == "+0")
    #expect(without.exchanges.first?.missingEnd == .noTime)
    #expect(without.exchanges.first?.ended == nil)
    let timings = """
      "timings": {"blocked": 1, "dns": -1, "connect": 2, "ssl": 500, "send": "3", "wait": 4.5, \
      "receive": 0, "_other": 1000}
      """
    let phases = try exchange(entryText(time: time, more: timings))
    #expect(phases.endedMicroseconds == phases.beganMicroseconds + 10_500)
  }

  @Test func `phases that did not happen give no end`() throws {
    for timings in ["{}", "[]", "null", #"{"wait": -1, "receive": -1}"#, #"{"ssl": 5}"#] {
      let exchange = try exchange(entryText(time: nil, more: "\"timings\": \(timings)"))
      #expect(exchange.missingEnd == .noTime, "\(timings)")
    }
  }

  @Test func `an answer that began and whose end was not seen has no end`() throws {
    let open = try exchange(entryText(more: #""timings": {"wait": 5, "receive": -1}"#))
    #expect(open.missingEnd == .noTime)
    #expect(open.gaveUpMicroseconds == open.beganMicroseconds + 100_000)
    let untold = try exchange(entryText(more: #""timings": {"wait": -1, "receive": -1}"#))
    #expect(untold.missingEnd == nil)
  }

  @Test(arguments: ["0", "-1", "null", "\"\"", "99"])
  func `without a status there was no answer`(status: String) throws {
    let reading = try Reading(captureText([entryText(status: status)]))
    #expect(reading.order == "+0")
    let exchange = try #require(reading.exchanges.first)
    #expect(exchange.missingEnd == .noAnswer)
    #expect(exchange.status == 0)
    #expect(exchange.gaveUpMicroseconds == exchange.beganMicroseconds + 100_000)
  }

  @Test func `an entry without a response had no answer`() throws {
    let request = #""request": {"method": "GET", "url": "https://a.example/"}"#
    for response in ["", ", \"response\": null", ", \"response\": {}"] {
      let text = "{\"startedDateTime\": \"2026-05-12T14:03:07Z\", \(request)\(response)}"
      #expect(try exchange(text).missingEnd == .noAnswer)
    }
  }

  @Test func `an answer that was broken off has no end, and the capture's word for it`() throws {
    let chrome = try exchange(entryText(response: #""_error": "net::ERR_ABORTED""#))
    #expect(chrome.missingEnd == .aborted)
    #expect(chrome.failure == "net::ERR_ABORTED")
    let playwright = try exchange(entryText(response: #""_failureText": "NS_BINDING_ABORTED""#))
    #expect(playwright.missingEnd == .aborted)
    #expect(playwright.failure == "NS_BINDING_ABORTED")
    #expect(try exchange(entryText(more: "\"_wasAborted\": true")).missingEnd == .aborted)
    let charles = try exchange(entryText(response: #""_charlesStatus": "EXCEPTION""#))
    #expect(charles.missingEnd == .aborted)
    #expect(charles.failure == "EXCEPTION")
    for fine in [#""_error": null"#, #""_error": """#, #""_charlesStatus": "COMPLETE""#] {
      #expect(try exchange(entryText(response: fine)).missingEnd == nil, "\(fine)")
    }
  }

  @Test func `an exchange is the same when too many are open to hold them`() throws {
    let entries = (0..<12).map {
      entry("14:00:\($0 + 10)Z", "30000", more: "\"_resourceType\": \"t\($0)\"")
    }
    for openBytesMax in [0, 700, 1 << 20] {
      var limits = HARLimits()
      limits.openBytesMax = openBytesMax
      let reading = try Reading(captureText(entries), limits: limits)
      #expect(reading.events.count == 24)
      for event in reading.events {
        #expect(event.exchange.resourceType == "t\(event.exchange.index)")
      }
      for case .ended(let exchange) in reading.events {
        #expect(exchange.responseBody.text == "[]")
      }
    }
  }

  @Test func `a begin comes without the bytes of the answer, and an end with them`() throws {
    let reading = try Reading(captureText([entryText()]))
    guard case .began(let begun)? = reading.events.first,
      case .ended(let ended)? = reading.events.last
    else { return #expect(Bool(false), "one begin and one end") }
    #expect(begun.responseBody.bytes.isEmpty)
    #expect(begun.responseBody.gap == .unread)
    #expect(begun.responseBody.mediaType == "application/json")
    #expect(ended.responseBody.text == "[]")
    #expect(begun.offset == ended.offset)
    #expect(begun.offset == captureText([]).utf8.count - 3)
  }

  @Test func `a file that changes while it is read is told`() throws {
    let file = try TemporaryFile(captureText([entryText(), entryText()]))
    let capture = try HARCapture(reading: InputFile(path: file.path))
    try file.replace("{}")
    var events = capture.events()
    #expect(throws: HARError.self) { try events.next() }
  }
}
