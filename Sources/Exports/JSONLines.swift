internal import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkJSON
internal import TidemarkJournalStore

/// The lines of an export, each an object that names its schema.
///
/// `docs/JSON.md` is the contract.
enum JSONLines {
  static let header = "tidemark.export/1"
  static let body = "tidemark.body/1"
  static let trailer = "tidemark.export-trailer/1"

  /// The most bytes of one line: those of the largest content, and room for its names.
  static let lineBytesMax = Limits.bodyBytesMax / 3 * 4 + (1 << 16)
}

/// Numbers that were met, one bit each; nearly all of them follow each other.
struct NumberSet {
  private var pages: [UInt64: [UInt64]] = [:]

  /// Whether `number` is met for the first time.
  mutating func insert(_ number: UInt64) -> Bool {
    let bit: UInt64 = 1 << (number & 63)
    let word = Int(number >> 6 & 63)
    var page = pages.removeValue(forKey: number >> 12) ?? [UInt64](repeating: 0, count: 64)
    let isNew = page[word] & bit == 0
    page[word] |= bit
    pages[number >> 12] = page
    return isNew
  }
}
