import Foundation
import Testing
import TidemarkEntries
import TidemarkSimulation

/// The stories of a file, one a line.
enum Scenarios {
  /// The folder of the project's own stories.
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Journal/scenarios")

  /// The project's own stories, of all files.
  static let own: [Scenario] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".jsonl") }.sorted()
      .flatMap { (try? read(folder.appendingPathComponent($0).path)) ?? [] }
  }()

  /// The stories of the file that the environment names; none if it names none.
  static let others: [Scenario] = {
    guard let path = ProcessInfo.processInfo.environment["TIDEMARK_SCENARIOS"] else { return [] }
    return (try? read(path)) ?? []
  }()

  static func read(_ path: String) throws -> [Scenario] {
    try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n"))
      .map { try Scenario(Array($0)) }
  }
}

extension Scenario {
  /// The rules that it is to be run without.
  var rules: Set<StoreRule> { Set(ablate.compactMap { StoreRule(rawValue: $0) }) }
}

extension Scenario: CustomTestStringConvertible {
  public var testDescription: String { id }
}
