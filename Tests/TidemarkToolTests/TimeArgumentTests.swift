import Testing
import TidemarkEntries

@testable import TidemarkTool

@Suite struct TimeArgumentTests {
  // 2026-05-12T14:20:09.815Z
  private let now = DeviceTime(milliseconds: 1_778_595_609_815)

  private func time(_ text: String) throws -> TimeArgument {
    try TimeArgument(text, of: "--since", now: now)
  }

  /// First and last millisecond, as text.
  private func span(_ text: String) throws -> [String] {
    let time = try time(text)
    return ["\(time.first)", "\(time.last)"]
  }

  @Test func `the clock of these tests says what it should`() {
    #expect("\(now)" == "2026-05-12T14:20:09.815Z")
  }

  @Test(
    arguments: [
      "2026-05-12T14:03:07.912Z", "2026-05-12t14:03:07.912z", "2026-05-12 14:03:07.912Z",
      "2026-05-12T16:03:07.912+02:00", "2026-05-12T08:33:07.912-05:30",
      "2026-05-13T00:03:07.912+10:00", "2026-05-12T14:03:07,912Z", "2026-05-12T14:03:07.9129Z",
      "2026-05-12T14:03:07.912-00:00",
    ]
  )
  func `one moment is written in many ways`(text: String) throws {
    #expect(try span(text) == ["2026-05-12T14:03:07.912Z", "2026-05-12T14:03:07.912Z"])
  }

  @Test func `what is left out is meant as a whole`() throws {
    #expect(
      try span("2026-05-12T14:03:07.9Z")
        == ["2026-05-12T14:03:07.900Z", "2026-05-12T14:03:07.999Z"]
    )
    #expect(
      try span("2026-05-12T14:03:07Z") == ["2026-05-12T14:03:07.000Z", "2026-05-12T14:03:07.999Z"]
    )
    #expect(
      try span("2026-05-12T14:03Z") == ["2026-05-12T14:03:00.000Z", "2026-05-12T14:03:59.999Z"]
    )
    #expect(try span("2026-05-12") == ["2026-05-12T00:00:00.000Z", "2026-05-12T23:59:59.999Z"])
  }

  @Test func `days are named from now`() throws {
    #expect(try span("today") == ["2026-05-12T00:00:00.000Z", "2026-05-12T23:59:59.999Z"])
    #expect(try span("yesterday") == ["2026-05-11T00:00:00.000Z", "2026-05-11T23:59:59.999Z"])
    let early = DeviceTime(milliseconds: -1)
    let today = try TimeArgument("today", of: "--since", now: early)
    #expect("\(today.first)" == "1969-12-31T00:00:00.000Z")
  }

  @Test func `a length is counted back from now`() throws {
    #expect(try span("-45s") == ["2026-05-12T14:19:24.815Z", "2026-05-12T14:19:24.815Z"])
    #expect(try span("-30m") == ["2026-05-12T13:50:09.815Z", "2026-05-12T13:50:09.815Z"])
    #expect(try span("-2h") == ["2026-05-12T12:20:09.815Z", "2026-05-12T12:20:09.815Z"])
    #expect(try span("-3d") == ["2026-05-09T14:20:09.815Z", "2026-05-09T14:20:09.815Z"])
  }

  @Test func `leap days and leap seconds are there, and times before 1970`() throws {
    #expect(try span("2024-02-29").first == "2024-02-29T00:00:00.000Z")
    #expect(try span("2016-12-31T23:59:60Z").first == "2017-01-01T00:00:00.000Z")
    #expect(try span("1969-07-20T20:17:40.000Z").first == "1969-07-20T20:17:40.000Z")
  }

  @Test(
    arguments: [
      "", "-", "-h", "-2", "-2x", "--2h", "-2 h", "-2.5h", "+2h", "now", "Today", "12",
      "2026", "2026-05", "2026-5-12", "26-05-12", "2026/05/12", "2026-05-12T", "2026-05-12x",
      "2026-05-12T14Z", "2026-05-12T14:3Z", "2026-05-12T14:03:07.Z", "2026-05-12T14:03:07+0200",
      "2026-05-12T14:03:07Zx", "2026-05-12T14:03:07+02:00x", "2026-05-12T14:03:07+2:00",
      "-9223372036854775807d", "-99999999999999999999h", "-213503982335d", "２０２６-05-12",
    ]
  )
  func `what is no time is refused with the forms that are`(text: String) {
    #expect(message { _ = try time(text) } == "--since takes a time, not '\(text)'")
  }

  @Test func `what looks like a time but is none says why`() {
    for day in ["2026-02-30", "2023-02-29", "2026-13-01", "2026-00-10", "2026-04-31T10:00:00Z"] {
      #expect(message { _ = try time(day) } == "--since '\(day)': there is no such day")
    }
    for clock in ["24:00:00", "14:60:00", "14:03:61"] {
      let text = "2026-05-12T\(clock)Z"
      #expect(message { _ = try time(text) } == "--since '\(text)': there is no such time of day")
    }
    for clock in ["12:00", "07:49:14.636Z"] {
      #expect(
        message { _ = try time(clock) } == "--since '\(clock)' lacks its date: 2026-…T\(clock)"
      )
    }
    let offset = "2026-05-12T14:03:07+24:00"
    #expect(message { _ = try time(offset) } == "--since '\(offset)': there is no such offset")
    let local = "2026-05-12T14:03:07"
    #expect(
      message { _ = try time(local) }
        == "--since '\(local)' has no offset; add Z for UTC, or one such as +02:00"
    )
  }

  @Test func `an option gives its time by the clock of the environment`() throws {
    #expect(try input("--since", "-2h").time("--since")?.first.milliseconds == -7_200_000)
    #expect(try input().time("--since") == nil)
  }
}
