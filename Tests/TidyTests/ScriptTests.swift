import Foundation
import TestSupport
import Testing

@Suite struct ScriptTests {
  private let stage: ScriptStage

  init() throws {
    stage = try ScriptStage()
  }

  private var installs: [String] { stage.calls.filter { $0.contains(" install ") } }

  @Test func `where nothing is missing, the tool runs and nothing is said`() throws {
    let outcome = try stage.run("Tools/run", "why", "a b.tidemark", "")
    #expect(outcome.output == "<tidemark><why><a b.tidemark><>")
    #expect(outcome.errors == "")
    #expect(outcome.status == 5, "the status is the tool's")
    #expect(installs == [])
    #expect(stage.calls.last?.contains("--static-swift-stdlib") == true)
  }

  @Test func `what is built is not built again, until something changes`() throws {
    func builds() throws -> Int {
      _ = try stage.run("Tools/run", "log")
      return stage.calls.count { $0.hasPrefix("swift build") }
    }
    try stage.write("Sources/A.swift", "")
    #expect(try builds() == 1)
    #expect(try builds() == 1)
    try stage.write("Sources/A.swift", "let a = 1\n")
    #expect(try builds() == 2)
    try stage.remove("Sources/A.swift")
    #expect(try builds() == 3)
    #expect(try builds() == 3)
    #expect(stage.calls.count { $0 == "swift --version" } == 1, "Swift is asked once")
  }

  @Test func `a build that fails shows what the compiler said, and is tried again`() throws {
    try stage.fake("swift", "echo 'Swift version 6.2'; [[ $1 != build ]] || { echo oh; exit 3; }")
    for _ in 1...2 {
      let outcome = try stage.run("Tools/run", "log")
      #expect(outcome.status == 3)
      #expect(outcome.errors == "Swift version 6.2\noh\n")
    }
  }

  @Test func `apt installs what is missing, after one update`() throws {
    try stage.remove("found/libzstd")
    let outcome = try stage.run("Tools/run", "log")
    #expect(outcome.status == 5)
    #expect(stage.calls.filter { $0.hasPrefix("apt-get") }.first == "apt-get -qq update")
    #expect(installs.count == 1)
    #expect(installs[0].contains("-y --no-install-recommends pkg-config libzstd-dev"))
    #expect(!installs[0].contains("libssl-dev"), "what is there is left alone")
    #expect(outcome.errors.hasPrefix("installing with apt: pkg-config libzstd-dev"))
  }

