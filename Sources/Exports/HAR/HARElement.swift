/// One element of `log.entries`: where it is, and when it happened.
///
/// 56 bytes, so that a capture of any size can be put in order of time.
struct HARElement: Sendable {
  /// A part of an element, from the beginning of the element on.
  struct Part: Sendable {
    var offset: UInt32 = 0
    var byteCount: UInt32 = 0
  }

  /// The offset of the element in the file.
  var offset: Int

  /// The start, in microseconds since 1970 in UTC.
  var began: Int64

  /// The end, not before the start; the start itself if no end is told.
  var ended: Int64

  /// The place in `log.entries`.
  var index: UInt32

  var request: Part
  var response: Part

  /// What stands between the quotes of the answer's `content.text`; a part of the response.
  var text: Part
  var textHasEscapes: Bool

  var isFromCache: Bool

  /// The place of its type in ``HARIndex/resourceTypes``.
  var resourceType: UInt8

  /// Why no end is told.
  var missingEnd: MissingEnd?

  /// Where a part stands in the file.
  func range(of part: Part) -> Range<Int> {
    let start = offset + Int(part.offset)
    return start..<start + Int(part.byteCount)
  }

  /// How many bytes there are to read, but for the text.
  var headByteCount: Int { Int(request.byteCount) + Int(response.byteCount) - Int(text.byteCount) }
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
