import TidemarkEntries
import TidemarkJournalStore

/// The file of `--cursor-file`: one line, the place up to which a journal was read.
struct CursorFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// The cursor that the file holds; nothing if there is no file.
  ///
  /// - Throws: ``Failure`` if something else is in the file, which is then left alone.
  func read() throws(Failure) -> Cursor? {
    switch System.fileType(at: path) {
    case .missing: return nil
    case .regular: break
    case .folder, .other: throw .usage("'\(path)' is no file that can hold a cursor")
    }
    let line = System.firstBytes(256, of: path).split(separator: UInt8(ascii: "\n")).first ?? []
    guard let cursor = Cursor(String(decoding: line, as: UTF8.self)) else {
      throw .usage("'\(path)' is there, and holds no cursor", advice: "Give another path.")
    }
    return cursor
  }

  /// Puts `cursor` into the file: whoever reads it finds the old one or the new one, whole.
  func write(_ cursor: Cursor) throws(Failure) {
    let file = try OutputFile(path, isOwn: true)
    do throws(System.CallError) {
      try System.write(Array("\(cursor)\n".utf8), to: file.descriptor)
    } catch {
      file.discard()
      throw .files("cannot write '\(path)': \(error)")
    }
    try file.commit()
  }
}
