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
}
