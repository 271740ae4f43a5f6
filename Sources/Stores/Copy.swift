public import TidemarkEntries
internal import TidemarkProjections

/// A device copy of what a server said under a path.
public struct Copy: Sendable, Hashable {
  /// Where it stands.
  public let path: Path

  /// The entry that gave it.
  public let seq: Seq

  /// When it was saved, as the device's clock said: for the words *saved on this device*.
  public let saved: DeviceTime

  /// The status of the answer.
  public let status: UInt64

  /// The server's revision, if it sent one.
  public let revision: UInt64?

  /// The length of its content.
  public let byteCount: UInt64

  /// Whether it is of bytes that never change.
  public let isImmutable: Bool

  /// Whether a later answer could not be written here, so that the server may have something newer;
  /// until the next read lands.
  public let isSuspect: Bool
  let body: BodyReference

  init(_ path: Path, _ copy: ShelfState.Copy, isSuspect: Bool) {
    self.path = path
    seq = copy.seq
    saved = copy.saved
    status = copy.status
    revision = copy.revision
    byteCount = copy.body.byteCount
    isImmutable = copy.isImmutable
    body = copy.body
    self.isSuspect = isSuspect
  }
}
