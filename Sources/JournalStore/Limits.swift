internal import TidemarkEntries

/// What one journal may hold; the numbers of `Journal/FORMAT.md`, Limits.
package enum Limits {
  /// The most entries of one block.
  package static let blockEntriesMax = 4096

  /// The most bytes that the frames of one block have before they are packed.
  ///
  /// Damage takes whole blocks, so they stay small; packing gains nothing beyond this.
  package static let blockBytesMax = 128 << 10

  /// When a block has so many bytes, a commit begins another one.
  package static let blockBytesAim = 16 << 10

  /// Blocks with fewer bytes are stored as they are.
  package static let packedBytesMin = 256

  /// The greatest seq, counter or id: what SQLite stores.
  package static let numberMax = UInt64(Int64.max)

  /// The most bytes of one body, before it is packed.
  package static let bodyBytesMax = 256 << 20

  /// The bytes of the salt of a body.
  package static let saltBytes = 16

  /// How many entries are kept apart from the sorted index until it takes them in.
  package static let indexTailEntriesMax = 8192

  /// The most pages of 4,096 bytes that a writer has SQLite check on opening.
  package static let checkedPagesMax = 2048

  /// How many of the last rows of a larger file must be in order.
  package static let checkedRowsMax = 512

  /// How many paths are kept in memory beside the tail.
  package static let cachedPathsMax = 32_768
}
