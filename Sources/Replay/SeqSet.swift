internal import TidemarkEntries

/// A set of seqs, a bit each.
struct SeqSet {
  // By the seq divided by 64. A forged journal may leave gaps of any width, so this is no array.
  private var words: [UInt64: UInt64] = [:]

  func contains(_ seq: Seq) -> Bool {
    (words[seq.value / 64] ?? 0) >> (seq.value % 64) & 1 == 1
  }

  mutating func insert(_ seq: Seq) {
    words[seq.value / 64, default: 0] |= 1 << (seq.value % 64)
  }
}
