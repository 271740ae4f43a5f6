extension Words {
  /// The text as one word of a shell, for command lines that people copy.
  ///
  /// What comes from a capture or a file name must not become a command of its own.
  static func quoted(_ text: String, always: Bool = false) -> String {
    let plain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./,:@%+".utf8.contains(byte)
      }
    }
    if plain, !always, !text.isEmpty, !text.hasPrefix("-") { return text }
    let path = text.hasPrefix("-") ? "./" + text : text
    return "'" + path.replacing("'", with: "'\\''") + "'"
  }
}
