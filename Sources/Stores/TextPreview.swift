internal import TidemarkEntries

/// Text cut short for a list: what is stored stays as it came.
public enum TextPreview {
  /// The beginning of `text`, of at most so many UTF-16 units, cut between two characters.
  ///
  /// - Complexity: O(*n*) in the limit.
  public static func cut(_ text: String, toUTF16Count limit: Int) -> String {
    guard StoreRule.textScalars.isOn else {
      return String(decoding: text.utf16.prefix(max(limit, 0)), as: UTF16.self)
    }
    var (end, rest) = (text.startIndex, max(limit, 0))
    while end < text.endIndex {
      let next = text.index(after: end)
      rest -= text.utf16.distance(from: end, to: next)
      guard rest >= 0 else { break }
      end = next
    }
    return String(text[..<end])
  }
}
