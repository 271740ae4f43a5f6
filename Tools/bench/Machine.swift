import Foundation
import TidemarkCompression
import TidemarkHashing
import TidemarkSQLite

/// What the figures depend on.
enum Machine {
  static var facts: [(name: String, value: String)] {
    [
      ("processor", "\(ProcessInfo.processInfo.activeProcessorCount) cores, \(processor)"),
      ("SQLite", Database.version), ("zstd", Zstd.version), ("SHA-256", Hashing.version),
      ("system", ProcessInfo.processInfo.operatingSystemVersionString),
    ]
  }

  private static var processor: String {
    let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
    return model?.split(separator: ":").last.map { String($0.dropFirst()) } ?? "not known"
  }

  /// The most memory of this process that was resident at a time; 0 if it is not known.
  static var peakBytes: UInt64 {
    #if canImport(Darwin)
      var usage = rusage()
      return getrusage(RUSAGE_SELF, &usage) == 0 ? UInt64(clamping: usage.ru_maxrss) : 0
    #else
      // What `getrusage` says here was taken over from the process that began this one.
      let facts = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
      let peak = facts.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
      let kibibytes = peak?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }
      return (kibibytes ?? 0) * 1024
    #endif
  }
}
