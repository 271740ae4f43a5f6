internal import TidemarkEntries
internal import TidemarkJournalStore

/// A small file beside the journal that no backup takes: it tells a device that was restored, or a
/// copy, from the device that wrote the journal.
///
/// It names the journal and its writer. A journal with entries and without its marker came from
/// elsewhere: what the writer did since the backup is known to servers and not to this journal, so
/// it must not go on under the same name.
struct DeviceMarker {
  private let path: String

  init(beside journal: String) {
    path = journal + "-marker"
  }

  /// Gives the journal a new writer if it was restored or copied, and marks it.
  ///
  /// - Returns: whether it was.
  func recognize(
    _ journal: Journal,
    _ options: Stores.Options,
    _ chance: inout some RandomNumberGenerator
  ) throws(JournalError) -> Bool {
    guard !journal.isReadOnly, !isThere(for: journal.identity) else { return false }
    let isRestored = journal.committed.value > 0 && StoreRule.restoreDevice.isOn
    if isRestored { try journal.renewIdentity(at: options.clock.now(), chance: &chance) }
    do throws(Platform.Failure) { try write(journal.identity) } catch {
      throw JournalError(.storage, error.description)
    }
    return isRestored
  }

  private static func content(_ identity: Identity) -> [UInt8] {
    Array("tidemark \(Hex.encode(identity.journal)) \(Hex.encode(identity.writer))\n".utf8)
  }

  private func isThere(for identity: Identity) -> Bool {
    let content = DeviceMarker.content(identity)
    // A marker that cannot be read is none: the writer then takes a new name, which does no harm.
    return (try? PlainFile(reading: path).read(content.count + 1, at: 0)) == content
  }

  private func write(_ identity: Identity) throws(Platform.Failure) {
    let side = path + "-new"
    try Platform.remove(side)
    let file = try PlainFile(new: side)
    try file.append(DeviceMarker.content(identity))
    file.leaveOutOfBackups()
    try file.sync()
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : path[..<$0] } ?? "."
    try Platform.rename(side, to: path, in: String(folder))
  }
}
