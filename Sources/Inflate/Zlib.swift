internal import CTidemarkZlib
package import TidemarkCompression

/// Unpacks what HTTP calls `gzip` and `deflate` (RFC 1950, 1951, 1952).
package enum Zlib {
  /// How the packed bytes begin.
  package enum Form: Sendable {
    /// A gzip header, or several gzip members one behind the other.
    case gzip

    /// A zlib header.
    case zlib

    /// No header; the packed bytes must end where the stream ends.
    case raw

    fileprivate var windowBits: Int32 {
      switch self {
      case .gzip: 15 + 16
      case .zlib: 15
      case .raw: -15
      }
    }
  }

  package static func inflate(_ packed: [UInt8], _ form: Form, byteCountMax: Int) -> Unpacked {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, form.windowBits, ZLIB_VERSION, size) == Z_OK else {
      return .malformed("zlib: out of memory")
    }
    defer { inflateEnd(&stream) }
    var packed = packed
    return packed.withUnsafeMutableBytes { source in
      stream.next_in = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_in = uInt(source.count)
      var target = UnpackingBuffer(packedByteCount: source.count, byteCountMax: byteCountMax)
      return run(&stream, form, into: &target)
    }
  }

  private static func run(
    _ stream: inout z_stream,
    _ form: Form,
    into target: inout UnpackingBuffer
  ) -> Unpacked {
    while true {
      var result = Z_OK
      target.fill { free in
        stream.next_out = free.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = uInt(free.count)
        result = CTidemarkZlib.inflate(&stream, Z_NO_FLUSH)
        return free.count - Int(stream.avail_out)
      }
      if target.isTooLong { return .tooLong }
      switch result {
      case Z_OK: continue
      case Z_STREAM_END:
        if stream.avail_in == 0 { return .whole(target.contents) }
        guard form == .gzip, inflateReset(&stream) == Z_OK else {
          return .malformed("zlib: \(stream.avail_in) bytes follow the end")
        }
      case Z_BUF_ERROR: return .cut
      default: return .malformed("zlib: \(stream.msg.map { String(cString: $0) } ?? "\(result)")")
      }
    }
  }
}
