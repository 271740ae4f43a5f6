import Foundation
import Tidemark

/// `TidemarkExample [--folder FOLDER] [--server ADDRESS] VERB …`: a notes app on the command line.
///
/// `serve [PORT]` is its server, on this machine alone; all else is the app, as it would be on a
/// phone. Exits with 0, with 1 and what to do, with 11 if another process has the journal, or with
/// 64 for wrong usage.
@main
enum TidemarkExample {
  static let usage = """
    usage: TidemarkExample [--folder FOLDER] [--server ADDRESS] VERB …

      serve [PORT]             the server; it tells its address, and forgets all when it ends
      notes                    what is on the device, online or not, and what is still to be sent
      add TEXT [PHOTO]         a new note, with a file if one is named
      edit ID TEXT             another text for a note
      outbox                   what the server is still to be told, and how that stands
      sync [--stay]            send, then copy what the server has; --stay: again and again
      share TEXT…              leave notes in the inbox, as a share extension does

    """

  static func main() async {
    var words = Array(CommandLine.arguments.dropFirst())
    let environment = ProcessInfo.processInfo.environment
    let folder = take("--folder", from: &words) ?? environment["NOTES_FOLDER"] ?? "notes"
    let server =
      take("--server", from: &words) ?? environment["NOTES_SERVER"] ?? "http://127.0.0.1:8080"
    do {
      if words.first == "serve" { return try serve(words.dropFirst().first ?? "0") }
      if words.first == "share" { return try share(Array(words.dropFirst()), folder) }
      guard let verb = words.first, let work = Self.verbs[verb] else { throw Usage() }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let app = try await NotesApp(folder, server: server)
      try await work(app, Array(words.dropFirst()))
      try await app.close()
    } catch {
      end(error)
    }
  }

  private struct Usage: Error {}

  private static let verbs: [String: @Sendable (NotesApp, [String]) async throws -> Void] = [
    "notes": { app, _ in say(try app.page()) },
    "outbox": { app, _ in say(app.outbox()) },
    "add": { app, words in
      guard let text = words.first else { throw Usage() }
      let photo = try words.dropFirst().first.map { try Data(contentsOf: URL(filePath: $0)) }
      // Only what is on the medium is told.
      say("kept \(try await app.add(text, photo: photo.map { Array($0) }))")
    },
    "edit": { app, words in
      guard words.count == 2 else { throw Usage() }
      say("kept \(try await app.edit(words[0], words[1]))")
    },
    "sync": { app, words in
      repeat {
        say(try await app.sync())
        if words == ["--stay"] { try await Task.sleep(for: .milliseconds(50)) }
      } while words == ["--stay"]
    },
  ]

  /// Another process: neither the journal nor the network is opened.
  private static func share(_ texts: [String], _ folder: String) throws {
    guard !texts.isEmpty else { throw Usage() }
    let share = try ShareWriter(inbox: "\(folder)/inbox")
    for text in texts { try share.add(NotesApp.note(text, name: UUID().uuidString)) }
    try share.finish()
    say("left \(share.id)")
  }

  private static func take(_ option: String, from words: inout [String]) -> String? {
    guard let place = words.firstIndex(of: option), place + 1 < words.count else { return nil }
    defer { words.removeSubrange(place...(place + 1)) }
    return words[place + 1]
  }

  private static func end(_ error: any Error) {
    if error is Usage {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    if case .journal(let failure) = error as? StoreError, failure.code == .busy { exit(11) }
    exit(1)
  }
}

/// A line for the person, at once.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
