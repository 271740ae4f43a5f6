internal import CTidemarkFiles
internal import TidemarkEntries

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The raw calls on files that SQLite does not make for us, in one place.
package enum Files {
  /// What a path leads to.
  enum Kind {
    case nothing
    case file
    case directory
    case other
  }

  static func kind(of path: String) throws(JournalError) -> Kind {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw failure("cannot look at \(path)", errno)
      }
      return .nothing
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  /// Where a symbolic link leads to; any other path as it is.
  ///
  /// Log and anchor stand beside the file itself, whatever name it is opened by.
  ///
  /// - Throws: ``JournalError`` with code `missing` if the path is empty or the link leads nowhere.
  static func resolved(_ path: String) throws(JournalError) -> String {
    guard !path.isEmpty else {
      throw JournalError(.missing, "an empty path leads nowhere", finding: .noSuchJournal)
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let real = realpath(path, nil) else {
      let reason = String(cString: strerror(errno))
      throw JournalError(
        .missing,
        "\(path) is a symbolic link that leads nowhere: \(reason)",
        finding: .noSuchJournal
      )
    }
    defer { free(real) }
    return String(cString: real)
  }

  package static func byteCount(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(clamping: status.st_size) : nil
  }

  /// What tells one file from another that has its name later.
  struct FileID: Equatable {
    private var device: UInt64 = 0
    private var number: UInt64 = 0

    /// Nothing if no file is at `path`.
    ///
    /// Asked at each commit, and so without the times of the file: who asks for them makes a
    /// durable commit on Linux take half as long again.
    init?(of path: String) {
      guard tidemark_identify(-1, path, &device, &number) == 0 else { return nil }
    }

    /// The file that is open.
    init?(_ descriptor: Int32) {
      guard tidemark_identify(descriptor, nil, &device, &number) == 0 else { return nil }
    }
  }

  /// Refuses a file that has several names.
  ///
  /// SQLite keeps a log and we keep a lock for each name: two writers could have it at once.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - side: a name that a crash may have left of its making.
  ///   - removing: whether that one is taken away.
  /// - Throws: ``JournalError`` with code `busy` if it has another name still.
  static func checkHasOneName(
    _ path: String,
    besides side: String,
    removing: Bool = true
  ) throws(JournalError) {
    let isLeft = FileID(of: path) == FileID(of: side)
    if isLeft, removing { remove(side) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure("cannot look at \(path)", errno) }
    let count = isLeft && !removing ? status.st_nlink - 1 : status.st_nlink
    guard count == 1 else {
      throw JournalError(
        .busy,
        "\(path) has \(count) names (hard links), and each could have a writer: remove all but one",
        finding: .busy
      )
    }
  }

  static func mayWrite(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Creates an empty file that only its owner may read, if nothing is there.
  static func createPrivate(_ path: String) throws(JournalError) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot create \(path)", errno) }
    close(descriptor)
  }

  package static func remove(_ path: String) { unlink(path) }

  /// Whether a file stands at `path`.
  package static func isThere(_ path: String) -> Bool { byteCount(of: path) != nil }

  /// Removes a SQLite file and what belongs to it.
  package static func removeDatabase(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { remove(path + suffix) }
  }

  /// Gives a SQLite file that nobody has open, and what belongs to it, another name; what has that
  /// name goes.
  package static func moveDatabase(_ path: String, to target: String) throws(JournalError) {
    removeDatabase(target)
    for suffix in ["", "-wal"] where byteCount(of: path + suffix) != nil {
      try move(path + suffix, toNew: target + suffix)
    }
    remove(path + "-shm")
    try syncFolder(of: path)
  }

  /// Gives the file at `path` the name `target`, which no file has.
  static func move(_ path: String, toNew target: String) throws(JournalError) {
    // A link fails where a rename would take the place of what stands there.
    guard link(path, target) == 0 else { throw failure("cannot make \(target)", errno) }
    unlink(path)
  }

  /// Copies the bytes of a file, as they are at this moment, to a new one.
  static func copy(_ path: String, to target: String) throws(JournalError) {
    let bytes = try LockedFile.read(path, atMost: Int(byteCount(of: path) ?? 0)) ?? []
    try createPrivate(target)
    let descriptor = open(target, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot open \(target)", errno) }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count
    else { throw failure("cannot write \(target)", errno) }
  }

  /// Waits until what was written to the file at `path`, by whomever, is on the medium.
  static func sync(_ path: String) throws(JournalError) {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      // A log that is not there holds nothing.
      guard errno == ENOENT else { throw failure("cannot open \(path)", errno) }
      return
    }
    defer { close(descriptor) }
    try sync(descriptor, path)
  }

  static func sync(_ descriptor: Int32, _ path: String) throws(JournalError) {
    #if canImport(Darwin)
      // F_FULLFSYNC: fsync alone leaves the bytes in the drive's cache on Apple's systems.
      guard fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0 else {
        throw failure("cannot sync \(path)", errno)
      }
    #else
      guard fdatasync(descriptor) == 0 else { throw failure("cannot sync \(path)", errno) }
    #endif
  }

  /// Syncs the folder of `path`, so that the names in it are on disk.
  static func syncFolder(of path: String) throws(JournalError) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot open \(folder)", errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("cannot sync \(folder)", errno) }
  }

  fileprivate static func checkIsRegular(
    _ descriptor: Int32,
    _ path: String
  ) throws(JournalError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw JournalError(.foreign, "\(path) is not a file", finding: .otherAnchor)
    }
  }

  static func failure(_ what: String, _ number: Int32) -> JournalError {
    let text = String(cString: strerror(number))
    return JournalError(.storage, "\(what): \(text)", finding: .storageRefused)
  }
}

