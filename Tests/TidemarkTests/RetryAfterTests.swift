import Testing

@testable import Tidemark

/// How long a server asks to wait.
@Suite struct RetryAfterTests {
  private func wait(_ text: String, date: String? = nil) -> Int64? {
    RetryAfter.milliseconds(text, date: date) { 784_111_777 }
  }

  @Test(
    arguments: [
      ("0", 0), ("7", 7000), ("86401", 86_400_000), ("99999999999999999999", 86_400_000),
    ] as [(String, Int64)]
  )
  func `seconds are waited for, up to a day`(text: String, milliseconds: Int64) {
    #expect(wait(text) == milliseconds)
  }

  @Test(arguments: ["", "-1", "+1", "1.5", "soon", "Sun", "Sun, 06 Nov 1994", "٣"])
  func `what is no wait is none`(text: String) {
    #expect(wait(text) == nil)
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `a date is understood in each form`(text: String) {
    #expect(RetryAfter.seconds(text) == 784_111_777)
    #expect(wait(text) == 0)
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
      ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
      ("Sat, 01 Mar 2069 00:00:00 GMT", 3_129_321_600),
    ] as [(String, Int64)]
  )
  func `a date is the same second as elsewhere`(text: String, seconds: Int64) {
    #expect(RetryAfter.seconds(text) == seconds)
  }

  @Test func `a date is compared with the server's clock, where it says what that is`() {
    let until = "Sun, 06 Nov 1994 08:50:37 GMT"
    #expect(wait(until) == 60_000)
    #expect(wait(until, date: "Sun, 06 Nov 1994 08:50:07 GMT") == 30_000)
    #expect(wait(until, date: "nonsense") == 60_000)
    #expect(wait("Sun, 06 Nov 1994 08:00:00 GMT") == 0)
  }
}
