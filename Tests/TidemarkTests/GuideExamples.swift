import Foundation
import TestSupport
import Testing
import Tidemark
import TidemarkLoopback
import TidemarkReplay

/// The Swift of `docs/guides/in-an-app.md`, compiled and run in the order of the page.
///
/// Tidy compares it with the page to the letter. It runs on the main actor, as the views of an app
/// do: what they hand over must not have to leave it.
@MainActor @Suite struct GuideExamples {
  @Test func `the app of the guide reads, writes, sends and shares, and check objects to nothing`()
    async throws
  {
    var isThrough = false
    defer { #expect(isThrough, "the page ends early") }
    let place = try TemporaryJournal()
    let folder = URL(filePath: place.folder.path)
    let service = NotesService()
    service.add("from elsewhere")
    service.require(token: "secret")
    let loopback = try LoopbackServer { service.answer($0) }
    defer { loopback.stop() }
    let server = loopback.address
    // README: open
    let path = folder.appending(path: "notes.tidemark").path
    let stores = try await Stores.open(path)
    var warnings: [String] = []
    for notice in stores.notices {
      switch notice {
      case .journal(let finding) where !finding.code.isNote: warnings.append("\(finding)")
      case .journal, .rebuilt, .inDoubt, .restored: break  // worth a line in a log
      }
    }
    // end
    #expect(warnings.isEmpty)
    // README: store
    let shelf = try await stores.open(Scope(server, account: "ada"))
    // end
    // README: http
    struct Note: Codable { var id, text: String }
    var options = HTTPTransport.Options()
    options.headers = { ["Authorization": "Bearer secret"] }
    // What is new has a name of the device, until the server gives it one.
    options.target = { $0.method == "POST" ? try Path("/notes") : $0.path }
    options.copies = { item, status, content in
      let note = try JSONDecoder().decode(Note.self, from: Data(content))
      let reply = Shelf.Reply(content, status: status)
      return [(item.path, reply), (try Path("/notes/\(note.id)"), reply)]
    }
    let http = HTTPTransport(shelf.scope, options)
    // end
    var shown: [String] = []
    // README: read
    let list = try Path("/notes")
    do {
      let landing = try await shelf.readList(list, pageSize: 500) { page in
        try await http.get(list, page: page)
      }
      if case .refused(let reason, _) = landing {
        warnings.append("it came too late: \(reason)")  // the screen keeps what it had
      }
    } catch let error as HTTPError {
      warnings.append(error.advice)  // the copy is still there
    }
    // end
    #expect(warnings.isEmpty)
    // README: show
    let screen = shelf.screen(list)
    switch screen.source {
    case .nothing: shown.append("nothing on this device yet")
    case .copy(let time): shown.append("saved at \(Date(time).formatted(.iso8601))")
    case .suspectCopy: shown.append("saved, and there may be something newer")
    }
    if let copy = screen.copy, let content = try shelf.content(of: copy) {
      let notes = try JSONDecoder().decode([Note].self, from: Data(content))
      shown += notes.map(\.text)
    }
    shown += screen.unsent.map { "\($0.label ?? "a change") is still to be sent" }
    // end
    #expect(shown.count == 2)
    #expect(shown.last == "from elsewhere")
    // README: watch
    let watching = Task {
      var seen = 0
      for await screen in shelf.screens(list) { seen += screen.copy == nil ? 0 : 1 }
      return seen
    }
    // end
    // README: write
    let new = Outbox.Work(
      "POST",
      try Path("/notes/new/\(UUID().uuidString)"),
      content: Array(#"{"text":"written in a tunnel"}"#.utf8),
      touches: [Touch(.resource, list)],
      label: "written in a tunnel"
    )
    do throws(StoreError) {
      // On the medium when this returns: show it now, not before.
      try await shelf.outbox.enqueue(new)
    } catch {
      warnings.append("not saved: \(error.advice)")
    }
    // end
    #expect(shelf.outbox.items.map(\.label) == ["written in a tunnel"])
    #expect(shelf.screen(list).unsent.map(\.label) == ["written in a tunnel"])
    try Data(repeating: 7, count: 10_000).write(to: folder.appending(path: "photo.jpg"))
    // README: attach
    let photo = Array(try Data(contentsOf: folder.appending(path: "photo.jpg")))
    let pictured = Outbox.Work(
      "POST",
      try Path("/notes/new/\(UUID().uuidString)"),
      content: Array(#"{"text":"with a photo"}"#.utf8),
      files: [.init("photo", mediaType: "image/jpeg", photo)],
      touches: [Touch(.resource, list)],
      label: "with a photo"
    )
    let key = try await shelf.outbox.enqueue(pictured)
    let isKept = shelf.outbox.item(key)?.files.count == 1
    // end
    #expect(isKept)
    // README: sync
    let plan = SyncPlan([
      .init(list, .list(pageSize: 500, idName: "id")) { content in
        let notes = try JSONDecoder().decode([Note].self, from: Data(content))
        return try notes.map { .init(try Path("/notes/\($0.id)")) }
      }
    ])
    let result = try await SyncPass(shelf, plan).run(sending: http, reading: http)
    for case (let path, .error(let error as HTTPError)) in result.failed {
      warnings.append("\(path): \(error.advice)")
    }
    // end
    #expect(result.landed == 4)
    #expect(shelf.outbox.items.isEmpty)
    // README: decide
    for item in shelf.outbox.items {
      let name = item.label ?? item.method
      switch item.standing {
      case .pending: shown.append("\(name) waits")
      case .inFlight: shown.append("\(name) is being sent")
      case .inDoubt: shown.append("\(name) may have arrived; it goes again under its key")
      case .answered: shown.append("\(name) has arrived")
      case .held: shown.append("\(name) goes when you sign in")
      case .parked(let reason): warnings.append("\(name) needs you: \(reason)")
      }
    }
    // end
    let exchange: @Sendable ([PinVersion]) async throws -> Shelf.Reply = { _ in
      Shelf.Reply(Array(#"[{"id":"p1"},{"id":"p2"}]"#.utf8))
    }
    // README: pins
    let pins = shelf.pins()
    _ = try await pins.sync(exchange)
    for pin in try await pins.visible() { shown.append("pinned: \(pin.id)") }
    try await pins.remove(["p1"])
    // end
    #expect(shown.suffix(2) == ["pinned: p1", "pinned: p2"])
    #expect(try await pins.visible().map(\.id) == ["p2"])
    service.add("an answer")
    // README: watcher
    struct Looking: Watcher.Source {
      let http: HTTPTransport
      let path: Path

      func look() async throws -> Watcher.Look {
        do {
          return .found(try await http.get(path), isRunning: false)
        } catch HTTPError.status(404, _) {
          return .notYet
        }
      }
    }
    let answer = try Path("/notes/n4")
    let watcher = Watcher(shelf, answer, Looking(http: http, path: answer))
    await watcher.enter()  // a screen that shows it has come
    for await screen in shelf.screens(answer) where screen.copy != nil { break }
    await watcher.leave()  // and is gone
    // end
    let inboxFolder = folder.appending(path: "inbox").path
    // README: share
    let share = try ShareWriter(inbox: inboxFolder)
    try share.add(
      Outbox.Work(
        "POST",
        Path("/notes/new/\(share.id)"),
        content: Array(#"{"text":"shared"}"#.utf8)
      )
    )
    try share.finish()
    // end
    // README: import
    let imported = try await shelf.inbox(inboxFolder).importAll()
    try await shelf.outbox.drain(http)
    // end
    #expect(imported.items == 1)
    // README: turn
    let grace = try await shelf.turn(to: Scope(server, account: "grace"))
    let ada = try await grace.turn(to: shelf.scope)
    // end
    #expect(grace.paths.isEmpty)
    #expect(!ada.paths.isEmpty)
    // README: clear
    try await ada.clear()
    // end
    #expect(ada.paths.isEmpty)
    // README: close
    try await stores.close()
    // end
    isThrough = true
    #expect(warnings.isEmpty)
    #expect(await watching.value > 0)
    #expect(
      service.notes.map(\.text) == [
        "from elsewhere", "written in a tunnel", "with a photo", "an answer", "shared",
      ]
    )
    #expect(service.effects.values.allSatisfy { $0 == 1 })
    let report = try Judge.judge(try JournalReader(path))
    #expect(report.findings == [], "the judge objects")
  }
}