/// A small file that is locked, read and written in place.
final class LockedFile {
  private let descriptor: Int32
  private let path: String

  /// The file that is locked.
  private let file: Files.FileID?

  private init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
    file = Files.FileID(descriptor)
  }

  deinit {
    close(descriptor)
  }

  /// Opens the file, creating it if it is not there, and takes its lock.
  ///
  /// - Throws: ``JournalError`` with code `busy` if somebody has the lock; with `storage`
  ///   otherwise.
  static func lock(_ path: String) throws(JournalError) -> LockedFile {
    // Not through a link, or another file would be written over; and never waiting for a pipe.
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw LockedFile.failure(path, errno) }
    let file = LockedFile(descriptor: descriptor, path: path)
    try Files.checkIsRegular(descriptor, path)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw Files.failure("cannot lock \(path)", errno) }
      throw JournalError(.busy, "another writer has the journal", finding: .busy)
    }
    try file.checkIsInPlace()
    return file
  }

  /// Refuses to go on if the file that is locked is not the one that others would lock.
  ///
  /// - Throws: ``JournalError`` with code `busy`.
  func checkIsInPlace() throws(JournalError) {
    guard let file, Files.FileID(of: path) == file else {
      throw JournalError(
        .busy,
        "\(path) was removed or replaced, and another writer may have the journal: open it again",
        finding: .busy
      )
    }
  }

  /// Why the file at `path` cannot be opened: a folder and a link are not what is expected there.
  private static func failure(_ path: String, _ number: Int32) -> JournalError {
    guard number != EISDIR, number != ELOOP else {
      return JournalError(.foreign, "\(path) is not a file", finding: .otherAnchor)
    }
    return Files.failure("cannot open \(path)", number)
  }

  /// The first bytes of the file that is at `path`, or nothing if none is there.
  static func read(_ path: String, atMost count: Int) throws(JournalError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw failure(path, errno) }
      return nil
    }
    defer { close(descriptor) }
    try Files.checkIsRegular(descriptor, path)
    return try read(descriptor, path, atMost: count)
  }

  func read(atMost count: Int) throws(JournalError) -> [UInt8] {
    try LockedFile.read(descriptor, path, atMost: count)
  }

  private static func read(
    _ descriptor: Int32,
    _ path: String,
    atMost count: Int
  ) throws(JournalError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw Files.failure("cannot read \(path)", errno) }
      if got == 0 { break }
      filled += got
    }
    return Array(bytes[..<filled])
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(JournalError) {
    var written = 0
    while written < bytes.count {
      let took = bytes.withUnsafeBytes {
        pwrite(
          descriptor,
          $0.baseAddress?.advanced(by: written),
          bytes.count - written,
          off_t(offset + written)
        )
      }
      if took < 0 && errno == EINTR { continue }
      guard took > 0 else { throw Files.failure("cannot write \(path)", errno) }
      written += took
    }
  }

  func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// Waits until what was written is on the medium.
  func sync() throws(JournalError) {
    try Files.sync(descriptor, path)
  }
}
