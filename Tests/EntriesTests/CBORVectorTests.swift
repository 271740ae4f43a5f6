import Testing
import TidemarkEntries

/// The examples of RFC 8949, appendix A: all 81.
@Suite struct CBORVectorTests {
  @Test(arguments: Vectors.deterministic)
  func `a deterministic example is read, and written back to the same bytes`(
    hex: String,
    value: CBORValue
  ) throws {
    let bytes = try #require(Hex.decode(hex))
    let read = try CBORValue(bytes)
    #expect(read == value)
    #expect(Hex.encode(value.encoded) == hex)
    #expect(read.encoded == bytes)
  }

  @Test(arguments: Vectors.refused)
  func `an example with indefinite lengths or wide numbers is refused`(hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    let error = #expect(throws: EntryError.self) { try CBORValue(bytes) }
    #expect(error?.code == .malformed)
  }

  @Test func `no example is missing, and the one that equals nothing is read`() throws {
    #expect(Vectors.deterministic.count + Vectors.refused.count + 1 == 81)
    guard case .float(let number) = try CBORValue([0xf9, 0x7e, 0x00]) else {
      Issue.record("NaN is no number")
      return
    }
    #expect(number.isNaN)
    #expect(CBORValue.float(.nan).encoded == [0xf9, 0x7e, 0x00])
    #expect(CBORValue.float(-.signalingNaN).encoded == [0xf9, 0x7e, 0x00])
  }

  @Test func `the sign of a zero is kept`() throws {
    guard case .float(let number) = try CBORValue([0xf9, 0x80, 0x00]) else {
      Issue.record("-0.0 is no number")
      return
    }
    #expect(number.sign == .minus)
  }

  // Not of the appendix: each head, and each number, one step wider than needed.
  @Test(arguments: [
    "1817", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3817", "580161", "5900ff", "780161",
    "980100", "b8010000", "d801" + "00", "f97e01", "f9fe00", "fa7fc00001", "fb7ff8000000000001",
    "fa3f800000", "fb3ff0000000000000", "fb3ff8000000000000", "fa33800000", "fb40f86a0000000000",
    "fb47efffffe0000000", "f800", "f814", "f818", "f81f", "1c", "1d", "1e", "1f", "3f", "df00",
    "fc",
    "fd", "fe", "ff",
  ])
  func `what is longer than needed, or reserved, is refused`(hex: String) throws {
    let bytes = try #require(Hex.decode(hex))
    let error = #expect(throws: EntryError.self) { try CBORValue(bytes) }
    #expect(error?.code == .malformed)
  }

  @Test func `every half float is read, and written in two bytes`() throws {
    for bits in UInt16.min...UInt16.max {
      let bytes = [0xf9, UInt8(bits >> 8), UInt8(bits & 255)]
      let isStrangeNaN = bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0 && bits != 0x7e00
      if isStrangeNaN {
        #expect(throws: EntryError.self) { try CBORValue(bytes) }
      } else {
        #expect(try CBORValue(bytes).encoded == bytes)
      }
    }
  }
}

private enum Vectors {
  typealias Example = (String, CBORValue)

  static let deterministic: [Example] = integers + floats + simples + strings + nested

  static let integers: [Example] = [
    ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)),
    ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)),
    ("1903e8", .unsigned(1000)), ("1a000f4240", .unsigned(1_000_000)),
    ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
    ("1bffffffffffffffff", .unsigned(18_446_744_073_709_551_615)),
    ("c249010000000000000000", .tag(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ("3bffffffffffffffff", .negative(18_446_744_073_709_551_615)),
    ("c349010000000000000000", .tag(3, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ("20", .negative(0)), ("29", .negative(9)), ("3863", .negative(99)),
    ("3903e7", .negative(999)),
  ]

  static let floats: [Example] = [
    ("f90000", .float(0)), ("f98000", .float(-0.0)), ("f93c00", .float(1)),
    ("fb3ff199999999999a", .float(1.1)), ("f93e00", .float(1.5)), ("f97bff", .float(65504)),
    ("fa47c35000", .float(100_000)), ("fa7f7fffff", .float(3.4028234663852886e+38)),
    ("fb7e37e43c8800759c", .float(1.0e+300)), ("f90001", .float(5.960464477539063e-8)),
    ("f90400", .float(0.00006103515625)), ("f9c400", .float(-4)),
    ("fbc010666666666666", .float(-4.1)), ("f97c00", .float(.infinity)),
    ("f9fc00", .float(-.infinity)),
  ]

  static let simples: [Example] = [
    ("f4", .simple(20)), ("f5", .simple(21)), ("f6", .simple(22)), ("f7", .simple(23)),
    ("f0", .simple(16)), ("f8ff", .simple(255)),
    ("c074323031332d30332d32315432303a30343a30305a", .tag(0, .text("2013-03-21T20:04:00Z"))),
    ("c11a514b67b0", .tag(1, .unsigned(1_363_896_240))),
    ("c1fb41d452d9e8200000", .tag(1, .float(1_363_896_240.5))),
    ("d74401020304", .tag(23, .bytes([1, 2, 3, 4]))),
    ("d818456449455446", .tag(24, .bytes([0x64, 0x49, 0x45, 0x54, 0x46]))),
    (
      "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
      .tag(32, .text("http://www.example.com"))
    ),
  ]

  static let strings: [Example] = [
    ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")),
    ("6161", .text("a")), ("6449455446", .text("IETF")), ("62225c", .text("\"\\")),
    ("62c3bc", .text("\u{fc}")), ("63e6b0b4", .text("\u{6c34}")),
    ("64f0908591", .text("\u{10151}")),
  ]

  static let oneToTwentyFive = (1...25).map { CBORValue.unsigned($0) }

  static let nested: [Example] = [
    ("80", .array([])),
    ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
    (
      "8301820203820405",
      .array([
        .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
      ])
    ),
    ("98190102030405060708090a0b0c0d0e0f101112131415161718181819", .array(oneToTwentyFive)),
    ("a0", .map([])),
    (
      "a201020304",
      .map([.init(.unsigned(1), .unsigned(2)), .init(.unsigned(3), .unsigned(4))])
    ),
    (
      "a26161016162820203",
      .map([
        .init(.text("a"), .unsigned(1)),
        .init(.text("b"), .array([.unsigned(2), .unsigned(3)])),
      ])
    ),
    (
      "826161a161626163",
      .array([.text("a"), .map([.init(.text("b"), .text("c"))])])
    ),
    (
      "a56161614161626142616361436164614461656145",
      .map("abcde".map { CBORValue.Pair(.text(String($0)), .text($0.uppercased())) })
    ),
  ]

  static let refused = [
    "fa7f800000", "fa7fc00000", "faff800000", "fb7ff0000000000000", "fb7ff8000000000000",
    "fbfff0000000000000", "5f42010243030405ff", "7f657374726561646d696e67ff", "9fff",
    "9f018202039f0405ffff", "9f01820203820405ff", "83018202039f0405ff", "83019f0203ff820405",
    "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", "bf61610161629f0203ffff",
    "826161bf61626163ff", "bf6346756ef563416d7421ff",
  ]
}
