internal import CTidemarkZstd

extension Decompressor {
  /// Unpacks frames whose unpacked length need not be told, to at most `byteCountMax` bytes.
  package func unpack(_ packed: [UInt8], byteCountMax: Int) -> Unpacked {
    packed.withUnsafeBytes { source in
      var target = UnpackingBuffer(packedByteCount: source.count, byteCountMax: byteCountMax)
      var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
      ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
      while true {
        var result = 0
        target.fill { free in
          var output = ZSTD_outBuffer(dst: free.baseAddress, size: free.count, pos: 0)
          result = ZSTD_decompressStream(context, &output, &input)
          return output.pos
        }
        if ZSTD_isError(result) != 0 {
          return .malformed("zstd: \(String(cString: ZSTD_getErrorName(result)))")
        }
        if target.isTooLong { return .tooLong }
        if result == 0, input.pos == input.size { return .whole(target.contents) }
        if input.pos == input.size, target.count < target.bytes.count { return .cut }
      }
    }
  }
}
