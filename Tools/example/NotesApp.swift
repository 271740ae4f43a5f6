import Foundation
import Tidemark

/// The app: a journal and its stores, one server, and what the person can do.
struct NotesApp {
  struct Note: Codable {
    var id: String
    var text: String
    var photo: String?
  }

  private let stores: Stores
  private let shelf: Shelf
  private let http: HTTPTransport
  private let inbox: Inbox

  init(_ folder: String, server: String) async throws {
    var options = Stores.Options()
    options.software = "Notes 1.0"
    options.faults = StopPoint.faults
    stores = try await Stores.open("\(folder)/notes.tidemark", options)
    let shelf = try await stores.open(Scope(server))
    self.shelf = shelf
    inbox = shelf.inbox("\(folder)/inbox")
    var http = HTTPTransport.Options()
    http.target = { $0.method == "POST" ? try Path("/notes") : $0.path }
    http.copies = { try NotesApp.copies($0, $1, $2, shelf.outbox) }
    self.http = HTTPTransport(shelf.scope, http)
  }

  func close() async throws { try await stores.close() }

  // MARK: What the person does

  /// Work that makes a note, with a name of its own until the server has one for it.
  static func note(_ text: String, name: String, photo: [UInt8]? = nil) throws -> Outbox.Work {
    Outbox.Work(
      "POST",
      try Path("/notes/new/\(name)"),
      content: Array(try JSONEncoder().encode(["text": text])),
      files: photo.map { [Outbox.File("photo", mediaType: "image/jpeg", $0)] } ?? [],
      touches: [Touch(.resource, try Path("/notes"))],
      label: text
    )
  }

  func add(_ text: String, photo: [UInt8]?) async throws -> IdempotencyKey {
    try await shelf.outbox.enqueue(
      NotesApp.note(text, name: UUID().uuidString, photo: photo)
    )
  }

  func edit(_ id: String, _ text: String) async throws -> IdempotencyKey {
    let path = try Path("/notes/\(id)")
    let work = Outbox.Work(
      "PUT",
      path,
      lane: id,
      content: Array(try JSONEncoder().encode(["text": text])),
      touches: [Touch(.resource, path), Touch(.resource, try Path("/notes"))],
      label: text
    )
    return try await shelf.outbox.enqueue(work)
  }

  // MARK: What the server hears and says

  /// What stands on the device once the server has an item: the note under the device's name and
  /// under the server's, and its photo.
  private static func copies(
    _ item: OutboxItem,
    _ status: UInt64,
    _ content: [UInt8],
    _ outbox: Outbox
  ) throws -> [(path: Path, reply: Shelf.Reply)] {
    let note = try JSONDecoder().decode(Note.self, from: Data(content))
    let reply = Shelf.Reply(content, status: status)
    var copies = [(path: try Path("/notes/\(note.id)"), reply: reply)]
    if item.path != copies[0].path { copies.append((item.path, reply)) }
    if let photo = note.photo, let file = item.files.first,
      let bytes = try outbox.content(of: file.body)
    {
      copies.append((try Path("/photos/\(photo)"), Shelf.Reply(bytes)))
    }
    return copies
  }

  /// The list, each note in it, and the photo of each note.
  private static func plan() throws -> SyncPlan {
    let photo: @Sendable ([UInt8]) throws -> [SyncPlan.Unit] = { content in
      let note = try JSONDecoder().decode(Note.self, from: Data(content))
      return try note.photo.map { [.init(try Path("/photos/\($0)"), .bytes(mediaType: nil))] } ?? []
    }
    return SyncPlan([
      .init(try Path("/notes"), .list(pageSize: 500, idName: "id")) { content in
        try JSONDecoder().decode([Note].self, from: Data(content)).map {
          .init(try Path("/notes/\($0.id)"), next: photo)
        }
      }
    ])
  }

  func sync() async throws -> String {
    let taken = try await inbox.importAll()
    let pass = SyncPass(shelf, try NotesApp.plan())
    let result = try await pass.run(sending: http, reading: http)
    let waiting = shelf.outbox.items.count
    let failed = result.failed.map { "\n\($0.path): \($0.obstacle)" }.joined()
    return "\(result.outcome): \(result.landed) copies came, \(taken.items) shared,"
      + " \(waiting) still to be sent\(failed)"
  }

  // MARK: What the screen shows

  func page() throws -> String {
    let screen = shelf.screen(try Path("/notes"))
    var lines: [String] = []
    switch screen.source {
    case .nothing: lines.append("no notes on this device yet")
    case .copy(let saved): lines.append("saved on this device \(NotesApp.text(saved))")
    case .suspectCopy(let saved):
      lines.append("saved on this device \(NotesApp.text(saved)); there may be something newer")
    }
    let content = try screen.copy.flatMap { try shelf.content(of: $0) }
    let listed = try content.map { try JSONDecoder().decode([Note].self, from: Data($0)) } ?? []
    lines += listed.map { "\($0.id)  \($0.text)" }
    // What the server has and the list does not say yet.
    let made = try shelf.paths.filter { "\($0)".hasPrefix("/notes/new/") }.compactMap { path in
      try shelf.copy(of: path).flatMap { try shelf.content(of: $0) }
        .map { try JSONDecoder().decode(Note.self, from: Data($0)) }
    }
    let known = Set(listed.map(\.id))
    lines += made.filter { !known.contains($0.id) }.map { "\($0.id)  \($0.text)" }
    lines += shelf.outbox.items.map { "…  \($0.label ?? "\($0.path)")  (\($0.standing))" }
    return lines.joined(separator: "\n")
  }

  func outbox() -> String {
    let items = shelf.outbox.items.map { "\($0.key)  \($0.standing)  \($0.attempts) attempts" }
    return items.isEmpty ? "the server has it all" : items.joined(separator: "\n")
  }

  private static func text(_ time: DeviceTime) -> String {
    Date(time).formatted(.iso8601)
  }
}
