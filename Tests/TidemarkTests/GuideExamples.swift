import Foundation
import TestSupport
import Testing
import Tidemark
import TidemarkLoopback
import TidemarkReplay

/// The Swift of `docs/guides/in-an-app.md`, compiled and run in the order of the page.
///
/// Tidy compares it with the page to the letter.
@Suite struct GuideExamples {
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
      let landing = try await shelf.readList(list) { try await http.get(list, page: $0) }
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
    case .copy(let time): shown.append("saved at \(time.milliseconds)")
    case .suspectCopy(let time): shown.append("saved at \(time.milliseconds), perhaps older")
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
    // README: sync
    let plan = SyncPlan([
      .init(list, .list(pageSize: 500, idName: "id")) { content in
        let notes = try JSONDecoder().decode([Note].self, from: Data(content))
        return try notes.map { .init(try Path("/notes/\($0.id)")) }
      }
    ])
    let result = try await SyncPass(shelf, plan).run(sending: http, reading: http)
    // end
    #expect(result.landed == 3)
    #expect(shelf.outbox.items.isEmpty)
    // README: decide
    for item in shelf.outbox.items {
      switch item.standing {
      case .held: try await shelf.outbox.signedIn()  // once somebody is
      case .parked(let reason):
        warnings.append("\(item.label ?? item.method): \(reason)")
        try await shelf.outbox.discard(item.key, reason: "given up by the user")
      case .pending, .inFlight, .inDoubt, .answered: break  // it goes by itself
      }
    }
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
    // end
    #expect(grace.paths.isEmpty)
    // README: close
    try await stores.close()
    // end
    isThrough = true
    #expect(warnings.isEmpty)
    #expect(await watching.value > 0)
    #expect(service.notes.map(\.text) == ["from elsewhere", "written in a tunnel", "shared"])
    #expect(service.effects.values.allSatisfy { $0 == 1 })
    let report = try Judge.judge(try JournalReader(path))
    #expect(report.findings == [], "the judge objects")
  }
}
