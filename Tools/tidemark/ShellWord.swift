import TidemarkJSON

extension Words {
  /// The text as one word of a shell, for command lines that people copy.
  ///
  /// What comes from a capture or a file name must not become a command of its own, and what the
  /// screen would not show as it is must not be lost: such characters are written for `printf`.
  /// (Ends of lines at the end of a word are lost there.)
  static func quoted(_ text: String, always: Bool = false) -> String {
    let path = text.hasPrefix("-") ? "./" + text : text
    if path.unicodeScalars.contains(where: Escaping.isUnsafe) { return printed(path) }
    if !always, !path.isEmpty, path.utf8.allSatisfy(isPlain) { return path }
    return "'" + path.replacing("'", with: "'\\''") + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-_./,:@+".utf8.contains(byte)
    }
  }

  /// Every byte that is not plain as three octal digits, which each shell's `printf` takes.
  private static func printed(_ text: String) -> String {
    let format = text.utf8.reduce(into: "") { format, byte in
      guard !isPlain(byte) else { return format.unicodeScalars.append(Unicode.Scalar(byte)) }
      let digits = String(byte, radix: 8)
      format += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "\"$(printf '\(format)')\""
  }
}
