internal import Synchronization
package import TidemarkEntries
internal import TidemarkHashing
package import TidemarkJSON
internal import TidemarkParallel

/// A capture, and what its file is known by.
package struct HARSource: Sendable {
  package let capture: HARCapture

  /// SHA-256 of the file.
  package let digest: Digest

  /// Checks a capture and finds its entries; another thread hashes the file meanwhile.
  ///
  /// - Throws: ``HARError`` if the file cannot be read, or is no capture.
  package init(reading file: InputFile, limits: HARLimits = HARLimits()) throws(HARError) {
    let hashing = Hashing()
    let work = WorkBeside { Result { () throws(InputError) in try hashing.digest(of: file) } }
    do throws(HARError) { capture = try HARCapture(reading: file, limits: limits) } catch {
      hashing.isWanted.store(false, ordering: .relaxed)
      throw error
    }
    do throws(InputError) { digest = try work.result().get() } catch { throw .unreadable(error) }
  }
}

/// The hashing of a file, which ends early if nobody asks for the digest.
private final class Hashing: Sendable {
  /// Whether the file is a capture, as far as is known.
  let isWanted = Atomic(true)

  func digest(of file: InputFile) throws(InputError) -> Digest {
    var hash = SHA256Hash()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while isWanted.load(ordering: .relaxed) {
      let count = try file.take(buffer.count, at: offset, into: &buffer, from: 0)
      if count == 0 { break }
      buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += count
    }
    return Digest(words: hash.finish())
  }
}
