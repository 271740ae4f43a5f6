/// Bytes on their way to a file descriptor, gathered so that a line costs no system call.
struct ByteSink: ~Copyable {
  /// What a reader that goes away means.
  enum BrokenPipe {
    /// Nobody looks any more: the verb ends.
    case ends
    /// The work goes on, because its exit code says something.
    case isIgnored
  }

  private static let bytesMax = 64 << 10

  private var bytes: [UInt8] = []
  private let descriptor: Int32
  private let name: String
  private let brokenPipe: BrokenPipe

  // Once writing failed, all that follows is dropped: it would stand behind a gap.
  private var isBroken = false

  // The name stands in messages.
  init(_ descriptor: Int32, name: String, brokenPipe: BrokenPipe) {
    self.descriptor = descriptor
    self.name = name
    self.brokenPipe = brokenPipe
  }

  /// Appends what `body` gives, and writes when enough is gathered.
  mutating func append(_ body: (inout [UInt8]) -> Void) throws {
    body(&bytes)
    if bytes.count >= ByteSink.bytesMax { try flush() }
  }

  /// Writes what was gathered.
  ///
  /// - Throws: ``ReaderLeft``, or a ``Failure`` with the reason.
  mutating func flush() throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    guard !bytes.isEmpty, !isBroken else { return }
    do throws(System.CallError) {
      try System.write(bytes, to: descriptor)
    } catch {
      isBroken = true
      guard error.isBrokenPipe else { throw Failure.files("cannot write to \(name): \(error)") }
      if brokenPipe == .ends { throw ReaderLeft() }
    }
  }
}
