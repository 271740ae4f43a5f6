import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The calls to the operating system, in one place.
enum System {
  /// Ends the process; what is still gathered in an `Output` is lost.
  static func exit(_ code: ExitCode) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code.rawValue)
    #elseif canImport(Musl)
      Musl.exit(code.rawValue)
    #else
      Darwin.exit(code.rawValue)
    #endif
  }

  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Waits for work that other threads do.
  static func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let answer = Answer<Value>()
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw CallError() }
    let (reading, writing) = (ends[0], ends[1])
    Task {
      do { answer.set(.success(try await work())) } catch { answer.set(.failure(error)) }
      close(writing)
    }
    var byte: UInt8 = 0
    while read(reading, &byte, 1) < 0, errno == EINTR {}
    close(reading)
    return try answer.value.get()
  }

  private final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ result: Result<Value, any Error>) { self.result.withLock { $0 = result } }

    var value: Result<Value, any Error> {
      guard let value = result.withLock({ $0 }) else { preconditionFailure("it was waited for") }
      return value
    }
  }

  static var processID: Int32 { getpid() }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// How wide a terminal is, if it says so.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// What the wall clock says, in milliseconds since 1970.
  static var wallMilliseconds: Int64 { milliseconds(of: CLOCK_REALTIME) }

  /// A clock that never goes back, in milliseconds.
  static var steadyMilliseconds: Int64 { milliseconds(of: CLOCK_MONOTONIC) }

  /// Waits, unless a signal comes.
  static func pause(milliseconds: Int32) {
    poll(nil, 0, milliseconds)
  }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// Why a call failed.
  struct CallError: Error, CustomStringConvertible {
    let code: Int32

    fileprivate init() {
      code = errno
    }

    var isBrokenPipe: Bool { code == EPIPE }
    var isInterruption: Bool { code == EINTR }
    var description: String { String(cString: strerror(code)) }
  }
}

// Chance.

extension System {
  /// Chance from the system, which is asked for many words at a time.
  struct Chance: RandomNumberGenerator {
    private var words: [UInt64] = []

    /// The most that `getentropy` gives at a time is 256 bytes.
    private static let wordsPerCall = 32

    mutating func next() -> UInt64 {
      if let word = words.popLast() { return word }
      var drawn = [UInt64](repeating: 0, count: Chance.wordsPerCall)
      let result = drawn.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
      guard result == 0 else {
        var system = SystemRandomNumberGenerator()
        return system.next()
      }
      words = drawn
      return words.removeLast()
    }
  }
}

// Files.

extension System {
  enum FileType {
    case missing, regular, folder
    case other
  }

  /// What stands at a path, behind symbolic links.
  static func fileType(at path: String) -> FileType {
    var status = stat()
    guard stat(path, &status) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .regular
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Whether a symbolic link stands at `path`, wherever it leads.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The path without symbolic links, if something stands there.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Makes a file that was not there before, for its owner alone.
  static func create(_ path: String) throws(CallError) -> Int32 {
    try succeeding(open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
  }

  /// Opens a device or a pipe.
  ///
  /// Waits for the reader of a named pipe; a signal ends the wait.
  static func openDevice(_ path: String) throws(CallError) -> Int32 {
    try succeeding(open(path, O_WRONLY | O_CLOEXEC))
  }

  /// At most `count` bytes from the start of a file; fewer if it is short or cannot be read.
  static func firstBytes(_ count: Int, of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, read(descriptor, buffer.baseAddress, count))
    }
  }

