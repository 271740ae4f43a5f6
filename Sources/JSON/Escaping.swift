/// Text that came from data, made safe for a terminal.
///
/// Control characters, and those that change the direction or the lines of a text, are shown as
/// `\u{1b}`; bytes that are not UTF-8 as `\xff`. What is safe already stays as it is.
package enum Escaping {
  /// Appends `text` as UTF-8.
  ///
  /// - Complexity: O(*n*)
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) {
      bytes += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        bytes += "\\u{\(String(scalar.value, radix: 16))}".utf8
      } else {
        bytes += scalar.utf8
      }
    }
  }

  package static func visible(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of bytes that need not be UTF-8.
  package static func visible(bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return visible(text) }
    var shown: [UInt8] = []
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded):
        append(String(Unicode.UTF8.decode(encoded)), to: &shown)
        offset += encoded.count
      case .error(let length):
        for byte in bytes[offset..<offset + length] {
          shown += "\\x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        }
        offset += length
      case .emptyInput:
        return String(decoding: shown, as: UTF8.self)
      }
    }
  }

  /// Whether a terminal, or a reader's eye, may be misled by it.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1f, 0x7f...0x9f: true  // control characters
    case 0x61c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x206f: true  // direction
    case 0x2028...0x2029: true  // ends of lines
    case 0xfeff, 0xfff9...0xfffb: true  // byte order mark, annotations
    default: false
    }
  }
}
