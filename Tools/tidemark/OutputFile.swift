/// What `--out` names: a file that appears under its name only when it is whole.
struct OutputFile {
  let descriptor: Int32
  private let path: String

  // Nothing if the path is a device or a pipe, which is written to as it is.
  private let sideName: String?

  /// Opens a side file next to `path`, for its owner alone.
  ///
  /// - Parameters:
  ///   - path: the name that the file gets.
  ///   - isOwn: whether the caller knows that it wrote what stands there, whatever that is.
  /// - Throws: ``Failure`` if a folder, a journal, a file that no export wrote, or a link that
  ///   leads nowhere stands there, or the file cannot be made.
  init(_ path: String, isOwn: Bool = false) throws(Failure) {
    self.path = System.resolved(path) ?? path
    switch System.fileType(at: path) {
    case .folder: throw .usage("'\(path)' is a folder; --out takes the name of a file")
    case .missing where System.isLink(path):
      throw .usage("'\(path)' is a symbolic link that leads nowhere; name the file itself")
    case .regular where OutputFile.belongsToJournal(path),
      .missing where OutputFile.belongsToJournal(path):
      throw .usage("'\(path)' belongs to a journal, which nothing is written over")
    case .other: sideName = nil
    case .regular where !isOwn && !OutputFile.mayReplace(path):
      let nature = FileNature(at: path)?.words ?? "a file"
      throw .usage(
        "\(path) is there and is \(nature); name another file, or remove it first"
      )
    case .regular, .missing: sideName = "\(self.path).\(System.processID).part"
    }
    do throws(System.CallError) {
      if let sideName {
        Leftovers.note(sideName)
        descriptor = try System.create(sideName)
      } else {
        descriptor = try System.openDevice(path)
      }
    } catch {
      if error.isInterruption { throw .interrupted }
      throw .files("cannot write '\(path)': \(error)")
    }
  }

  /// Gives the file its name, once its bytes are on the disk.
  ///
  /// - Throws: ``Failure``; the file that stood there before still does.
  func commit() throws(Failure) {
    defer { System.closeFile(descriptor) }
    guard let sideName else { return }
    do throws(System.CallError) {
      try System.sync(descriptor)
      try System.move(sideName, to: path)
    } catch {
      System.remove(sideName)
      throw .files("cannot write '\(path)': \(error)")
    }
  }

  /// Leaves no trace of what was written.
  func discard() {
    System.closeFile(descriptor)
    if let sideName { System.remove(sideName) }
  }

  /// Whether what stands at `path` can be made again: nothing, or JSON that the tool wrote.
  private static func mayReplace(_ path: String) -> Bool {
    [.empty, .export, nil].contains(FileNature(at: path))
  }

  // A SQLite file has its application id at byte 68, see `Journal/FORMAT.md`. Its write-ahead log
  // begins with one of two numbers, and may hold entries that are nowhere else.
  //
  // A log that is empty now, or not there, is when the app commits next: names count as well.
  private static func belongsToJournal(_ path: String) -> Bool {
    for suffix in ["-wal", "-shm", "-journal", "-anchor"] where path.hasSuffix(suffix) {
      if System.fileType(at: String(path.dropLast(suffix.count))) == .regular { return true }
    }
    let header = System.firstBytes(72, of: path)
    if header.starts(with: "SQLite format 3\u{0}".utf8) {
      return header.dropFirst(68).elementsEqual("Tide".utf8)
    }
    let isLog = [0x82, 0x83].contains { header.starts(with: [0x37, 0x7f, 0x06, $0]) }
    return isLog || header.starts(with: "tidemark anchor ".utf8)
  }
}
