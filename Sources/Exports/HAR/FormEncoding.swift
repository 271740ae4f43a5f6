internal import TidemarkEntries

/// The encoding of form fields in a query or in content (`application/x-www-form-urlencoded`).
enum FormEncoding {
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == UInt8(ascii: "%"), index + 2 < text.endIndex,
        let high = Hex.value(of: text[index + 1]), let low = Hex.value(of: text[index + 2])
      {
        bytes.append(high << 4 | low)
        index += 3
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
        index += 1
      }
    }
    return bytes
  }

  static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"):
        bytes.append(byte)
      case 0x20: bytes.append(UInt8(ascii: "+"))
      default:
        bytes.append(UInt8(ascii: "%"))
        bytes += Hex.encode(CollectionOfOne(byte)).uppercased().utf8
      }
    }
  }
}
