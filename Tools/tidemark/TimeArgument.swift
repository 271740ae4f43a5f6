import TidemarkEntries

/// A time named on the command line, from its first to its last millisecond.
///
/// What is left out is meant as a whole: `2026-05-12` is the day, `14:03Z` the minute. So a range
/// with both ends inclusive goes from the first of one to the last of the other.
struct TimeArgument: Equatable {
  let first: DeviceTime
  let last: DeviceTime

  private static let dayMilliseconds: Int64 = 86_400_000

  /// Reads a time in any of the forms that the tool takes.
  ///
  /// These are RFC 3339 times with any offset, dates, `-2h` (also `s`, `m`, `d`), `today` and
  /// `yesterday`; days are those of UTC. Messages name `option`, which takes the time.
  init(_ text: String, of option: String, now: DeviceTime) throws(Failure) {
    switch text {
    case "today": self.init(dayOf: now, back: 0)
    case "yesterday": self.init(dayOf: now, back: 1)
    case _ where text.utf8.first == UInt8(ascii: "-"):
      guard let time = TimeArgument.ago(text, now) else { throw .notATime(text, option) }
      self.init(from: time.milliseconds, lasting: 1)
    default:
      var scanner = TimeScanner(text)
      guard let (start, unit) = try scanner.scan(for: option) else {
        throw TimeScanner(text).isTimeOfDay
          ? .lacksDate(text, option, now) : .notATime(text, option)
      }
      self.init(from: start, lasting: unit)
    }
  }

  private init(from start: Int64, lasting unit: Int64) {
    first = DeviceTime(milliseconds: start)
    last = DeviceTime(milliseconds: start + unit - 1)
  }

  private init(dayOf now: DeviceTime, back days: Int64) {
    let day = TimeArgument.dayMilliseconds
    let inDay = now.milliseconds % day
    let start = now.milliseconds - (inDay < 0 ? inDay + day : inDay) - days * day
    self.init(from: start, lasting: day)
  }

  /// `-2h`: so long before now.
  private static func ago(_ text: String, _ now: DeviceTime) -> DeviceTime? {
    guard let letter = text.last, let unit = units[letter] else { return nil }
    let digits = text.dropFirst().dropLast()
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let count = Int64(digits)
    else { return nil }
    let (length, overflows) = count.multipliedReportingOverflow(by: unit)
    guard !overflows else { return nil }
    let (time, isTooLong) = now.milliseconds.subtractingReportingOverflow(length)
    return isTooLong ? nil : DeviceTime(milliseconds: time)
  }

  private static let units: [Character: Int64] = [
    "s": 1000, "m": 60_000, "h": 3_600_000, "d": dayMilliseconds,
  ]
}

/// Reads a date, and a time with its offset if there is one (RFC 3339, section 5.6).
private struct TimeScanner {
  private let text: String
  private var rest: Substring.UTF8View

  init(_ text: String) {
    self.text = text
    rest = text[...].utf8
  }

  /// Whether it begins like the time of a day: such times are printed where the day is known.
  var isTimeOfDay: Bool {
    var scanner = self
    return scanner.digits(2) != nil && scanner.skip(":") && scanner.digits(2) != nil
  }

  /// The first millisecond and how many there are, or nothing if it is no time at all.
  mutating func scan(for option: String) throws(Failure) -> (start: Int64, unit: Int64)? {
    guard let year = digits(4), skip("-"), let month = digits(2), skip("-"), let day = digits(2)
    else { return nil }
    let date = CivilDate(year: year, month: month, day: day)
    let days = date.daysSince1970
    guard CivilDate(daysSince1970: days) == date else {
      throw .usage("\(option) '\(text)': there is no such day")
    }
    let start = days * 86_400_000
    if rest.isEmpty { return (start, 86_400_000) }
    guard skip("T", "t", " "), let clock = try clock(for: option) else { return nil }
    if rest.isEmpty {
      throw .usage("\(option) '\(text)' has no offset; add Z for UTC, or one such as +02:00")
    }
    guard let offset = try offset(for: option), rest.isEmpty else { return nil }
    return (start + clock.start - offset, clock.unit)
  }

  private mutating func clock(for option: String) throws(Failure) -> (start: Int64, unit: Int64)? {
    guard let hour = digits(2), skip(":"), let minute = digits(2) else { return nil }
    var second: Int64 = 0
    var (fraction, unit): (Int64, Int64) = (0, 60_000)
    if skip(":") {
      guard let digits = digits(2) else { return nil }
      second = digits
      unit = 1000
      if skip(".", ",") {
        guard let read = self.fraction() else { return nil }
        (fraction, unit) = read
      }
    }
    // The sixtieth second is a leap second, which the clock of a device gives to the next minute.
    guard hour < 24, minute < 60, second <= 60 else {
      throw .usage("\(option) '\(text)': there is no such time of day")
    }
    return ((hour * 3600 + minute * 60 + second) * 1000 + fraction, unit)
  }

  /// Milliseconds; further digits are cut off.
  private mutating func fraction() -> (start: Int64, unit: Int64)? {
    var (value, unit): (Int64, Int64) = (0, 1000)
    var isEmpty = true
    while let digit = digits(1) {
      isEmpty = false
      guard unit > 1 else { continue }
      unit /= 10
      value += digit * unit
    }
    return isEmpty ? nil : (value, unit)
  }

  /// What the offset adds to UTC, in milliseconds.
  private mutating func offset(for option: String) throws(Failure) -> Int64? {
    if skip("Z", "z") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+", "-"), let hours = digits(2), skip(":"), let minutes = digits(2) else {
      return nil
    }
    guard hours < 24, minutes < 60 else {
      throw .usage("\(option) '\(text)': there is no such offset")
    }
    let length = (hours * 60 + minutes) * 60_000
    return isWest ? -length : length
  }

  /// Exactly `count` digits.
  private mutating func digits(_ count: Int) -> Int64? {
    let word = rest.prefix(count)
    var value: Int64 = 0
    for byte in word {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    guard word.count == count else { return nil }
    rest = rest.dropFirst(count)
    return value
  }

  private mutating func skip(_ characters: Unicode.Scalar...) -> Bool {
    guard let first = rest.first, characters.contains(where: { UInt8(ascii: $0) == first }) else {
      return false
    }
    rest = rest.dropFirst()
    return true
  }
}

extension Failure {
  fileprivate static func lacksDate(
    _ text: String,
    _ option: String,
    _ now: DeviceTime
  ) -> Failure {
    .usage(
      "\(option) '\(text)' lacks its date: \(now.description.prefix(4))-…T\(text)",
      advice: "The date stands where the day changes; tidemark log --dates shows it in every line."
    )
  }

  fileprivate static func notATime(_ text: String, _ option: String) -> Failure {
    .usage(
      "\(option) takes a time, not '\(text)'",
      advice: "Write 2026-05-12T14:03:07.912Z, 2026-05-12, -2h, today or yesterday."
    )
  }
}
