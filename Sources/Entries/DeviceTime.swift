/// What the device's clock said, in milliseconds since 1970 in UTC.
///
/// A label for people, never an order: clocks are wrong, and go back.
public struct DeviceTime: Sendable, Hashable, CustomStringConvertible {
  /// Since 1970-01-01T00:00:00Z, leap seconds not counted; below 0 before.
  public let milliseconds: Int64

  @inlinable
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The time so much later, or earlier if it is below 0; at most the first or the last there is.
  package func adding(milliseconds: Int64) -> DeviceTime {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    guard overflow else { return DeviceTime(milliseconds: sum) }
    return DeviceTime(milliseconds: milliseconds < 0 ? .min : .max)
  }

  /// How much later it is than another time, in milliseconds; below 0 if it is earlier.
  package func milliseconds(since other: DeviceTime) -> Int64 {
    let (rest, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    return overflow ? (milliseconds < other.milliseconds ? .min : .max) : rest
  }

  /// The time in RFC 3339 form, UTC, with milliseconds: `2026-05-12T14:03:07.912Z`.
  public var description: String {
    let (days, inDay) = milliseconds.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    return "\(date)T\(DeviceTime.clock(inDay))Z"
  }

  /// The time of day alone: `14:03:07.912Z`.
  public var timeOfDay: String {
    DeviceTime.clock(milliseconds.flooredDivision(by: 86_400_000).remainder) + "Z"
  }

  private static func clock(_ milliseconds: Int64) -> String {
    let parts = [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60]
    let clock = parts.map { CivilDate.padded($0, 2) }.joined(separator: ":")
    return "\(clock).\(CivilDate.padded(milliseconds % 1000, 3))"
  }
}

/// A day of the Gregorian calendar.
///
/// The conversions are those of Howard Hinnant, "chrono-compatible low-level date algorithms".
package struct CivilDate: Equatable, CustomStringConvertible {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  package init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
    let shifted = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * shifted + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package var description: String {
    "\(CivilDate.padded(year, 4))-\(CivilDate.padded(month, 2))-\(CivilDate.padded(day, 2))"
  }

  fileprivate static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value.magnitude)
    let zeros = String(repeating: "0", count: max(0, width - digits.count))
    return (value < 0 ? "-" : "") + zeros + digits
  }
}

extension Int64 {
  /// Quotient and remainder with a remainder that is never negative.
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
