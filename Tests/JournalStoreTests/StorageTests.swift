import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

#if os(Linux)
  import Glibc

  /// The device refuses: it is full, or may not be written.
  ///
  /// Each test has a process of its own, which takes rights from itself.
  @Suite struct StorageTests {
    @Test func `a full device refuses, nothing is lost, and there is room again`() async {
      await #expect(processExitsWith: .success) {
        let place = try TemporaryJournal()
        let journal = try place.open()
        try journal.append([.opening()])
        signal(SIGXFSZ, SIG_IGN)
        var acknowledged: UInt64 = 1
        var refusals = 0
        for step in 0..<60 {
          // Room for a page or less, then for as much as is wanted.
          let log = UInt64(try place.bytes(of: .log).count)
          StorageTests.limitFiles(to: step % 3 == 2 ? .max : log + UInt64(step * 613 % 5000))
          defer { StorageTests.limitFiles(to: .max) }
          do {
            let drafts = try (0..<20).map { number in
              try Draft.begin("/\(step)/\(number)", key: "k-\(step)-\(number)")
            }
            let outcomes = try journal.append(drafts, durability: step % 2 == 0 ? .authored : .lazy)
            acknowledged += UInt64(outcomes.count)
          } catch let error as JournalError {
            StorageTests.limitFiles(to: .max)
            refusals += 1
            try check(error.code == .storage && error.finding == .storageRefused, "\(error)")
            try check(!error.message.isEmpty, "no message")
          }
          try check(journal.committed == Seq(acknowledged), "\(step): \(journal.committed)")
        }
        StorageTests.limitFiles(to: .max)
        try check(refusals > 5, "only \(refusals) refusals")
        let outcome = try journal.append([.begin("/2/0", key: "k-2-0")])
        try check(outcome[0].seq != nil, "\(outcome)")
        try journal.close()
        let entries = try place.read().allEntries()
        try check(UInt64(entries.count) >= acknowledged, "\(entries.count) of \(acknowledged)")
        try check(try place.open().isReadOnly == false, "read-only")
      }
    }

    @Test func `a journal that could not be made leaves nothing that hinders the next try`() async {
      await #expect(processExitsWith: .success) {
        signal(SIGXFSZ, SIG_IGN)
        for limit in stride(from: 0, through: 100_000, by: 2048) as StrideThrough<UInt64> {
          let place = try TemporaryJournal()
          StorageTests.limitFiles(to: limit)
          let made: Bool
          do {
            let journal = try place.open()
            try journal.append([.opening()])
            made = true
          } catch let error as JournalError {
            try check(error.code == .storage, "\(limit): \(error)")
            made = false
            // It has its name when it is whole, and not before.
            let isThere = FileManager.default.fileExists(atPath: place.path)
            try check(!isThere || (try place.read().last) == Seq(0), "\(limit): half a journal")
          }
          StorageTests.limitFiles(to: .max)
          let journal = try place.open()
          let outcome = try journal.append([.opening()])
          try check(
            made ? outcome == [.alreadyAppended(at: Seq(1))] : outcome[0].seq == Seq(1),
            "\(outcome)"
          )
        }
      }
    }

    @Test(.enabled(if: getuid() == 0)) func `a file that may not be written is read, and refuses`()
      async
    {
      await #expect(processExitsWith: .success) {
        let place = try StorageTests.closedJournal()
        try StorageTests.restrict(place, file: 0o444, folder: 0o755)
        StorageTests.becomeNobody()
        try StorageTests.checkReadable(place)
        let error = try StorageTests.refusal { _ = try place.open() }
        try check(error.code == .storage, "\(error)")
      }
    }

    @Test(.enabled(if: getuid() == 0))
    func `a folder that may not be written is read, and refuses`()
      async
    {
      await #expect(processExitsWith: .success) {
        let place = try StorageTests.closedJournal()
        try StorageTests.restrict(place, file: 0o644, folder: 0o555)
        StorageTests.becomeNobody()
        try StorageTests.checkReadable(place)
        let error = try StorageTests.refusal { _ = try place.open() }
        try check(error.code == .storage, "\(error)")
        let other = try StorageTests.refusal {
          var chance = SeededGenerator(seed: 1)
          _ = try Journal(place.folder.file("other"), create: true, chance: &chance)
        }
        try check(other.code == .storage, "\(other)")
      }
    }

    @Test(.enabled(if: getuid() == 0)) func `a file that may not be read is refused by name`() async
    {
      await #expect(processExitsWith: .success) {
        let place = try StorageTests.closedJournal()
        try StorageTests.restrict(place, file: 0o000, folder: 0o755)
        StorageTests.becomeNobody()
        for open in [{ _ = try place.open() }, { _ = try place.read() }] as [() throws -> Void] {
          let error = try StorageTests.refusal(open)
          try check(error.code == .storage && error.message.contains(place.path), "\(error)")
        }
      }
    }

    // MARK: Rights

    private static func closedJournal() throws -> TemporaryJournal {
      let place = try TemporaryJournal()
      let journal = try place.open()
      try journal.append([.opening(), .begin(key: "b")])
      try journal.close()
      return place
    }

    private static func checkReadable(_ place: TemporaryJournal) throws {
      let reader = try place.read()
      try check(try reader.allEntries().count == 2, "not all entries")
      try check(try reader.anchorStanding() == .equal, "not equal")
    }

    private static func refusal(_ work: () throws -> Void) throws -> JournalError {
      do { try work() } catch let error as JournalError { return error }
      throw Unexpected(description: "nothing was refused")
    }

    private static func restrict(
      _ place: TemporaryJournal,
      file: mode_t,
      folder: mode_t
    ) throws {
      for part in TemporaryJournal.Part.allCases { chmod(place.path + part.rawValue, file) }
      chmod(place.folder.path, folder)
    }

    private static func limitFiles(to bytes: UInt64) {
      var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t.max)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }

    private static func becomeNobody() {
      setgid(65_534)
      setuid(65_534)
    }
  }

  private struct Unexpected: Error, CustomStringConvertible {
    let description: String
  }

  /// In a process of its own a test ends by an error, which says what was not so.
  private func check(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
    guard !holds else { return }
    FileHandle.standardError.write(Data("\(otherwise())\n".utf8))
    throw Unexpected(description: otherwise())
  }
#endif
