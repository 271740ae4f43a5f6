internal import Synchronization
internal import TidemarkEntries
internal import TidemarkJournalStore

/// Reads contents beside the writer, on a connection of its own.
final class BodyStore: Sendable {
  private let reader: Mutex<BodyReader>

  init(_ path: String) throws(JournalError) {
    let reader = try BodyReader(path)
    self.reader = Mutex(reader)
  }

  /// The content of `reference`; nothing if it was not kept, or is not there any more.
  ///
  /// - Throws: ``JournalError`` with code `damaged` if it is not what was kept, or `storage`.
  func content(of reference: BodyReference) throws(JournalError) -> [UInt8]? {
    try reader.withLock { (reader) throws(JournalError) in try reader.content(of: reference) }
  }
}
