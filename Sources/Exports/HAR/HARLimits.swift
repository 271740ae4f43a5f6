/// How much of a capture is taken; a capture may come from anybody.
package struct HARLimits: Sendable {
  /// The longest element of `log.entries`; a longer one is left out.
  package var entryBytesMax = 256 << 20

  /// The most elements that are taken.
  package var entriesMax = 1 << 22

  /// The longest body, decoded and unpacked; a longer one is left out, its exchange is taken.
  package var bodyBytesMax = 64 << 20

  /// How many bytes of exchanges that have begun and not ended are held, to be read once only.
  package var openBytesMax = 16 << 20

  /// How many times longer than packed a body may become, once it is longer than 1 MiB.
  package static let unpackedRatioMax = 256

  /// How many content codings of one body are taken off, one after the other.
  package static let codingsMax = 4

  /// How many problems are listed; all are counted.
  package static let problemsListedMax = 1000

  package init() {}
}