  @Test func `without pkg-config all is installed`() throws {
    try stage.remove("bin/pkg-config")
    let outcome = try stage.run("Tools/test")
    #expect(
      installs[0].contains("pkg-config libsqlite3-dev libzstd-dev libssl-dev zlib1g-dev")
    )
    #expect(outcome.errors.contains("still not found by pkg-config: sqlite3"))
    #expect(outcome.status == 1)
  }

  @Test func `a Debian without a linker gets one`() throws {
    try stage.remove("bin/ld")
    _ = try stage.run("Tools/run", "log")
    #expect(installs.count == 1)
    #expect(installs[0].hasSuffix("pkg-config g++"))
  }

  @Test func `without root, sudo is asked, and never waits for a password`() throws {
    try stage.remove("found/zlib")
    try stage.fake("id", "echo 1000")
    try stage.fake("sudo", "shift; exec \"$@\"")
    #expect(try stage.run("Tools/run", "log").status == 5)
    #expect(
      stage.calls.contains {
        $0.hasPrefix("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get -qq install")
      }
    )
  }

  @Test func `without root and without sudo it says what to install`() throws {
    try stage.remove("found/zlib")
    try stage.fake("id", "echo 1000")
    let outcome = try stage.run("Tools/run", "log")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("apt could not install: pkg-config zlib1g-dev"))
    #expect(installs == [])
  }

  @Test func `a Mac gets its libraries from Homebrew, and the build finds them`() throws {
    try stage.remove("bin/apt-get")
    try stage.remove("found/libcrypto")
    try stage.fake("uname", "echo Darwin")
    try stage.fake("brew", "touch \"$STAGE/found/libcrypto\"")
    let swift = "echo 'Apple Swift version 6.2.1'; echo \"$PKG_CONFIG_PATH\" >\"$STAGE/paths\""
    try stage.fake("swift", swift)
    _ = try stage.run("Tools/run", "log")
    #expect(installs == ["brew install --quiet pkgconf openssl@3"])
    #expect(stage.text("paths").contains("/opt/openssl@3/lib/pkgconfig:"))
    #expect(stage.calls.contains { $0.hasPrefix("swift build") && !$0.contains("static") })
  }

  @Test func `elsewhere it names the libraries`() throws {
    try stage.remove("bin/apt-get")
    try stage.remove("found/libcrypto")
    try stage.remove("found/zlib")
    let outcome = try stage.run("Tools/run")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("with their headers: libcrypto zlib. Install them"))
  }

  @Test(arguments: [
    ("echo 'Apple Swift version 6.1.2'", "6.2 or later; "),
    ("echo 'Swift version 5.10'", "is 5.10. Get it from https://www.swift.org/install"),
    ("echo 'no libncurses' >&2; exit 127", "does not start: no libncurses"),
  ])
  func `a Swift that will not do is told where a newer one is`(swift: String, says: String) throws {
    try stage.fake("swift", swift)
    let outcome = try stage.run("Tools/run", "log")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(says))
    #expect(!stage.calls.contains { $0.hasPrefix("swift build") })
  }

  @Test func `without Swift it says where to get it`() throws {
    try stage.remove("bin/swift")
    let outcome = try stage.run("Tools/test")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("there is none. Get it from https://www.swift.org/install"))
  }

  @Test func `the suite gets the words that follow, and its status counts`() throws {
    try stage.fake("swift", "echo 'Swift version 7.0'; [[ $1 != test ]] || exit 9")
    let outcome = try stage.run("Tools/test", "--filter", "A b")
    #expect(outcome.status == 9)
    #expect(stage.calls.last?.hasSuffix("--disable-xctest --filter A b") == true)
  }

  @Test func `install puts the tool, its pages and its completions below a prefix`() throws {
    let log = "struct Log: Command {\n  static let name = \"log\"\n}\n"
    try stage.write("Tools/tidemark/Commands/Log.swift", log)
    try stage.fake("tidemark", "echo \"$*\"")
    try stage.fake(
      "swift",
      "echo 'Swift version 6.2'; mkdir -p .build/release; cp bin/tidemark .build/release/"
    )
    let outcome = try stage.run("Tools/install", "there")
    #expect(outcome.status == 0)
    #expect(stage.text("there/bin/tidemark") == stage.text("bin/tidemark"))
    #expect(stage.text("there/share/man/man1/tidemark.1") == "man\n")
    #expect(stage.text("there/share/man/man1/tidemark-log.1") == "man log\n")
    #expect(stage.text("there/share/zsh/site-functions/_tidemark") == "completions zsh\n")
    #expect(try stage.run("Tools/install").status == 1)
  }

  @Test(.enabled(if: OutsideTool.isPythonThereOrDue, "Tools/test makes a Python with cbor2"))
  func `the Python that Tools test makes has cbor2`() throws {
    let process = Process()
    process.executableURL = URL(filePath: try #require(OutsideTool.python))
    process.arguments = ["-c", "import cbor2; assert cbor2.dumps([1, 2]) == b'\\x82\\x01\\x02'"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `the scripts and Package.swift name the same packages`() throws {
    let manifest = try #require(Repository.file("Package.swift")).text
    let script = try #require(Repository.file("Tools/lib.sh")).text
    let table = try #require(script.firstMatch(of: #/libraries='([^']*)'/#)).1
    let wanted = manifest.matches(
      of: #/pkgConfig: "(.+?)",\s*providers: \[\.apt\(\["(.+?)"\]\), \.brew\(\["(.+?)"\]\)\]/#
    )
    #expect(wanted.count >= 3)
    for library in wanted {
      #expect(table.contains("\(library.1) \(library.2) \(library.3)"))
    }
  }
}
