#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Why a file could not be read.
package struct InputError: Error, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }

  /// What the last system call complained of.
  fileprivate static func system(_ what: String) -> InputError {
    InputError("\(what): \(String(cString: strerror(errno)))")
  }
}

/// A file that is read piece by piece, at any offset, and never held as a whole.
///
/// What comes through a pipe is first copied to a file without a name, which is gone as soon as it
/// is closed. The one place of this module that makes system calls.
package final class InputFile: Sendable {
  private let descriptor: Int32

  /// The length of the file when it was opened.
  package let byteCount: Int

  /// The most that is taken from a pipe.
  package static let spooledBytesMax = 16 << 30

  /// Opens a file, or reads a pipe to its end.
  ///
  /// - Throws: ``InputError`` if there is nothing to read, or nothing that ends.
  package convenience init(path: String) throws(InputError) {
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw .system(path) }
    switch InputFile.kind(of: opened) {
    case S_IFREG: try self.init(regular: opened)
    case S_IFIFO, S_IFSOCK:
      defer { close(opened) }
      try self.init(spooling: opened)
    case S_IFDIR:
      close(opened)
      throw InputError("\(path): a folder is no file")
    default:
      close(opened)
      throw InputError("\(path): neither a file nor a pipe")
    }
  }

  /// Standard input: the file that it is, or a copy of what comes through it.
  package static func standardInput() throws(InputError) -> InputFile {
    guard kind(of: STDIN_FILENO) == S_IFREG else { return try InputFile(spooling: STDIN_FILENO) }
    let own = dup(STDIN_FILENO)
    guard own >= 0 else { throw .system("standard input") }
    return try InputFile(regular: own)
  }

  /// Takes over a descriptor of a regular file.
  private init(regular descriptor: Int32) throws(InputError) {
    self.descriptor = descriptor
    byteCount = Int(InputFile.status(of: descriptor).st_size)
  }

  private convenience init(spooling source: Int32) throws(InputError) {
    let target = try InputFile.temporaryFile()
    do throws(InputError) {
      try InputFile.copy(from: source, to: target)
    } catch {
      close(target)
      throw error
    }
    try self.init(regular: target)
  }

  deinit {
    close(descriptor)
  }

  /// Reads at most `count` bytes from `offset` on into `buffer`, and tells how many; 0 at the end.
  package func take(
    _ count: Int,
    at offset: Int,
    into buffer: inout [UInt8],
    from start: Int
  ) throws(InputError) -> Int {
    precondition(start >= 0 && count >= 0 && start + count <= buffer.count, "outside the buffer")
    let descriptor = self.descriptor
    let taken = buffer.withUnsafeMutableBytes { bytes in
      InputFile.retrying {
        pread(descriptor, bytes.baseAddress.map { $0 + start }, count, off_t(offset))
      }
    }
    guard taken >= 0 else { throw .system("reading") }
    return taken
  }

  /// Puts all of `range` into `buffer` at `start`; the buffer grows if it must.
  ///
  /// - Throws: ``InputError`` if the file has become shorter.
  package func load(
    _ range: Range<Int>,
    into buffer: inout [UInt8],
    from start: Int = 0
  ) throws(InputError) {
    let needed = start + range.count
    if buffer.count < needed {
      buffer.append(contentsOf: repeatElement(0, count: needed - buffer.count))
    }
    var filled = 0
    while filled < range.count {
      let taken = try take(
        range.count - filled,
        at: range.lowerBound + filled,
        into: &buffer,
        from: start + filled
      )
      guard taken > 0 else { throw InputError("the file became shorter while it was read") }
      filled += taken
    }
  }

  private static func status(of descriptor: Int32) -> stat {
    var status = stat()
    // Fails only for a descriptor that is not open; all zero then, which is no regular file.
    _ = fstat(descriptor, &status)
    return status
  }

  private static func kind(of descriptor: Int32) -> mode_t {
    status(of: descriptor).st_mode & S_IFMT
  }

  /// A new file, readable by this user alone, whose name is gone already.
  private static func temporaryFile() throws(InputError) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/tidemark-spool-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .system("a temporary file in \(folder)") }
    unlink(template)
    // Not to be inherited by a command that the tool runs. It cannot fail for an open descriptor.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func copy(from source: Int32, to target: Int32) throws(InputError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var total = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        retrying { read(source, bytes.baseAddress, bytes.count) }
      }
      guard count >= 0 else { throw .system("standard input") }
      if count == 0 { return }
      total += count
      guard total <= spooledBytesMax else {
        throw InputError("more than \(spooledBytesMax) bytes came through the pipe; give a file")
      }
      try append(buffer[..<count], to: target)
    }
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to target: Int32) throws(InputError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { part in
        retrying { write(target, part.baseAddress, part.count) }
      }
      guard count > 0 else { throw .system("the copy of standard input") }
      rest = rest.dropFirst(count)
    }
  }

  private static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
