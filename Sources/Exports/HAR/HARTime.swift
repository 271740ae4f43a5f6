internal import TidemarkEntries

/// A moment as a capture writes it: `2026-05-12T14:03:07.912+02:00` (ISO 8601).
struct HARTime: Sendable, Hashable {
  /// Microseconds since 1970 in UTC.
  var microseconds: Int64

  /// Whether a time zone is told; without one, UTC is assumed.
  var hasZone: Bool

  private static let secondMicroseconds: Int64 = 1_000_000
  private static let dayMicroseconds: Int64 = 86_400 * secondMicroseconds

  /// Whether this can have been the time of an HTTP request.
  var isPlausible: Bool {
    HARTime.plausible.contains(microseconds)
  }

  private static let plausible =
    CivilDate(year: 1995, month: 1, day: 1).daysSince1970 * dayMicroseconds..<CivilDate(
      year: 2100,
      month: 1,
      day: 1
    ).daysSince1970 * dayMicroseconds

  /// Reads a date and a time of day; digits of a second beyond the sixth are dropped.
  ///
  /// The seconds, their fraction and the zone may be missing. A 60th second is the next minute.
  init?(_ text: [UInt8]) {
    var digits = TimeDigits(text)
    guard let year = digits.number(4), digits.pass("-"), let month = digits.number(2),
      digits.pass("-"), let day = digits.number(2), digits.pass("Tt "),
      let hour = digits.number(2), digits.pass(":"), let minute = digits.number(2),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
    var second: Int64 = 0
    var fraction: Int64 = 0
    if digits.pass(":") {
      guard let told = digits.number(2), told <= 60 else { return nil }
      second = told
      if digits.pass(".,") { fraction = digits.millionths() }
    }
    let zone = digits.zone()
    guard digits.isAtEnd, zone != .wrong else { return nil }
    let seconds = hour * 3600 + (minute - zone.minutes) * 60 + second
    hasZone = zone != .none
    microseconds =
      date.daysSince1970 * HARTime.dayMicroseconds + seconds * HARTime.secondMicroseconds + fraction
  }
}

/// Reads the parts of a time, one after the other.
private struct TimeDigits {
  enum Zone: Equatable {
    case none, wrong
    case minutes(Int64)

    var minutes: Int64 {
      if case .minutes(let minutes) = self { minutes } else { 0 }
    }
  }

  private let text: [UInt8]
  private var index = 0

  init(_ text: [UInt8]) {
    self.text = text
  }

  var isAtEnd: Bool { index == text.count }

  /// The number that exactly `count` digits give.
  mutating func number(_ count: Int) -> Int64? {
    guard text.count - index >= count else { return nil }
    var value: Int64 = 0
    for digit in text[index..<index + count] {
      guard digit &- UInt8(ascii: "0") < 10 else { return nil }
      value = value * 10 + Int64(digit &- UInt8(ascii: "0"))
    }
    index += count
    return value
  }

  /// Passes one byte if it is one of `bytes`.
  mutating func pass(_ bytes: StaticString) -> Bool {
    guard index < text.count else { return false }
    let byte = text[index]
    guard bytes.withUTF8Buffer({ $0.contains(byte) }) else { return false }
    index += 1
    return true
  }

  /// The fraction that any number of digits give, in millionths.
  mutating func millionths() -> Int64 {
    var value: Int64 = 0
    var weight: Int64 = 100_000
    while let digit = number(1) {
      value += digit * weight
      weight /= 10
    }
    return value
  }

  /// `Z`, or `+02:00`, `+0200`, `+02` and the like.
  mutating func zone() -> Zone {
    if isAtEnd { return .none }
    if pass("Zz") { return .minutes(0) }
    let isWest = pass("-")
    guard isWest || pass("+"), let hours = number(2) else { return .wrong }
    _ = pass(":")
    let minutes = isAtEnd ? 0 : number(2)
    guard let minutes, hours <= 24, minutes < 60 else { return .wrong }
    return .minutes((hours * 60 + minutes) * (isWest ? -1 : 1))
  }
}
