import Foundation
import Synchronization
import TestSupport
import Testing
import Tidemark
import TidemarkLoopback
import TidemarkReplay

/// A device with the example app on it, and the server of the app; each run is a process.
final class Phone {
  let folder: TemporaryFolder
  let service = NotesService()
  let server: LoopbackServer
  let victim = Victim()
  private var told: [String] = []
  private var kept: [String] = []

  init() throws {
    folder = try TemporaryFolder()
    let service = service
    server = try LoopbackServer { service.answer($0) }
  }

  deinit { server.stop() }

  var journal: String { folder.file("notes.tidemark") }

  struct Ended {
    var output: String
    var errors: String

    /// The exit code; nothing if a signal ended it.
    var exit: Int32?
  }

  /// Runs the app and waits for its end.
  @discardableResult
  func run(
    _ words: [String],
    stopAt moment: Int? = nil,
    killedAfter microseconds: Int? = nil
  ) throws -> Ended {
    let process = try start(words, stopAt: moment)
    if let microseconds {
      usleep(UInt32(microseconds))
      process.kill()
    }
    return process.ended()
  }

  func start(_ words: [String], stopAt moment: Int? = nil) throws -> Running {
    let settings = moment.map { ["NOTES_STOP_AT": "\($0)"] } ?? [:]
    let running = try Running(
      "TidemarkExample",
      ["--folder", folder.path, "--server", server.address] + words,
      settings
    )
    victim.process.withLock { $0 = running.processIdentifier }
    return running
  }

  /// A person writes a note; it counts as kept only if the app has said so.
  func add(
    _ text: String,
    stopAt moment: Int? = nil,
    killedAfter microseconds: Int? = nil
  ) throws -> Ended {
    let ended = try run(["add", text], stopAt: moment, killedAfter: microseconds)
    told.append(text)
    if ended.output.hasPrefix("kept ") { kept.append(text) }
    return ended
  }

  /// Sends what is left, and compares what the person was told with what the server has.
  ///
  /// - Returns: the texts that the server has.
  @discardableResult
  func expectAllThereOnce(
    besides others: [String] = [],
    _ location: SourceLocation = #_sourceLocation
  ) throws -> [String] {
    var rounds = 0
    while try !run(["sync"]).output.hasSuffix(" 0 still to be sent\n"), rounds < 100 {
      rounds += 1
    }
    let texts = service.notes.map(\.text)
    #expect(Set(texts).count == texts.count, "something is there twice", sourceLocation: location)
    let lost = Set(kept).subtracting(texts)
    #expect(lost.isEmpty, "something is lost", sourceLocation: location)
    #expect(Set(texts).isSubset(of: told + others), sourceLocation: location)
    let twice = service.effects.filter { $0.value != 1 }
    #expect(twice.isEmpty, "took effect more than once", sourceLocation: location)
    let report = try Judge.judge(try JournalReader(journal))
    #expect(report.findings == [], sourceLocation: location)
    return texts
  }
}

/// The app that runs, to be ended from wherever the server is.
final class Victim: Sendable {
  let process = Mutex<Int32?>(nil)

  func kill() {
    if let process = process.withLock({ $0 }) { Foundation.kill(process, SIGKILL) }
  }
}

/// A process of a program that the build put beside the tests.
final class Running: Sendable {
  private let process: Process
  private let output: FileHandle
  private let errors: OtherThread<Data>
  private let rest = Mutex(Data())

  init(_ program: String, _ words: [String], _ settings: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "\(BuiltTool.folder)/\(program)")
    process.arguments = words
    process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    self.process = process
    self.output = output.fileHandleForReading
    self.errors = OtherThread { errors.fileHandleForReading.readDataToEndOfFile() }
  }

  var processIdentifier: Int32 { process.processIdentifier }

  var isRunning: Bool { process.isRunning }

  /// The next line that it prints, when there is one; nothing if there will be none.
  func line() -> String? {
    rest.withLock { rest in
      while true {
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest = Data(rest[(end + 1)...]) }
          return String(decoding: rest[..<end], as: UTF8.self)
        }
        let more = output.availableData
        guard !more.isEmpty else { return nil }
        rest += more
      }
    }
  }

  /// Waits for its end; the output is what no line was asked of.
  func ended() -> Phone.Ended {
    let output = rest.withLock { $0 } + output.readDataToEndOfFile()
    process.waitUntilExit()
    let errors = (try? errors.value()) ?? Data()
    return Phone.Ended(
      output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self),
      exit: process.terminationReason == .exit ? process.terminationStatus : nil
    )
  }

  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
}
