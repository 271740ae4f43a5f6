import CTidemarkPeer
import Foundation

/// How long the disk takes to make 4 KiB durable: the scale of everything that is durable.
struct DiskProbe {
  private let file: FileHandle

  init(_ path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw BenchmarkFailure("cannot write \(path)") }
    self.file = file
  }

  /// The median of `count` syncs, in nanoseconds.
  func median(of count: Int = 15) throws -> UInt64 {
    let block = Data(repeating: 7, count: 4096)
    let times = try (0..<count).map { _ in
      try file.write(contentsOf: block)
      var stopwatch = Stopwatch()
      let result = stopwatch.measure { tidemark_peer_sync(file.fileDescriptor) }
      guard result == 0 else { throw BenchmarkFailure("the disk refuses to sync") }
      return stopwatch.nanoseconds
    }
    return times.sorted()[count / 2]
  }
}
