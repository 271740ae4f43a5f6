import TestSupport
import Testing
import Tidemark

@Suite struct JournalWriterTests {
  @Test func `many tasks append at once and every entry is there once`() async throws {
    let place = try TemporaryJournal()
    let writer = try await JournalWriter.open(place.path)
    try await writer.append([.opening()])
    let outcomes = try await withThrowingTaskGroup(of: [AppendOutcome].self) { group in
      for number in 0..<200 {
        group.addTask { try await writer.append([.begin("/n/\(number)", key: "k-\(number)")]) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(outcomes.compactMap(\.seq)).count == 200)
    #expect(await writer.last == Seq(201))
    try await writer.close()
    // Fewer blocks than calls: they shared their commits.
    let reader = try place.read()
    #expect(try reader.allEntries().count == 201)
    #expect(try place.blockCount() < 150)
  }

  @Test func `a call that is refused leaves the others of its commit alone`() async throws {
    let place = try TemporaryJournal()
    let writer = try await JournalWriter.open(place.path)
    try await writer.append([.opening()])
    let good = Task { try await writer.append([.begin(key: "good")]) }
    let bad = Task { try await writer.append([.begin(key: "bad", store: 77)]) }
    await #expect(throws: JournalError.self) { try await bad.value }
    #expect(try await good.value.first?.seq != nil)
    try await writer.close()
    #expect(try place.read().allEntries().count == 2)
  }

  @Test func `a writer that is closed lets the next one in and appends nothing`() async throws {
    let place = try TemporaryJournal()
    let writer = try await JournalWriter.open(place.path)
    try await writer.append([.opening()])
    try await writer.close()
    await #expect(throws: JournalError.self) { try await writer.append([.begin(key: "late")]) }
    let next = try await JournalWriter.open(place.path)
    #expect(await next.last == Seq(1))
  }
}
