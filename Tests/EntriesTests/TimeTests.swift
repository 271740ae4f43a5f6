import Foundation
import TestSupport
import Testing
import TidemarkEntries

/// The text of a time.
@Suite struct TimeTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (-86_400_000, "1969-12-31T00:00:00.000Z"), (-86_400_001, "1969-12-30T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
    (-2_203_977_600_000, "1900-02-28T00:00:00.000Z"),
    (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    (-62_135_596_800_001, "0000-12-31T23:59:59.999Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
    (Int64.min, "-292275055-05-16T16:47:04.192Z"), (Int64.max, "292278994-08-17T07:12:55.807Z"),
  ])
  func `a time is a day of the calendar and a time of day`(milliseconds: Int64, text: String) {
    let time = DeviceTime(milliseconds: milliseconds)
    #expect(time.description == text)
    #expect(text.hasSuffix("T" + time.timeOfDay))
  }

  // From 1600 on: before October 1582 Foundation has the Julian calendar.
  @Test func `Foundation says the same of times of chance`() throws {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    let units: Set<Calendar.Component> = [.year, .month, .day, .hour, .minute, .second]
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -11_676_096_000..<253_402_300_800, using: &chance)
      let thousandths = Int64.random(in: 0..<1000, using: &chance)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let parts = calendar.dateComponents(units, from: date)
      let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
      let told = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d.%03d",
        arguments: try numbers.map { try #require($0) } + [Int(thousandths)]
      )
      let time = DeviceTime(milliseconds: seconds * 1000 + thousandths)
      #expect(time.description == told + "Z", "(seed \(seed))")
    }
  }

  @Test func `a day is found again from its date`() {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let days = Int64.random(in: -100_000_000...100_000_000, using: &chance)
      let date = CivilDate(daysSince1970: days)
      #expect(date.daysSince1970 == days, "\(date) (seed \(seed))")
      #expect((1...12).contains(date.month) && (1...31).contains(date.day))
    }
  }
}
