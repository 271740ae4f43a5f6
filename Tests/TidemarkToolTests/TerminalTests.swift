import Foundation
import TestSupport
import Testing
import TidemarkEntries

@testable import TidemarkTool

/// A terminal of the test's own.
private final class Terminal {
  private let main: Int32
  let descriptor: Int32

  // It does not say how wide it is if `columns` is 0.
  init(columns: UInt16 = 0) throws {
    var (opened, terminal): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&opened, &terminal, nil, nil, &size) == 0 else {
      throw Failure.files("there is no terminal")
    }
    main = opened
    descriptor = terminal
  }

  /// What was written to it so far.
  func text() -> String {
    close(descriptor)
    defer { close(main) }
    var text = [UInt8](repeating: 0, count: 4096)
    var count = 0
    // The end of a terminal is an error on Linux and the end of a file elsewhere.
    while true {
      let more = text[count...].withUnsafeMutableBytes { read(main, $0.baseAddress, $0.count) }
      guard more > 0 else { return String(decoding: text[..<count], as: UTF8.self) }
      count += more
    }
  }
}

@Suite struct TerminalTests {
  @Test func `progress is shown on a terminal, and gone when something is said`() throws {
    let terminal = try Terminal()
    var messages = Messages(colored: false, json: false, to: terminal.descriptor)
    messages.progress(1200, of: 4216, "entries")
    messages.progress(1201, of: 4216, "entries")
    messages.note("done")
    messages.clearProgress()
    #expect(terminal.text() == "1,200 of 4,216 entries\r\u{1b}[Kdone\r\n")
  }

  @Test(arguments: [(true, true), (true, false), (false, false)])
  func `progress is left out when it is not wanted`(quiet: Bool, progress: Bool) throws {
    let terminal = try Terminal()
    var messages = Messages(
      quiet: quiet,
      progress: progress,
      colored: false,
      json: false,
      to: terminal.descriptor
    )
    messages.progress(1, of: 2, "entries")
    messages.clearProgress()
    #expect(terminal.text() == "")
  }

  @Test func `there is color on a terminal unless it is refused`() throws {
    let terminal = try Terminal()
    let usual = Environment(now: DeviceTime(milliseconds: 0))
    let refusing = Environment(refusesColor: true, now: DeviceTime(milliseconds: 0))
    let file = try FileHandle(forWritingTo: URL(filePath: "/dev/null")).fileDescriptor
    func isColored(_ descriptor: Int32, _ when: String?, _ environment: Environment) -> Bool {
      Runner.isColored(descriptor, when, environment: environment)
    }
    #expect(isColored(terminal.descriptor, nil, usual))
    #expect(isColored(terminal.descriptor, "auto", usual))
    #expect(!isColored(terminal.descriptor, nil, refusing))
    #expect(isColored(terminal.descriptor, "always", refusing))
    #expect(!isColored(terminal.descriptor, "never", usual))
    #expect(!isColored(file, nil, usual))
    #expect(isColored(file, "always", usual))
    #expect(terminal.text() == "")
  }

  @Test func `a line is as wide as the terminal, else as COLUMNS, else 80, and endless in a pipe`()
    throws
  {
    let usual = Environment(now: DeviceTime(milliseconds: 0))
    let told = Environment(columns: 132, now: DeviceTime(milliseconds: 0))
    let wide = try Terminal(columns: 100)
    let silent = try Terminal()
    let file = try FileHandle(forWritingTo: URL(filePath: "/dev/null"))
    #expect(Runner.width(of: wide.descriptor, told) == 100)
    #expect(Runner.width(of: silent.descriptor, told) == 132)
    #expect(Runner.width(of: silent.descriptor, usual) == 80)
    #expect(Runner.width(of: file.fileDescriptor, told) == nil)
    #expect(wide.text() == "" && silent.text() == "")
  }

  @Test func `README shows the races of the sample as a terminal of a hundred columns does`() throws
  {
    let folder = try TemporaryFolder()
    let journal = folder.file("notes.tidemark")
    _ = try Shell(folder: folder.path).run(
      "tidemark import har '\(Shell.sample)' --into \(journal) --yes"
    )
    let terminal = try Terminal(columns: 100)
    let errors = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: BuiltTool.folder).appending(path: "tidemark")
    process.arguments = ["races", journal, "--format", "table", "--color", "never"]
    process.standardOutput = FileHandle(fileDescriptor: terminal.descriptor)
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    let shown = terminal.text().replacing("\r\n", with: "\n")
    let readme = try String(contentsOf: Shell.root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("```\n\(shown)```"), "\(shown)")
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(
      said == "note: cut to the width of the terminal; tidemark races \(journal) has all of it\n"
    )
  }
}
