internal import TidemarkEntries

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What the stores ask of the system directly, in one place: the time, and the files of the inbox.
enum Platform {
  /// A call that the system refused.
  struct Failure: Error, CustomStringConvertible {
    let what: String
    let number: Int32

    var description: String { "\(what): \(String(cString: strerror(number)))" }
  }

  /// The time of the device's clock.
  static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Makes a folder that only its owner may look into, if nothing is there.
  static func makeFolder(_ path: String) throws(Failure) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw Failure(what: "cannot make \(path)", number: errno)
    }
  }

  /// The names in a folder, in the order of bytes; none if it is not there.
  static func names(in folder: String) throws(Failure) -> [String] {
    guard let directory = opendir(folder) else {
      guard errno == ENOENT else { throw Failure(what: "cannot list \(folder)", number: errno) }
      return []
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let item = readdir(directory) {
      let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw Failure(what: "cannot remove \(path)", number: errno)
    }
  }

  /// Gives a file another name in the same folder, for good: the folder is synced.
  static func rename(_ path: String, to target: String, in folder: String) throws(Failure) {
    guard Self.systemRename(path, target) == 0 else {
      throw Failure(what: "cannot rename \(path)", number: errno)
    }
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(what: "cannot open \(folder)", number: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw Failure(what: "cannot sync \(folder)", number: errno)
    }
  }

  private static func systemRename(_ path: String, _ target: String) -> Int32 {
    #if canImport(Glibc)
      Glibc.rename(path, target)
    #elseif canImport(Musl)
      Musl.rename(path, target)
    #else
      Darwin.rename(path, target)
    #endif
  }
}

/// A file that is written from front to back, or read in parts.
final class PlainFile {
  private let descriptor: Int32
  private let path: String

  /// Makes a file that only its owner may read, where nothing is yet.
  init(new path: String) throws(Platform.Failure) {
    descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    self.path = path
    guard descriptor >= 0 else {
      throw Platform.Failure(what: "cannot create \(path)", number: errno)
    }
  }

  /// Opens a regular file for reading; a link, a pipe or a folder is refused.
  init(reading path: String) throws(Platform.Failure) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    self.path = path
    guard descriptor >= 0 else {
      throw Platform.Failure(what: "cannot open \(path)", number: errno)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Platform.Failure(what: "\(path) is not a file", number: EINVAL)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  var byteCount: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  func append(_ bytes: [UInt8]) throws(Platform.Failure) {
    var written = 0
    while written < bytes.count {
      let took = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if took < 0 && errno == EINTR { continue }
      guard took > 0 else { throw Platform.Failure(what: "cannot write \(path)", number: errno) }
      written += took
    }
  }

  /// The bytes from `offset` on; fewer than `count` only at the end of the file.
  func read(_ count: Int, at offset: Int) throws(Platform.Failure) -> [UInt8] {
    var failure: Platform.Failure?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let start = buffer.baseAddress?.advanced(by: filled)
        let got = pread(descriptor, start, count - filled, off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = Platform.Failure(what: "cannot read \(path)", number: errno) }
        guard got > 0 else { return }
        filled += got
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Tells the system that no backup is to take the file, where it can be told.
  func leaveOutOfBackups() {
    #if canImport(Darwin)
      // A property list in its binary form that holds the text `com.apple.backupd`.
      let text = Array("com.apple.backupd".utf8)
      let end = [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 15)
      let list = Array("bplist00".utf8) + [0x5f, 0x10, UInt8(text.count)] + text + [8] + end
      let value = list + [UInt8(11 + text.count)]
      fsetxattr(
        descriptor,
        "com.apple.metadata:com_apple_backup_excludeItem",
        value,
        value.count,
        0,
        0
      )
    #endif
  }

  /// Waits until what was written is on the medium.
  func sync() throws(Platform.Failure) {
    #if canImport(Darwin)
      // F_FULLFSYNC: fsync alone leaves the bytes in the drive's cache on Apple's systems.
      let result = fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    #else
      let result = fsync(descriptor)
    #endif
    guard result == 0 else { throw Platform.Failure(what: "cannot sync \(path)", number: errno) }
  }
}
