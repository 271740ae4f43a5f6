/// How long a server asks to wait: seconds, or a date (RFC 9110, sections 5.6.7 and 10.2.3).
enum RetryAfter {
  /// What is asked for beyond a day is not waited for: work must not be buried by one header.
  static let secondsMax: Int64 = 86_400

  /// The wait in milliseconds; nothing if it cannot be understood.
  ///
  /// A date is compared with the `Date` of the same answer, so that the device's clock does not
  /// matter where the server sends one.
  static func milliseconds(_ text: String, date: String?, now: () -> Int64) -> Int64? {
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return min(Int64(text) ?? secondsMax, secondsMax) * 1000
    }
    guard let until = seconds(text) else { return nil }
    let from = date.flatMap { seconds($0) } ?? now()
    return min(max(until - from, 0), secondsMax) * 1000
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The seconds since 1970 of a date in one of the three forms of HTTP.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split { " ,-:".contains($0) }
    guard words.count >= 7 else { return nil }
    let isClassic = months.contains { $0 == words[1] }
    // Sun Nov  6 08:49:37 1994, or Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
    let (day, month, year, time) =
      isClassic
      ? (words[2], words[1], words[6], words[3...5]) : (words[1], words[2], words[3], words[4...6])
    let parts = ([day, year] + time).map { word in
      word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(word) : nil
    }
    guard let place = months.firstIndex(where: { $0 == month }),
      case let numbers = parts.compactMap({ $0 }), numbers.count == 5,
      (1...31).contains(numbers[0]), (0...9999).contains(numbers[1]),
      numbers[2] < 24, numbers[3] < 60, numbers[4] < 61
    else { return nil }
    // Two digits are of this century until 2070.
    let full = year.count > 2 ? numbers[1] : numbers[1] + (numbers[1] < 70 ? 2000 : 1900)
    let days = days(full, Int64(place) + 1, numbers[0])
    return days * 86_400 + numbers[2] * 3600 + numbers[3] * 60 + numbers[4]
  }

  /// Days since 1970-01-01 of a date in the Gregorian calendar; a year begins in March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let years = month > 2 ? year : year - 1
    let inYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let leaps = years / 4 - years / 100 + years / 400
    return years * 365 + leaps + inYear - 719_468
  }
}
