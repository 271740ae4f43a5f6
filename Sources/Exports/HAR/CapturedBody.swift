/// The content of a request or an answer, as far as a capture has it.
package struct CapturedBody: Sendable {
  /// What is known of it: unpacked, and text as UTF-8.
  package var bytes: [UInt8] = []

  /// Why the bytes are not all that was sent, or not exactly that; nothing if they are.
  package var gap: BodyGap?

  /// The media type with its parameters, as the capture tells it.
  package var mediaType: String?

  /// The length that the capture tells, unpacked.
  package var toldByteCount: Int?

  package var isWhole: Bool { gap == nil }
}

/// Why the bytes of a body are not what was sent.
package enum BodyGap: Sendable, Hashable, CustomStringConvertible {
  /// The content is read when the exchange ends, not when it begins.
  case unread

  /// The capture does not hold the content.
  case absent

  /// The content ends too early.
  case cut

  /// Bytes that were no characters were replaced, here or by who made the capture.
  case altered

  /// The content is still packed, in this coding.
  case packed(String)

  /// What the capture calls base64 is none; nothing is known.
  case malformed

  /// The content is longer than the limit, or unpacks to far more than it is; nothing is kept.
  case tooLong

  /// The form was put together again from its fields.
  case rebuilt

  package var description: String {
    switch self {
    case .unread: "not read yet"
    case .absent: "not in the capture"
    case .cut: "cut"
    case .altered: "bytes were replaced"
    case .packed(let coding): "still packed (\(coding))"
    case .malformed: "not base64"
    case .tooLong: "too long"
    case .rebuilt: "put together from form fields"
    }
  }
}
