internal import CTidemarkZstd

/// Packs bytes with zstd; one context, used again and again.
///
/// Used by one thread at a time.
package final class Compressor {
  private let context: OpaquePointer
  private var buffer: [UInt8] = []

  /// - Parameter level: 1 is fast and 19 small; below 1, faster still.
  package init(level: Int32 = -1) {
    guard let context = ZSTD_createCCtx() else { preconditionFailure("out of memory") }
    self.context = context
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0)
  }

  deinit {
    ZSTD_freeCCtx(context)
  }

  /// One zstd frame of `bytes`, or nothing if it would not be smaller.
  ///
  /// - Complexity: O(*n*)
  package func compress(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    let bound = ZSTD_compressBound(bytes.count)
    guard bound <= Compressor.bufferBytesMax else { return compressLarge(bytes, bound) }
    if buffer.count < bound { buffer = [UInt8](repeating: 0, count: bound) }
    let written = buffer.withUnsafeMutableBytes { target in
      ZSTD_compress2(context, target.baseAddress, target.count, bytes.baseAddress, bytes.count)
    }
    guard ZSTD_isError(written) == 0, written < bytes.count else { return nil }
    return Array(buffer[..<written])
  }

  /// The buffer is no larger; what needs more gets its own, and memory for what is written.
  private static let bufferBytesMax = 1 << 20

  private func compressLarge(_ bytes: UnsafeRawBufferPointer, _ bound: Int) -> [UInt8]? {
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      let written = ZSTD_compress2(
        context,
        target.baseAddress,
        target.count,
        bytes.baseAddress,
        bytes.count
      )
      count = ZSTD_isError(written) == 0 ? written : 0
    }
    // A copy, so that the room for what did not come is given back.
    return packed.isEmpty || packed.count >= bytes.count
      ? nil : packed.withUnsafeBytes { Array($0) }
  }

  /// As ``compress(_:)-(UnsafeRawBufferPointer)``, for bytes that are in an array.
  package func compress(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBytes { compress($0) }
  }
}

/// Unpacks zstd frames; one context, used again and again.
///
/// Used by one thread at a time.
package final class Decompressor {
  let context: OpaquePointer

  package init() {
    guard let context = ZSTD_createDCtx() else { preconditionFailure("out of memory") }
    self.context = context
  }

  deinit {
    ZSTD_freeDCtx(context)
  }

  /// Unpacks one frame that must give exactly `byteCount` bytes.
  ///
  /// No more memory is taken than `byteCount`, whatever the frame says; compare that number with a
  /// limit before.
  ///
  /// - Throws: ``CompressionError`` if it is no frame, or gives another number of bytes.
  package func decompress(
    _ bytes: UnsafeRawBufferPointer,
    byteCount: Int
  ) throws(CompressionError) -> [UInt8] {
    var failure: CompressionError?
    let result = [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
      let written = ZSTD_decompressDCtx(
        context,
        target.baseAddress,
        byteCount,
        bytes.baseAddress,
        bytes.count
      )
      if ZSTD_isError(written) != 0 {
        failure = CompressionError("zstd: \(String(cString: ZSTD_getErrorName(written)))")
      } else if written != byteCount {
        failure = CompressionError("zstd: \(written) bytes unpacked, \(byteCount) announced")
      } else {
        count = written
      }
    }
    if let failure { throw failure }
    return result
  }

  /// As the call above, for bytes that are in an array.
  ///
  /// - Throws: as the call above.
  package func decompress(_ bytes: [UInt8], byteCount: Int) throws(CompressionError) -> [UInt8] {
    let result = bytes.withUnsafeBytes { source in
      Result { () throws(CompressionError) in try decompress(source, byteCount: byteCount) }
    }
    return try result.get()
  }
}

/// The zstd library that is linked.
package enum Zstd {
  package static var version: String { String(cString: ZSTD_versionString()) }
}
