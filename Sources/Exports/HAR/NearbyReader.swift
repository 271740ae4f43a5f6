internal import TidemarkJSON

/// Lends parts of a file that mostly stand near each other: one call to the system brings many.
struct NearbyReader {
  private let file: InputFile

  /// What is held of the file, and where it stands there.
  private var window: [UInt8] = []
  private var held = 0..<0

  /// What was asked for last and not held: what comes near it is worth reading ahead.
  private var last = 0
  private var aside: [UInt8] = []

  /// How much is held behind and before a place.
  private static let behindBytes = 128 << 10
  private static let aheadBytes = 384 << 10

  init(_ file: InputFile) {
    self.file = file
  }

  /// Lends the bytes at `range`.
  ///
  /// - Throws: ``InputError`` if the file has become shorter.
  mutating func lend<Result>(
    _ range: Range<Int>,
    _ body: (RawSpan) -> Result
  ) throws(InputError) -> Result {
    if !isHeld(range) {
      let isNear = (last...last + NearbyReader.aheadBytes).contains(range.lowerBound)
      last = range.lowerBound
      guard isNear, range.count <= NearbyReader.aheadBytes else {
        try file.load(range, into: &aside)
        return body(aside.span.bytes.extracting(0..<range.count))
      }
      try move(to: range)
    }
    let start = range.lowerBound - held.lowerBound
    return body(window.span.bytes.extracting(start..<start + range.count))
  }

  private func isHeld(_ range: Range<Int>) -> Bool {
    held.lowerBound <= range.lowerBound && range.upperBound <= held.upperBound
  }

  private mutating func move(to range: Range<Int>) throws(InputError) {
    let start = max(0, range.lowerBound - NearbyReader.behindBytes)
    let end = max(range.upperBound, min(file.byteCount, range.lowerBound + NearbyReader.aheadBytes))
    // If it fails, nothing is held.
    held = 0..<0
    try file.load(start..<end, into: &window)
    held = start..<end
  }
}
