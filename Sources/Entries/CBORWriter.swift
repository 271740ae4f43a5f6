/// Writes deterministic CBOR: shortest heads, definite lengths (RFC 8949, section 4.2.1).
///
/// Map keys are the caller's to write in ascending order; ``CBORReader`` refuses any other order.
package struct CBORWriter {
  @usableFromInline package var bytes: [UInt8] = []

  @inlinable
  package init(capacity: Int = 128) {
    bytes.reserveCapacity(capacity)
  }

  //   one byte                 0, 1, 2, 4 or 8 bytes
  //  ┌───────────┬──────────┬─────────────────────────┐
  //  │ major (3) │ info (5) │ argument, big-endian    │   info < 24: the argument itself
  //  └───────────┴──────────┴─────────────────────────┘   24, 25, 26, 27: 1, 2, 4, 8 bytes follow
  @inlinable @inline(__always)
  package mutating func head(_ major: UInt8, _ argument: UInt64) {
    if argument < 24 {
      bytes.append(major << 5 | UInt8(argument))
    } else {
      longHead(major, argument)
    }
  }

  @usableFromInline
  mutating func longHead(_ major: UInt8, _ argument: UInt64) {
    let width: UInt8 =
      switch argument {
      case ...0xff: 0
      case ...0xffff: 1
      case ...0xffff_ffff: 2
      default: 3
      }
    bytes.append(major << 5 | 24 | width)
    // Byte by byte: for so few that is faster than to have them copied.
    var shift = UInt64(8) << UInt64(width)
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: argument >> shift))
    }
  }

  /// The bytes of a number, big-endian.
  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }

  @inlinable
  package mutating func unsigned(_ value: UInt64) {
    head(0, value)
  }

  @inlinable
  package mutating func integer(_ value: Int64) {
    if value >= 0 { head(0, UInt64(value)) } else { head(1, UInt64(bitPattern: ~value)) }
  }

  @inlinable
  package mutating func byteString(_ value: [UInt8]) {
    head(2, UInt64(value.count))
    encoded(value)
  }

  /// Items that are encoded already.
  @inlinable
  package mutating func encoded(_ items: [UInt8]) {
    items.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
  }

  @inlinable
  package mutating func text(_ value: String) {
    head(3, UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  @inlinable
  package mutating func array(count: Int) {
    head(4, UInt64(count))
  }

  @inlinable
  package mutating func map(count: Int) {
    head(5, UInt64(count))
  }

  @inlinable
  package mutating func bool(_ value: Bool) {
    bytes.append(value ? 0xf5 : 0xf4)
  }

  @inlinable
  package mutating func null() {
    bytes.append(0xf6)
  }

  /// A number with a fraction, in the shortest of the three widths that keeps its value.
  package mutating func float(_ value: Double) {
    if value.isNaN {
      bytes += [0xf9, 0x7e, 0x00]
    } else if let half = HalfFloat.bits(exactly: value) {
      bytes.append(0xf9)
      append(half)
    } else if let single = Float(exactly: value) {
      bytes.append(0xfa)
      append(single.bitPattern)
    } else {
      bytes.append(0xfb)
      append(value.bitPattern)
    }
  }
}

/// IEEE 754 binary16 as bits; `Float16` is not there on every platform that Tidemark runs on.
enum HalfFloat {
  static func bits(exactly value: Double) -> UInt16? {
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    if value.isZero { return sign }
    if value.isInfinite { return sign | 0x7c00 }
    let magnitude = value.magnitude
    if magnitude > 65_504 { return nil }
    let bits: UInt16
    if magnitude < 0x1p-14 {
      let steps = magnitude / 0x1p-24
      guard Double(UInt16(steps)) == steps else { return nil }
      bits = UInt16(steps)
    } else {
      let exponent = Int(magnitude.exponent)
      let fraction = (magnitude.significand - 1) * 1024
      guard Double(UInt16(fraction)) == fraction else { return nil }
      bits = UInt16(exponent + 15) << 10 | UInt16(fraction)
    }
    return sign | bits
  }

  static func value(of bits: UInt16) -> Double {
    let sign: FloatingPointSign = bits & 0x8000 == 0 ? .plus : .minus
    let exponent = Int(bits >> 10 & 0x1f)
    let fraction = Double(bits & 0x3ff)
    switch exponent {
    case 0: return Double(sign: sign, exponent: 0, significand: fraction * 0x1p-24)
    case 31: return fraction == 0 ? (sign == .plus ? .infinity : -.infinity) : .nan
    default: return Double(sign: sign, exponent: exponent - 15, significand: 1 + fraction / 1024)
    }
  }
}
