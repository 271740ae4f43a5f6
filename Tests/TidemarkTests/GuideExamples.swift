import Foundation
import TestSupport
import Testing
import Tidemark
import TidemarkReplay

/// The Swift of `docs/guides/in-an-app.md`, compiled and run in the order of the page.
///
/// Tidy compares it with the page to the letter.
@Suite struct GuideExamples {
  @Test func `what the guide appends keeps the rules that check judges by`() async throws {
    var isThrough = false
    defer { #expect(isThrough, "the page ends early") }
    let place = try TemporaryJournal()
    let folder = URL(filePath: place.folder.path)
    // README: open
    let path = folder.appending(path: "notes.tidemark").path
    let now = DeviceTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    var warnings: [String] = []
    let journal = try await JournalWriter.open(path)
    for finding in await journal.findings where !finding.code.isNote {
      warnings.append("\(finding.code.name): \(finding.message)")
    }
    // end
    #expect(warnings.isEmpty)
    // README: store
    let opening = Draft(
      StoreOpened(
        scope: try Scope("https://api.example.org", account: "ada"),
        software: "Notes 3.1"
      ),
      key: try IdempotencyKey("launch-17/api"),
      store: .opening,
      time: now
    )
    guard let store = try await journal.append([opening])[0].seq else { return }
    // end
    // README: read
    let begun = Draft(
      ReadBegan(generation: 0),
      key: try IdempotencyKey("launch-17/read-1"),
      store: .opened(store),
      time: now,
      paths: [(try Path("/notes"), .begin)]
    )
    // A begin that is lost costs a read, so it does not wait for the disk.
    guard let begin = try await journal.append([begun], durability: .lazy)[0].seq else { return }
    // end
    // README: send
    let note = try Path("/notes/41")
    let list = try Path("/notes")
    let change = Draft(
      MutationSent(method: "PUT", touches: [Touch(.resource, note), Touch(.resource, list)]),
      key: try IdempotencyKey("rename-41"),
      store: .opened(store),
      time: now,
      paths: [(note, .mention)]
    )
    let outcome = try await journal.append([change])[0]
    switch outcome {
    case .appended, .alreadyAppended: break  // it stands: show it, and send it
    case .conflict(let other): warnings.append("the key names entry \(other.prior) already")
    case .withheld: break  // another draft of the batch had a conflict
    }
    guard let sent = outcome.seq else { return }
    // end
    var resent = change
    resent.time = DeviceTime(milliseconds: now.milliseconds + 60_000)
    resent.cause = .entry(begin)
    #expect(try await journal.append([resent]) == [.alreadyAppended(at: sent)])
    // README: answer
    let answered = Draft(
      MutationAnswered(mutation: sent, status: 200),
      key: try IdempotencyKey("rename-41/answered"),
      store: .opened(store),
      time: now,
      cause: .entry(sent),
      paths: [(note, .mention)]
    )
    let bumped = Draft(
      GenerationBumped(from: 0, to: 1, reason: .answer),
      key: try IdempotencyKey("rename-41/bumped"),
      store: .opened(store),
      time: now,
      cause: .earlierInBatch(1)
    )
    let outcomes = try await journal.append([answered, bumped])
    guard let fence = outcomes[1].seq else { return }
    // end
    // README: refuse
    let late = Draft(
      ReadRefused(begin: begin, reason: .generation, witness: fence, status: 200),
      key: try IdempotencyKey("launch-17/read-1/ended"),
      store: .opened(store),
      time: now,
      cause: .entry(begin),
      paths: [(try Path("/notes"), .mention)]
    )
    try await journal.append([late])
    // end
    // README: guard
    let again = Draft(
      ReadBegan(generation: 1),
      key: try IdempotencyKey("launch-17/read-2"),
      store: .opened(store),
      time: now,
      paths: [(try Path("/notes"), .begin)]
    )
    do throws(JournalError) {
      try await journal.append([again], resting: [.fence(store: store, last: fence)])
    } catch {
      guard error.code == .stale else { throw error }
      warnings.append("the generation has moved: look again, and begin then")
    }
    // end
    // README: close
    try await journal.close()
    // end
    isThrough = true
    #expect(warnings.isEmpty)
    let reader = try JournalReader(path)
    let report = try Judge.judge(reader)
    #expect(report.counts.isEmpty, "the judge objects: \(report.findings)")
    #expect(report.openReads == 1)
    #expect(
      try reader.allEntries().map(\.kindName) == [
        "store-opened", "read-began", "mutation-sent", "mutation-answered", "generation-bumped",
        "read-refused", "read-began",
      ]
    )
  }

  @Test func `a begin that rests on a fence that is not the last is not appended`() async throws {
    let place = try TemporaryJournal()
    let journal = try await JournalWriter.open(place.path)
    try await journal.append([.opening()])
    let begin = try Draft.begin(key: "b")
    await #expect {
      try await journal.append([begin], resting: [.fence(store: Seq(1), last: Seq(7))])
    } throws: {
      ($0 as? JournalError)?.code == .stale
    }
    #expect(await journal.last == Seq(1))
  }
}