  /// Writes all of `bytes`, however many calls that takes.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(CallError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
        return posixWrite(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        written += count
      } else {
        try waitToWriteAgain(descriptor)
      }
    }
  }

  // A signal leaves the rest to be written; a descriptor that another process made non-blocking
  // is waited for.
  private static func waitToWriteAgain(_ descriptor: Int32) throws(CallError) {
    let failure = CallError()
    switch failure.code {
    case EINTR: break
    case EAGAIN:
      var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&wanted, 1, -1)
    default: throw failure
    }
  }

  /// Puts what was written on the disk.
  static func sync(_ descriptor: Int32) throws(CallError) {
    try succeeding(fsync(descriptor))
  }

  static func closeFile(_ descriptor: Int32) {
    close(descriptor)
  }

  static func move(_ path: String, to target: String) throws(CallError) {
    try succeeding(rename(path, target))
  }

  static func remove(_ path: String) {
    unlink(path)
  }

  /// Makes an empty folder that only its owner may enter, where temporary files go.
  static func temporaryFolder() throws(CallError) -> String {
    let place = (variable("TMPDIR") ?? "/tmp") + "/tidemark-XXXXXX"
    var template = Array(place.utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
    }
    guard made else { throw CallError() }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func removeFolder(_ path: String) {
    rmdir(path)
  }

  @discardableResult
  private static func succeeding(_ result: Int32) throws(CallError) -> Int32 {
    guard result >= 0 else { throw CallError() }
    return result
  }
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

// The start of the process, and signals.

extension System {
  /// Makes sure that no file that is opened later gets the number of a standard stream.
  ///
  /// A stream that was closed stands open the wrong way round, so that using it still fails.
  static func guardStandardStreams() {
    for (descriptor, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is taken, which is this one.
      _ = open("/dev/null", mode)
    }
  }

  /// Turns SIGINT and SIGTERM into a request, and what ends a write into an error of the write: a
  /// broken pipe, and the limit of the size of files (`ulimit -f`).
  ///
  /// A signal that was ignored when the process began stays ignored. One that was blocked is not
  /// any more: who starts a process from a thread that blocks signals does not mean the process.
  static func catchSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // What a handler uses is made here, because it may not make anything.
    _ = Interruption.isRequested
    Leftovers.prepare()
    var caught = sigset_t()
    sigemptyset(&caught)
    for number in [SIGINT, SIGTERM] {
      var before = sigaction()
      sigaction(number, nil, &before)
      guard !isIgnored(before) else { continue }
      var action = sigaction()
      setHandler(of: &action) { _ in
        // The second time somebody means it.
        guard Interruption.request() else { return }
        Leftovers.removeAll()
        _exit(ExitCode.interrupted.rawValue)
      }
      sigaction(number, &action, nil)
      sigaddset(&caught, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &caught, nil)
  }

  private static func setHandler(
    of action: inout sigaction,
    to handler: @escaping @convention(c) (Int32) -> Void
  ) {
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #elseif canImport(Musl)
      let handler = action.__sa_handler.sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// Whether somebody asked the process to stop; a verb looks after each batch.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Asks to stop, and tells whether that was asked before.
  static func request() -> Bool {
    requested.exchange(true, ordering: .relaxed)
  }
}

/// Files and folders of the process that nobody shall find when it ends at once.
///
/// Who makes one notes it before. Names are kept to the end: one whose file is gone does no harm.
enum Leftovers {
  private struct Name {
    let path: UnsafeMutablePointer<CChar>
    let earlier: UnsafeMutablePointer<Name>?
  }

  /// The address of the name that was noted last, which is never changed: a handler may read it.
  private static let address = Atomic<UInt>(0)

  private static var last: UnsafeMutablePointer<Name>? {
    UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
  }

  static func prepare() { _ = last }

  /// Remembers a path; a folder comes before what is in it.
  static func note(_ path: String) {
    guard !isNoted(path), let copy = strdup(path) else { return }
    let name = UnsafeMutablePointer<Name>.allocate(capacity: 1)
    name.initialize(to: Name(path: copy, earlier: last))
    address.store(UInt(bitPattern: name), ordering: .releasing)
  }

  private static func isNoted(_ path: String) -> Bool {
    var next = last
    while let name = next {
      if strcmp(name.pointee.path, path) == 0 { return true }
      next = name.pointee.earlier
    }
    return false
  }

  /// Removes what is still there, the last one first; calls only what a signal handler may call.
  static func removeAll() {
    var next = last
    while let name = next {
      if unlink(name.pointee.path) != 0 { rmdir(name.pointee.path) }
      next = name.pointee.earlier
    }
  }
}
