import Foundation

/// One file of a journal that is damaged, looked at, and made whole again, many times.
package final class DamagedFile {
  private let handle: FileHandle
  private let original: [UInt8]
  private let path: String

  package init(_ place: TemporaryJournal, _ part: TemporaryJournal.Part) throws {
    original = try place.bytes(of: part)
    path = place.path
    handle = try FileHandle(forUpdating: URL(fileURLWithPath: place.path + part.rawValue))
  }

  package func flipBit(_ bit: Int, ofByte offset: Int) throws {
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: [original[offset] ^ 1 << UInt8(bit)])
  }

  package func cut(toBytes count: Int) throws {
    try handle.truncate(atOffset: UInt64(count))
  }

  /// Makes the file what it was; what SQLite left beside it goes.
  package func restore() throws {
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: original)
    try? FileManager.default.removeItem(atPath: path + "-shm")
  }
}
