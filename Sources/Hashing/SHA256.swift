#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CTidemarkOpenSSL
#endif

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
package struct SHA256Hash {
  #if canImport(CryptoKit)
    private var hash = CryptoKit.SHA256()
  #else
    private var context = SHA256_CTX()
  #endif

  package init() {
    #if !canImport(CryptoKit)
      SHA256_Init(&context)
    #endif
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      hash.update(bufferPointer: bytes)
    #else
      SHA256_Update(&context, bytes.baseAddress, bytes.count)
    #endif
  }

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  package mutating func update(_ byte: UInt8) {
    withUnsafeBytes(of: byte) { update($0) }
  }

  /// The digest as four big-endian words.
  ///
  /// The hash is used up.
  package consuming func finish() -> (UInt64, UInt64, UInt64, UInt64) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { target in
      #if canImport(CryptoKit)
        target.copyBytes(from: hash.finalize())
      #else
        // SHA256_Final fails for a null context only.
        _ = SHA256_Final(target.bindMemory(to: UInt8.self).baseAddress, &context)
      #endif
    }
    return (
      UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2),
      UInt64(bigEndian: words.3)
    )
  }
}

extension SHA256Hash {
  /// Four big-endian words of a digest.
  package typealias Words = (UInt64, UInt64, UInt64, UInt64)

  /// SHA-256 of `first` and the bytes behind it.
  package static func hash(_ first: UInt8, _ bytes: UnsafeRawBufferPointer) -> Words {
    #if canImport(CryptoKit)
      var hash = SHA256Hash()
      hash.update(first)
      hash.update(bytes)
      return hash.finish()
    #else
      var words: Words = (0, 0, 0, 0)
      withUnsafeMutableBytes(of: &words) { target in
        tidemark_sha256(
          first,
          bytes.baseAddress,
          bytes.count,
          target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
      }
      return (
        UInt64(bigEndian: words.0), UInt64(bigEndian: words.1), UInt64(bigEndian: words.2),
        UInt64(bigEndian: words.3)
      )
    #endif
  }
}

/// The library that hashes.
package enum Hashing {
  package static var version: String {
    #if canImport(CryptoKit)
      "CryptoKit"
    #else
      "OpenSSL " + String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
    #endif
  }
}
