internal import TidemarkEntries
internal import TidemarkJournalStore

/// A folder of chunks, each a set of lines, in which many become one.
///
/// A chunk is never changed, and its name follows from its content: equal chunks are one file, so
/// what compaction has just written can be one of those that it is to delete.
struct ChunkFolder {
  private static let ending = ".chunk"
  private let folder: Folder

  init(_ folder: Folder) {
    self.folder = folder
  }

  /// The lines of all chunks, each once, in order.
  var lines: [[UInt8]] {
    var lines: Set<[UInt8]> = []
    for name in names {
      let content = Folder.read(path(of: name)) ?? []
      lines.formUnion(content.split(separator: UInt8(ascii: "\n")).map { Array($0) })
    }
    return lines.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Adds lines as a chunk.
  ///
  /// - Returns: its name.
  @discardableResult
  func add(_ lines: [[UInt8]]) -> String {
    let content = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    let name = "\(Fingerprint.of(content, seed: 0))\(ChunkFolder.ending)"
    Folder.write(content, to: path(of: name))
    return name
  }

  /// Makes one chunk of all: it is there before any of them is deleted.
  ///
  /// - Parameter goesOn: whether the process lives on between the two.
  func compact(goesOn: Bool = true) {
    guard !names.isEmpty else { return }
    let old = names
    let whole = add(lines)
    guard goesOn else { return }
    // What was left of an earlier run may be this very chunk.
    for name in old where name != whole || !StoreRule.compactExcludeSelf.isOn {
      Folder.remove(path(of: name))
    }
  }

  private var names: [String] {
    folder.names.filter { $0.hasSuffix(ChunkFolder.ending) }
  }

  private func path(of name: String) -> String { "\(folder.path)/\(name)" }
}
