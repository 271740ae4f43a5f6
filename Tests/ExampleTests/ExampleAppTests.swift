import Foundation
import TestSupport
import Testing
import TidemarkLoopback

/// The example as a person uses it, and beside other processes.
@Suite(.serialized) struct ExampleAppTests {
  @Test func `what is on the device is shown without a network, and what is written there waits`()
    throws
  {
    let phone = try Phone()
    #expect(try phone.run(["notes"]).output == "no notes on this device yet\n")
    phone.service.add("from elsewhere")
    #expect(
      try phone.run(["sync"]).output == "whole: 2 copies came, 0 shared, 0 still to be sent\n"
    )
    phone.server.stop()
    _ = try phone.add("written in a tunnel")
    let page = try phone.run(["notes"]).output.split(separator: "\n")
    #expect(page.count == 3)
    #expect(page[0].hasPrefix("saved on this device 20"))
    #expect(page[1] == "n1  from elsewhere")
    #expect(page[2] == "…  written in a tunnel  (pending)")
    #expect(try phone.run(["sync"]).output.contains(" 1 still to be sent\n"))
  }

  @Test func `a note that went out is shown before the list says it`() throws {
    let phone = try Phone()
    _ = try phone.add("mine")
    phone.server.cue("GET", "/notes", .lose)
    let sync = try phone.run(["sync"]).output.split(separator: "\n")
    #expect(sync.first == "part: 0 copies came, 0 shared, 0 still to be sent")
    // And why.
    #expect(sync.count == 2 && sync[1].hasPrefix("/notes: "))
    #expect(try phone.run(["notes"]).output == "no notes on this device yet\nn1  mine\n")
  }

  @Test func `the server is a process of its own too`() throws {
    let server = try Running("TidemarkExample", ["serve"])
    defer { server.kill() }
    let address = try #require(server.line())
    let folder = try TemporaryFolder()
    let app = ["--folder", folder.path, "--server", address]
    #expect(try Running("TidemarkExample", app + ["add", "one"]).ended().exit == 0)
    #expect(try Running("TidemarkExample", app + ["sync"]).ended().exit == 0)
    let page = try Running("TidemarkExample", app + ["notes"]).ended().output
    #expect(page.hasSuffix("n1  one\n"))
    #expect(server.line()?.hasPrefix("POST /notes  work") == true)
  }

  @Test(arguments: [[], ["fly"], ["edit", "n1"], ["add"], ["share"]])
  func `wrong usage is told`(words: [String]) throws {
    let ended = try Phone().run(words)
    #expect(ended.exit == 64)
    #expect(ended.errors.hasPrefix("usage: TidemarkExample"))
  }

  @Test func `shares of other processes come in while the app runs, each item once`() throws {
    let phone = try Phone()
    let app = try phone.start(["sync", "--stay"])
    defer { app.kill() }
    #expect(app.line() != nil)
    let sharers = try (0..<6).map { sharer in
      try Running(
        "TidemarkExample",
        ["--folder", phone.folder.path, "share"] + (0..<3).map { "share \(sharer) item \($0)" }
      )
    }
    for sharer in sharers { #expect(sharer.ended().exit == 0) }
    while phone.service.notes.count < 18, app.isRunning { usleep(10_000) }
    #expect(app.isRunning)
    app.kill()
    _ = app.ended()
    #expect(Set(phone.service.notes.map(\.text)).count == 18)
    #expect(try FileManager.default.contentsOfDirectory(atPath: phone.folder.file("inbox")) == [])
    try phone.expectAllThereOnce(
      besides: (0..<6).flatMap { sharer in (0..<3).map { "share \(sharer) item \($0)" } }
    )
  }

  @Test func `tools read the journal while the app writes, and a second writer is told at once`()
    throws
  {
    let phone = try Phone()
    for number in 0..<20 { phone.service.add("note \(number)") }
    let app = try phone.start(["sync", "--stay"])
    defer { app.kill() }
    #expect(app.line() != nil)
    let log = try Running("tidemark", ["log", phone.journal, "--follow", "--format", "jsonl"])
    defer { log.kill() }
    for _ in 0..<5 {
      let check = try Running("tidemark", ["check", phone.journal]).ended()
      #expect(check.exit == 0, "\(check.output)\(check.errors)")
      #expect(try Running("tidemark", ["verify", phone.journal]).ended().exit == 0)
      let second = try phone.run(["add", "from a second process"])
      #expect(second.exit == 11)
      #expect(second.errors.contains("another process tries again"))
    }
    // The follower tells every entry, in order, while they come.
    for seq in 1...200 {
      let line = try #require(log.line())
      #expect(line.contains("\"seq\":\(seq),"), "\(line)")
    }
    #expect(app.isRunning)
    app.kill()
    _ = app.ended()
    #expect(try Running("tidemark", ["check", phone.journal]).ended().exit == 0)
    #expect(try phone.run(["notes"]).exit == 0)
  }

  #if os(Linux)
    @Test func `sending holds on to no file and no thread`() throws {
      let phone = try Phone()
      let app = try phone.start(["sync", "--stay"])
      defer { app.kill() }
      func held(afterNotes count: Int) throws -> (files: Int, threads: Int) {
        while phone.service.notes.count < count, app.line() != nil {}
        // What a session lets go of, it lets go of a little later.
        for _ in 0..<10 { #expect(app.line() != nil) }
        let process = "/proc/\(app.processIdentifier)"
        let list = FileManager.default.contentsOfDirectory(atPath:)
        return (try list("\(process)/fd").count, try list("\(process)/task").count)
      }
      try phone.run(["share", "first"])
      let before = try held(afterNotes: 1)
      try phone.run(["share"] + (0..<60).map { "note \($0)" })
      let after = try held(afterNotes: 61)
      #expect(after.files < before.files + 10)
      #expect(after.threads < before.threads + 30)
    }
  #endif
}
