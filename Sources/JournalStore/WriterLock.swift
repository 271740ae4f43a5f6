/// Keeps writers out of a journal, without opening it, for as long as it is kept.
package final class WriterLock {
  private let file: LockedFile

  /// - Throws: ``JournalError`` with code `busy` if a writer has the journal, or if it has no
  ///   anchor, by which writers keep each other out.
  package init(of path: String) throws(JournalError) {
    let anchor = Anchor.path(for: try Files.resolved(path))
    guard Files.byteCount(of: anchor) != nil else {
      throw JournalError(
        .busy,
        "the journal has no anchor, so nothing tells whether somebody writes to it",
        finding: .busy
      )
    }
    file = try LockedFile.lock(anchor)
  }

  deinit { file.unlock() }
}
