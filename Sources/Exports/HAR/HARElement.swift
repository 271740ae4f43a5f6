/// One element of `log.entries`: where it is and when it happened. 48 bytes, so that a capture of
/// any size can be put in order of time.
struct HARElement: Sendable {
  /// The offset of the element in the file.
  var offset: Int

  /// The start, in microseconds since 1970 in UTC.
  var began: Int64

  /// The end, not before the start; the start itself if no end is told.
  var ended: Int64

  /// The place in `log.entries`.
  var index: UInt32

  /// The length of the element.
  var byteCount: UInt32

  /// Where the text of the answer's content begins, from the offset on; without the quotes.
  var textOffset: UInt32 = 0
  var textByteCount: UInt32 = 0
  var textHasEscapes = false

  /// Why no end is told.
  var missingEnd: MissingEnd?

  var range: Range<Int> { offset..<offset + Int(byteCount) }

  /// Where the text of the content stands in the file; empty if there is none.
  var text: Range<Int> {
    let start = offset + Int(textOffset)
    return start..<start + Int(textByteCount)
  }
}

/// Why a capture does not tell when an exchange ended.
package enum MissingEnd: UInt8, Sendable, Hashable, CaseIterable {
  /// There was no answer: the status is 0, negative or missing.
  case noAnswer

  /// The answer did not come whole: the app or the network ended it.
  case aborted

  /// There is an answer, but no duration that can be used.
  case noTime
}
