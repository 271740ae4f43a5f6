#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A folder that is gone when nobody has it any more; the raw calls on files are here.
final class Folder: Sendable {
  let path: String

  /// - Throws: ``ScenarioError`` if the system makes no folder.
  init() throws(ScenarioError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/tidemark-scenario-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw ScenarioError(
        "no folder could be made in \(parent): \(String(cString: strerror(errno)))"
      )
    }
    path = String(cString: made)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// The names in it, in no order.
  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let item = readdir(directory) {
      let name = withUnsafePointer(to: &item.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The bytes of a file; nothing if it is not there.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = readPart(descriptor, &part, part.count)
      guard count > 0 else { return bytes }
      bytes += part[..<count]
    }
  }

  /// Puts bytes into a file, in the place of what was there.
  static func write(_ bytes: some Collection<UInt8>, to path: String) {
    let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writePart(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  static func byteCount(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  static func remove(_ path: String) { unlink(path) }
}

private func readPart(_ descriptor: Int32, _ bytes: inout [UInt8], _ count: Int) -> Int {
  bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, count) }
}

private func writePart(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
