import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore

/// How contents are shown where `--bodies` asks for them.
struct BodyText {
  private let reader: JournalReader

  /// So many bytes of a content are shown; a file of `--out` has all of them.
  static let bytesMax = 4096

  init(_ reader: JournalReader) {
    self.reader = reader
  }

  /// Writes the content of `reference`, which the entry at `seq` names, each line behind `margin`;
  /// a file gets the bytes themselves.
  ///
  /// What is wrong with it is told.
  func write(
    _ reference: BodyReference,
    of seq: Seq,
    margin: String,
    to output: inout Output
  ) throws {
    switch try reader.body(reference, of: seq) {
    case .absent: try output.line("\(margin)not kept")
    case .differs(let finding): output.tell([finding])
    case .kept(let content) where output.isFile:
      try output.bytes(content + (content.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]))
    case .kept(let content):
      for line in BodyText.lines(of: content, margin: margin) { try output.line(line) }
    }
  }

  static func lines(of content: [UInt8], margin: String) -> [Line] {
    let shown = Array(content.prefix(bytesMax))
    let rest = content.count - shown.count
    let end: [Line] =
      rest > 0 ? ["\(margin)… and \(Quantity.bytes(UInt64(rest))) more; --out has all"] : []
    // A character may be cut in two at the end.
    let isText = (0..<4).contains { String(validating: shown.dropLast($0), as: UTF8.self) != nil }
    guard isText else { return hexLines(of: shown.prefix(256), margin: margin) + end }
    return shown.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      Line(margin + Escaping.visible(bytes: Array($0)))
    } + end
  }

  /// Sixteen bytes a line, as hexadecimal digits and as text where they are printable.
  static func hexLines(of bytes: some Collection<UInt8>, margin: String) -> [Line] {
    let bytes = Array(bytes)
    return stride(from: 0, to: bytes.count, by: 16).map { start in
      let row = bytes[start..<min(start + 16, bytes.count)]
      let digits = row.map { Hex.encode([$0]) }.joined(separator: " ")
      let text = String(
        decoding: row.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: ".") },
        as: UTF8.self
      )
      let offset = Hex.encode([UInt8(start >> 8 & 0xff), UInt8(start & 0xff)])
      let space = String(repeating: " ", count: 47 - digits.count)
      return "\(margin)\(offset)  \(digits)\(space)  \(text)"
    }
  }
}
