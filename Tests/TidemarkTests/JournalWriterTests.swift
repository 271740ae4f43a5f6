import TestSupport
import Testing
import Tidemark

#if os(Linux)
  import Glibc
#endif

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

  #if os(Linux)
    @Test func `calls whose common commit fails are all told, and nothing of them is there`() async
    {
      await #expect(processExitsWith: .success) {
        let place = try TemporaryJournal()
        let writer = try await JournalWriter.open(place.path)
        try await writer.append([.opening()])
        signal(SIGXFSZ, SIG_IGN)
        limitFiles(to: 1)
        let refusals = try await appendAtOnce(0..<50, to: writer).filter { $0 == nil }
        limitFiles(to: .max)
        guard refusals.count == 50, await writer.last == Seq(1) else {
          throw Unexpected(what: "\(refusals.count) were refused, \(await writer.last) is last")
        }
        // The keys are free, and everything can be used again.
        let seqs = try await appendAtOnce(0..<50, to: writer)
        guard Set(seqs.compactMap(\.self)) == Set((2...51).map { Seq($0) }) else {
          throw Unexpected(what: "\(seqs)")
        }
        try await writer.close()
        guard try place.read().allEntries().count == 51 else { throw Unexpected(what: "entries") }
      }
    }
  #endif

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

#if os(Linux)
  /// Appends from as many tasks; nothing for what was refused by the device.
  private func appendAtOnce(
    _ numbers: Range<Int>,
    to writer: JournalWriter
  ) async throws -> [Seq?] {
    try await withThrowingTaskGroup(of: Seq?.self) { group in
      for number in numbers {
        let draft = try Draft.begin("/\(number)", key: "k-\(number)")
        group.addTask {
          do throws(JournalError) {
            return try await writer.append([draft])[0].seq
          } catch {
            guard error.code == .storage else { throw error }
            return nil
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func limitFiles(to bytes: UInt64) {
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t.max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }

  private struct Unexpected: Error {
    let what: String
  }
#endif
