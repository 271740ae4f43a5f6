import Testing
import TidemarkEntries

/// The examples of RFC 8949, appendix A.
///
/// Deterministic ones are read and written back to the same bytes; all others are refused.
@Suite struct CBORVectorTests {
  /// Each example in deterministic form, with what it stands for.
  private static let deterministic: [(hex: String, value: CBORValue)] = [
    ("00", .unsigned(0)), ("01", .unsigned(1)), ("0a", .unsigned(10)), ("17", .unsigned(23)),
    ("1818", .unsigned(24)), ("1819", .unsigned(25)), ("1864", .unsigned(100)),
    ("1903e8", .unsigned(1000)), ("1a000f4240", .unsigned(1_000_000)),
    ("1b000000e8d4a51000", .unsigned(1_000_000_000_000)),
    ("1bffffffffffffffff", .unsigned(.max)),
    ("c249010000000000000000", .tag(2, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ("3bffffffffffffffff", .negative(.max)),
    ("c349010000000000000000", .tag(3, .bytes([1, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ("20", .negative(0)), ("29", .negative(9)), ("3863", .negative(99)),
    ("3903e7", .negative(999)), ("f90000", .float(0)), ("f98000", .float(-0.0)),
    ("f93c00", .float(1)), ("fb3ff199999999999a", .float(1.1)), ("f93e00", .float(1.5)),
    ("f97bff", .float(65504)), ("fa47c35000", .float(100_000)),
    ("fa7f7fffff", .float(3.4028234663852886e+38)), ("fb7e37e43c8800759c", .float(1.0e+300)),
    ("f90001", .float(5.960464477539063e-8)), ("f90400", .float(0.00006103515625)),
    ("f9c400", .float(-4)), ("fbc010666666666666", .float(-4.1)), ("f97c00", .float(.infinity)),
    ("f9fc00", .float(-.infinity)), ("f4", .simple(20)), ("f5", .simple(21)), ("f6", .simple(22)),
    ("f7", .simple(23)), ("f0", .simple(16)), ("f8ff", .simple(255)),
    (
      "c074323031332d30332d32315432303a30343a30305a", .tag(0, .text("2013-03-21T20:04:00Z"))
    ),
    ("c11a514b67b0", .tag(1, .unsigned(1_363_896_240))),
    ("c1fb41d452d9ec200000", .tag(1, .float(1363896240.5))),
    ("d74401020304", .tag(23, .bytes([1, 2, 3, 4]))),
    ("d818456449455446", .tag(24, .bytes([0x64, 0x49, 0x45, 0x54, 0x46]))),
    (
      "d82076687474703a2f2f7777772e6578616d706c652e636f6d",
      .tag(32, .text("http://www.example.com"))
    ),
    ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")),
    ("6161", .text("a")), ("6449455446", .text("IETF")), ("62225c", .text("\"\\")),
    ("62c3bc", .text("\u{fc}")), ("63e6b0b4", .text("\u{6c34}")),
    ("64f0908591", .text("\u{10151}")),
    ("80", .array([])), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
    (
      "8301820203820405",
      .array([
        .unsigned(1), .array([.unsigned(2), .unsigned(3)]), .array([.unsigned(4), .unsigned(5)]),
      ])
    ),
    (
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819",
      .array((1...25).map { .unsigned($0) })
    ),
    ("a0", .map([])),
    ("a201020304", .map([.init(.unsigned(1), .unsigned(2)), .init(.unsigned(3), .unsigned(4))])),
    (
      "a26161016162820203",
      .map([
        .init(.text("a"), .unsigned(1)), .init(.text("b"), .array([.unsigned(2), .unsigned(3)])),
      ])
    ),
    ("826161a161626163", .array([.text("a"), .map([.init(.text("b"), .text("c"))])])),
    (
      "a56161614161626142616361436164614461656145",
      .map([
        .init(.text("a"), .text("A")), .init(.text("b"), .text("B")), .init(.text("c"), .text("C")),
        .init(.text("d"), .text("D")), .init(.text("e"), .text("E")),
      ])
    ),
  ]

  /// Well-formed, but longer than needed or of indefinite length.
  private static let others = [
    "fa7f800000", "faff800000", "fb7ff0000000000000", "fb7ff8000000000000", "fbfff0000000000000",
    "fa7fc00000", "5f42010243030405ff", "7f657374726561646d696e67ff", "9fff",
    "9f018202039f0405ffff",
    "9f01820203820405ff", "83018202039f0405ff", "83019f0203ff820405",
    "9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff", "bf61610161629f0203ffff",
    "826161bf61626163ff", "bf6346756ef563416d7421ff",
    // Not of the appendix: longer heads, keys out of order or twice, simple values below 32.
    "1817", "190017", "1a000000ff", "1b00000000ffffffff", "3817", "5800", "7800", "9800", "b800",
    "d817", "f814", "f818", "f81f", "a203040102", "a201020102", "a2616201616102", "f97e01",
    "fb3ff8000000000000", "fa3fc00000",
  ]

  /// Not well-formed (RFC 8949, appendix F).
  private static let malformed = [
    "", "18", "19", "1a", "1b", "1901", "1a0102", "1b01020304050607", "38", "58", "78", "98",
    "9a01ff00", "b8", "d8", "f8", "f900", "fa0000", "fb000000", "41", "61", "5affffffff00",
    "5bffffffffffffffff010203", "7affffffff00", "7b7fffffffffffffff010203", "81", "818181818181",
    "8200", "a1", "a20102", "a100", "a2000000", "c0", "5f4100", "7f6100", "9f", "9f0102", "bf",
    "1c", "1d", "1e", "1f", "3c", "3d", "3e", "3f", "5c", "7c", "9c", "bc", "dc", "fc", "fd", "fe",
    "ff", "df00", "f800", "f801", "62c328", "61ff", "63eda080", "0000",
  ]

  @Test func `deterministic examples are read and written back`() throws {
    for (hex, value) in CBORVectorTests.deterministic {
      let bytes = try #require(Hex.decode(hex))
      let read = try CBORValue(bytes)
      #expect(read == value, "\(hex)")
      #expect(read.encoded == bytes, "\(hex)")
      #expect(value.encoded == bytes, "\(hex)")
    }
    // Not a number is never equal to itself.
    let bytes: [UInt8] = [0xf9, 0x7e, 0x00]
    guard case .float(let number) = try CBORValue(bytes) else {
      Issue.record("no number")
      return
    }
    #expect(number.isNaN && CBORValue.float(.nan).encoded == bytes)
  }

  @Test func `what is not deterministic is refused`() throws {
    for hex in CBORVectorTests.others {
      let bytes = try #require(Hex.decode(hex))
      let error = #expect(throws: EntryError.self, "\(hex)") { try CBORValue(bytes) }
      #expect(error?.code == .malformed, "\(hex)")
    }
  }

  @Test func `what is not well-formed is refused`() throws {
    for hex in CBORVectorTests.malformed {
      let bytes = try #require(Hex.decode(hex))
      #expect(throws: EntryError.self, "\(hex)") { try CBORValue(bytes) }
    }
  }

  @Test func `nesting ends at its limit`() {
    for (opener, closer) in [([0x81], [0x00]), ([0xa1, 0x00], [0x00]), ([0xc1], [0x00])]
      as [([UInt8], [UInt8])]
    {
      func nested(_ depth: Int) -> [UInt8] {
        Array(repeatElement(opener, count: depth).joined()) + closer
      }
      #expect(throws: Never.self) { try CBORValue(nested(CBORReader.depthMax)) }
      let error = #expect(throws: EntryError.self) {
        try CBORValue(nested(CBORReader.depthMax + 1))
      }
      #expect(error?.code == .limit)
      #expect(throws: EntryError.self) { try CBORValue(nested(100_000)) }
    }
  }
}
