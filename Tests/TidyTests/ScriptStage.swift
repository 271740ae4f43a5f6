import Foundation
import Testing

/// A copy of the scripts on a machine of the test's own making: its `PATH` holds what it is given.
final class ScriptStage {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String
  }

  private let root: URL
  private let environment: [String: String]

  /// Sets up a Debian with Swift, all libraries and a root user.
  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "tidy-\(UUID().uuidString)")
    environment = ["STAGE": root.path, "PATH": root.appending(path: "bin").path]
    for folder in ["bin", "found", "Sources", "Journal", "Tools/tidemark/Commands"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: folder),
        withIntermediateDirectories: true
      )
    }
    for script in ["lib.sh", "run", "test", "install"] {
      try FileManager.default.copyItem(
        at: Repository.root.appending(path: "Tools/\(script)"),
        to: root.appending(path: "Tools/\(script)")
      )
    }
    try write("Package.swift", "// A package.\n")
    for name in ScriptStage.ordinary { try link(name) }
    for (name, text) in ScriptStage.fakes { try fake(name, text) }
    for library in ["sqlite3", "libzstd", "libcrypto", "zlib"] { try write("found/\(library)", "") }
  }

  deinit {
    try? FileManager.default.removeItem(at: root)
  }

  /// What every machine has.
  private static let ordinary = [
    "bash", "cat", "chmod", "cp", "dirname", "env", "find", "install", "ls", "mkdir", "mktemp",
    "mv",
    "paste",
    "rm", "sed", "touch", "true",
  ]

  /// What stands in for the rest; each call is recorded.
  private static let fakes = [
    "uname": "echo Linux",
    "id": "echo 0",
    "ld": "",
    "swift": """
    if [[ $1 == --version ]]; then echo "Swift version 6.3.1 (swift-6.3.1-RELEASE)"; fi
    if [[ $1 == build ]]; then
      mkdir -p "$STAGE/.build/release"
      printf '#!/usr/bin/env bash\\nprintf "<%%s>" tidemark "$@"\\nexit 5\\n' \\
        > "$STAGE/.build/release/tidemark"
      chmod +x "$STAGE/.build/release/tidemark"
    fi
    """,
    "pkg-config": #"[[ -e "$STAGE/found/$2" ]]"#,
    "apt-get":
      #"if [[ $2 == install ]]; then touch "$STAGE"/found/{sqlite3,libzstd,libcrypto,zlib}; fi"#,
  ]

  /// Puts a command into the `PATH`, in place of one that is there.
  func fake(_ name: String, _ text: String) throws {
    try? remove("bin/\(name)")
    try write("bin/\(name)", "#!/bin/bash\necho \"\(name) $*\" >>\"$STAGE/calls\"\n\(text)\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: root.appending(path: "bin/\(name)").path
    )
  }

  func write(_ path: String, _ text: String) throws {
    try Data(text.utf8).write(to: root.appending(path: path))
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(at: root.appending(path: path))
  }

  func text(_ path: String) -> String {
    let data = try? Data(contentsOf: root.appending(path: path))
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The calls of fakes since the stage was set up.
  var calls: [String] { text("calls").split(separator: "\n").map { String($0) } }

  private func link(_ name: String) throws {
    let place = ["/bin/\(name)", "/usr/bin/\(name)"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    try FileManager.default.createSymbolicLink(
      atPath: root.appending(path: "bin/\(name)").path,
      withDestinationPath: try #require(place)
    )
  }

  /// Runs a script to its end, without a terminal and without input.
  func run(_ script: String, _ words: String...) throws -> Outcome {
    let process = Process()
    process.executableURL = root.appending(path: "bin/bash")
    process.arguments = [root.appending(path: script).path] + words
    process.environment = environment
    process.currentDirectoryURL = root
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (root.appending(path: "output"), root.appending(path: "errors"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: text("output"),
      errors: text("errors")
    )
  }
}
