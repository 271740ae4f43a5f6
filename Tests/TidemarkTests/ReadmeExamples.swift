import TestSupport
import Testing
import Tidemark

/// The Swift of the pages, compiled and run. Tidy compares it with the pages to the letter.
@Suite struct ReadmeExamples {
  @Test func `an entry is appended once, however often it is sent`() async throws {
    let place = try TemporaryJournal()
    let path = place.path
    let now = DeviceTime(milliseconds: 1_778_594_580_000)
    // README: append
    let journal = try await JournalWriter.open(path)

    let scope = try Scope("https://api.example.org", account: "ada")
    let opening = Draft(
      StoreOpened(scope: scope),
      key: try IdempotencyKey("launch-17"),
      store: .opening,
      time: now
    )
    guard let store = try await journal.append([opening])[0].seq else { return }

    let change = Draft(
      MutationSent(method: "PUT"),
      key: try IdempotencyKey("rename-41"),
      store: .opened(store),
      time: now,
      paths: [(try Path("/notes/41"), .mention)]
    )
    let first = try await journal.append([change])  // on the medium: show it now, not before
    let again = try await journal.append([change])  // nothing is added, whatever became of the first
    // end
    #expect(first == [.appended(at: Seq(2))])
    #expect(again == [.alreadyAppended(at: Seq(2))])
  }
}
