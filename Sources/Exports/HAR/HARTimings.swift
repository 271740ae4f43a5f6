internal import TidemarkJSON

/// The phases of an exchange, in milliseconds; a phase that did not happen is −1.
struct HARTimings {
  /// The sum of the phases that happened, if any of them is told.
  private(set) var sum: Double?

  /// Whether the answer began and its end was not seen: so Playwright says it.
  var stopAfterWait: Bool { hasWait && endsOpen }

  private var hasWait = false
  private var endsOpen = false

  private static let millisecondsMax = 1e12

  init() {}

  init(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    while try scanner.nextMember() {
      let isWait = scanner.isNamed("wait")
      let isReceive = scanner.isNamed("receive")
      // `ssl` is a part of `connect`.
      let isPhase =
        isWait || isReceive || scanner.isNamed("blocked") || scanner.isNamed("dns")
        || scanner.isNamed("connect") || scanner.isNamed("send")
      guard isPhase, let value = try scanner.number() else {
        if !isPhase { try scanner.skip() }
        continue
      }
      if let usable = HARTimings.usable(value) { sum = (sum ?? 0) + usable }
      if isWait { hasWait = value >= 0 }
      if isReceive { endsOpen = value < 0 }
    }
  }

  /// `milliseconds` if they are a duration: not negative, and less than 32 years.
  static func usable(_ milliseconds: Double?) -> Double? {
    milliseconds.flatMap { (0...millisecondsMax).contains($0) ? $0 : nil }
  }
}
