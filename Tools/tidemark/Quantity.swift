/// Numbers as people read them; scripts get plain ones.
enum Quantity {
  /// A count with thousands separators: `1,402,118`.
  static func count(_ value: some BinaryInteger) -> String {
    let digits = String(value.magnitude)
    var grouped = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped += "," }
      grouped.append(digit)
    }
    return grouped
  }

  /// A count with its noun: `1 finding`, `2,114 bytes`.
  static func count(_ value: some BinaryInteger, _ one: String, _ many: String) -> String {
    "\(count(value)) \(value == 1 ? one : many)"
  }

  /// A length in powers of ten: `388 bytes`, `61 kB`, `1.4 MB`.
  static func bytes(_ value: UInt64) -> String {
    guard value >= 10_000 else { return count(value, "byte", "bytes") }
    let kilobytes = rounded(value, to: 1000)
    guard kilobytes >= 1000 else { return "\(kilobytes) kB" }
    var unit: UInt64 = 1_000_000
    for name in ["MB", "GB", "TB"] {
      let tenths = rounded(value, to: unit / 10)
      if tenths < 10_000 || name == "TB" { return "\(count(tenths / 10)).\(tenths % 10) \(name)" }
      unit *= 1000
    }
    preconditionFailure("the last unit is always taken")
  }

  // Half is rounded up.
  private static func rounded(_ value: UInt64, to unit: UInt64) -> UInt64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: unit)
    return remainder >= unit - remainder ? quotient + 1 : quotient
  }
}
