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

  /// Whether nothing is wrong, and somebody asked for the reading to stop.
  package private(set) var isStop = false

  /// Somebody asked for the reading to stop.
  package static let stopped: InputError = {
    var error = InputError("the reading was stopped")
    error.isStop = true
    return error
  }()

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

  /// Whether somebody asks for the reading to stop; looked at before each piece.
  private let isStopped: @Sendable () -> Bool

  /// The length of the file when it was opened.
  package let byteCount: Int

  /// The most that is taken from a pipe.
  package static let spooledBytesMax = 16 << 30

  /// Opens a file, or reads a pipe to its end.
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - isStopped: is asked before each piece whether to go on; every call throws then.
  /// - Throws: ``InputError`` if there is nothing to read, or nothing that ends.
  package convenience init(
    path: String,
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(InputError) {
    let opened = open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw .system(path) }
    switch InputFile.kind(of: opened) {
    case S_IFREG: try self.init(regular: opened, isStopped)
    case S_IFIFO, S_IFSOCK:
      defer { close(opened) }
      try self.init(spooling: opened, isStopped)
    case S_IFDIR:
      close(opened)
      throw InputError("\(path): a folder is no file")
    default:
      close(opened)
      throw InputError("\(path): neither a file nor a pipe")
    }
  }

  /// Standard input: the file that it is, or a copy of what comes through it.
  package static func standardInput(
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(InputError) -> InputFile {
    guard kind(of: STDIN_FILENO) == S_IFREG else {
      return try InputFile(spooling: STDIN_FILENO, isStopped)
    }
    let own = dup(STDIN_FILENO)
    guard own >= 0 else { throw .system("standard input") }
    return try InputFile(regular: own, isStopped)
  }

  /// Takes over a descriptor of a regular file.
  private init(
    regular descriptor: Int32,
    _ isStopped: @escaping @Sendable () -> Bool
  ) throws(InputError) {
    self.descriptor = descriptor
    self.isStopped = isStopped
    byteCount = Int(InputFile.status(of: descriptor).st_size)
  }

  private convenience init(
    spooling source: Int32,
    _ isStopped: @escaping @Sendable () -> Bool
  ) throws(InputError) {
    let target = try InputFile.temporaryFile()
    do throws(InputError) {
      try InputFile.copy(from: source, to: target, isStopped)
    } catch {
      close(target)
      throw error
    }
    try self.init(regular: target, isStopped)
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
    if isStopped() { throw .stopped }
    let descriptor = self.descriptor
    let taken = buffer.withUnsafeMutableBytes { bytes in
      InputFile.retrying {
        pread(descriptor, bytes.baseAddress.map { $0 + start }, count, off_t(offset))
      }
    }
    guard taken >= 0 else { throw .system("reading") }
    return taken
  }

  /// Why it could not be read, if `message` is what is known of it.
  package func failure(saying message: String) -> InputError {
    isStopped() ? .stopped : InputError(message)
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

  private static func copy(
    from source: Int32,
    to target: Int32,
    _ isStopped: () -> Bool
  ) throws(InputError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var total = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { read(source, $0.baseAddress, $0.count) }
      // A signal ends the wait for a writer.
      if isStopped() { throw .stopped }
      if count < 0, errno == EINTR { continue }
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
