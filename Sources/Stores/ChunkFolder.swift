internal import TidemarkEntries
internal import TidemarkHashing

/// A folder of chunks, each a set of lines, in which many become one.
///
/// A chunk is never changed, and its name follows from its content: equal chunks are one file.
package struct ChunkFolder: Sendable {
  private static let ending = ".chunk"
  private let folder: String

  package init(_ folder: String) {
    self.folder = folder
  }

  /// The lines of all chunks, each once, in order.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if a file cannot be read.
  package var lines: [[UInt8]] {
    get throws(StoreError) {
      try asking { () throws(Platform.Failure) in
        var lines: Set<[UInt8]> = []
        for name in try names {
          let file = try PlainFile(reading: "\(folder)/\(name)")
          let content = try file.read(file.byteCount, at: 0)
          lines.formUnion(content.split(separator: UInt8(ascii: "\n")).map { Array($0) })
        }
        return lines.sorted { $0.lexicographicallyPrecedes($1) }
      }
    }
  }

  /// Adds lines as a chunk.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the disk refuses; nothing was added then.
  package func add(_ lines: [[UInt8]]) throws(StoreError) {
    _ = try asking { () throws(Platform.Failure) in try write(lines) }
  }

  /// Makes one chunk of all: it is on the medium before any of them is deleted.
  ///
  /// - Parameter goesOn: is asked between the two; a process that ends there loses nothing.
  /// - Throws: ``StoreError/invalid(_:)`` if the disk refuses; what was there stays then.
  package func compact(_ goesOn: () -> Bool = { true }) throws(StoreError) {
    let lines = try lines
    guard !lines.isEmpty else { return }
    try asking { () throws(Platform.Failure) in
      let old = try names
      let whole = try write(lines)
      guard goesOn() else { return }
      // What was left of an earlier run may be this very chunk.
      for name in old where name != whole || !StoreRule.compactExcludeSelf.isOn {
        try Platform.remove("\(folder)/\(name)")
      }
    }
  }

  private var names: [String] {
    get throws(Platform.Failure) {
      try Platform.names(in: folder).filter { $0.hasSuffix(ChunkFolder.ending) }
    }
  }

  private func write(_ lines: [[UInt8]]) throws(Platform.Failure) -> String {
    let content = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    var hash = SHA256Hash()
    hash.update(content)
    let name = Digest(words: hash.finish()).description + ChunkFolder.ending
    let side = "\(folder)/\(name)-new"
    try Platform.remove(side)
    let file = try PlainFile(new: side)
    try file.append(content)
    try file.sync()
    try Platform.rename(side, to: "\(folder)/\(name)", in: folder)
    return name
  }

  private func asking<Result>(
    _ work: () throws(Platform.Failure) -> Result
  ) throws(StoreError) -> Result {
    do throws(Platform.Failure) { return try work() } catch { throw .invalid(error.description) }
  }
}
