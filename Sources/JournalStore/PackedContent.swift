package import TidemarkCompression

/// Content, and how the table of bodies holds it.
///
/// To pack it is most of the work of keeping it, and needs no journal: any thread can do that.
package struct PackedContent: Sendable {
  package let bytes: [UInt8]
  let codec: Codec

  /// What is stored: the packed bytes, or the content itself if that takes less room.
  let stored: [UInt8]

  /// - Parameters:
  ///   - content: what is to be kept.
  ///   - compressor: used again and again, by one thread at a time.
  package init(_ content: [UInt8], _ compressor: Compressor) {
    bytes = content
    let packed = PackedContent.isWorthPacking(content) ? compressor.compress(content) : nil
    codec = packed == nil ? .stored : .zstd
    stored = packed ?? content
  }

  /// What begins like a packed picture or archive is stored as it is.
  private static func isWorthPacking(_ content: [UInt8]) -> Bool {
    guard content.count >= 64 else { return false }
    return !packed.contains { content.starts(with: $0) }
      && !(content.starts(with: "RIFF".utf8) && content[8...].starts(with: "WEBP".utf8))
  }

  private static let packed: [[UInt8]] = [
    [0xff, 0xd8, 0xff], [0x89, 0x50, 0x4e, 0x47], [0x47, 0x49, 0x46, 0x38], [0x1f, 0x8b],
    [0x50, 0x4b, 0x03, 0x04], [0x28, 0xb5, 0x2f, 0xfd], Array("wOF2".utf8),
  ]
}
