import Foundation
import TestSupport

/// Runs command lines of bash with the built tool in reach, away from the settings of the person.
struct Shell {
  struct Result: Equatable {
    var output: String
    var errors: String
    var exit: Int32
  }

  let folder: String

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The golden journals, to copy from: reading may leave files beside one.
  static let journals = root.appending(path: "Journal/golden").path

  /// The capture that ships with the tool.
  static let sample = root.appending(path: "Tools/sample/capture.har").path

  func run(_ command: String) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["--norc", "-o", "pipefail", "-c", command]
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = [
      "PATH": "\(BuiltTool.folder):/usr/local/bin:/usr/bin:/bin",
      "HOME": folder,
      "JOURNALS": Shell.journals,
      "SAMPLE": Shell.sample,
      "LC_ALL": "C.UTF-8",
      "TERM": "xterm",
    ]
    process.standardInput = FileHandle.nullDevice
    // Files, because a pipe that nobody empties stops the process.
    let output = try Capture()
    let errors = try Capture()
    process.standardOutput = output.handle
    process.standardError = errors.handle
    try process.run()
    process.waitUntilExit()
    return try Result(output: output.text(), errors: errors.text(), exit: process.terminationStatus)
  }

  /// Whether a program is there to be asked.
  static func has(_ program: String) -> Bool {
    let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"]
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }
}

/// A file that takes what a process writes.
private final class Capture {
  let handle: FileHandle
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "capture-\(UUID().uuidString)")
    try Data().write(to: url)
    handle = try FileHandle(forWritingTo: url)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func text() throws -> String {
    try handle.close()
    return try String(decoding: Data(contentsOf: url), as: UTF8.self)
  }
}
