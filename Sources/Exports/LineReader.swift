internal import TidemarkJSON

/// Reads a file line by line; memory holds one line.
struct LineReader {
  /// One line without its end.
  struct Line {
    var bytes: [UInt8]

    /// Counted from 1.
    var number: Int

    /// Whether the file ends behind it without an end of line.
    var isCut = false

    /// Whether it has more bytes than are taken; they end the reading.
    var isTooLong = false
  }

  private let file: InputFile
  private let lineBytesMax: Int
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  private var unread = 0..<0

  /// How many bytes of the file were read.
  private(set) var offset = 0

  /// How many lines were read.
  private(set) var number = 0

  init(_ file: InputFile, lineBytesMax: Int) {
    self.file = file
    self.lineBytesMax = lineBytesMax
  }

  /// The next line; nothing at the end.
  ///
  /// - Throws: ``InputError`` if the file cannot be read.
  mutating func next() throws(InputError) -> Line? {
    var line: [UInt8] = []
    while true {
      if unread.isEmpty {
        let taken = try file.take(buffer.count, at: offset, into: &buffer, from: 0)
        offset += taken
        unread = 0..<taken
        if taken == 0 {
          guard !line.isEmpty else { return nil }
          number += 1
          return Line(bytes: line, number: number, isCut: true)
        }
      }
      let end = buffer[unread].firstIndex(of: UInt8(ascii: "\n"))
      line += buffer[unread.lowerBound..<(end ?? unread.upperBound)]
      if line.count > lineBytesMax {
        return Line(bytes: [], number: number + 1, isTooLong: true)
      }
      unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
      guard end != nil else { continue }
      number += 1
      return Line(bytes: line, number: number)
    }
  }
}
