import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

#if os(Linux)
  /// The anchor names what is on the medium: whatever runs, the log is synced before it is written.
  ///
  /// A library between the tool and the system writes down what is written and synced.
  @Suite(.enabled(if: Shell.has("cc") || Shell.has("clang"))) struct SyncTests {
    private let folder: TemporaryFolder
    private let shell: Shell

    init() throws {
      folder = try TemporaryFolder()
      shell = Shell(folder: folder.path)
      try Data(SyncTests.source.utf8).write(to: URL(filePath: folder.file("spy.c")))
      let compiler = Shell.has("cc") ? "cc" : "clang"
      let made = try shell.run("\(compiler) -shared -fPIC -o spy.so spy.c -ldl")
      try #require(made.exit == 0, "\(made.errors)")
    }

    private static let source = """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <unistd.h>

      static void note(const char *what, int file) {
        char link[64], path[512], line[600];
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        ssize_t count = readlink(link, path, sizeof path - 1);
        if (count < 0) return;
        path[count] = 0;
        int length = snprintf(line, sizeof line, "%s %s\\n", what, path);
        static int log = -1;
        if (log < 0) log = open(getenv("SPY"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        static ssize_t (*out)(int, const void *, size_t);
        if (!out) out = dlsym(RTLD_NEXT, "write");
        out(log, line, length);
      }
      #define WRITE(name, offset) \\
        ssize_t name(int file, const void *bytes, size_t count, offset at) { \\
          static ssize_t (*next)(int, const void *, size_t, offset); \\
          if (!next) next = dlsym(RTLD_NEXT, #name); \\
          note("write", file); \\
          return next(file, bytes, count, at); \\
        }
      WRITE(pwrite, off_t)
      WRITE(pwrite64, off64_t)
      #define SYNC(name) \\
        int name(int file) { \\
          static int (*next)(int); \\
          if (!next) next = dlsym(RTLD_NEXT, #name); \\
          int result = next(file); \\
          note("sync", file); \\
          return result; \\
        }
      SYNC(fsync)
      SYNC(fdatasync)

      """

    /// What happened to log and anchor of the journal `name`.
    ///
    /// As `write -wal`, `sync -wal`, and so on.
    private func run(_ command: String, _ name: String) throws -> [String] {
      let spied = "SPY=$PWD/spied LD_PRELOAD=$PWD/spy.so \(command)"
      let result = try shell.run(spied)
      try #require(result.exit == 0, "\(result.errors)")
      let text = try String(contentsOfFile: folder.file("spied"), encoding: .utf8)
      try FileManager.default.removeItem(atPath: folder.file("spied"))
      return text.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: " ")
        let place = parts[1].split(separator: "/").last ?? ""
        guard place.hasPrefix("\(name)-") else { return nil }
        return "\(parts[0]) \(place.dropFirst(name.count))"
      }
    }

    /// How often the anchor was written; each time the log was on the medium, or `events` fails.
    private func acknowledgements(_ events: [String], logIsSynced: Bool) -> Int {
      var isSynced = logIsSynced
      var count = 0
      for event in events {
        switch event {
        case "write -wal": isSynced = false
        case "sync -wal": isSynced = true
        case "write -anchor":
          #expect(isSynced, "the anchor names what is not on the medium: \(events)")
          count += 1
        default: break
        }
      }
      return count
    }

    @Test func `lazy entries are on the medium before the anchor names them`() throws {
      // Its last entry is lazy, and the journal is closed behind it.
      let events = try run("TidemarkGolden v1-torn-tail .", "journal.sqlite")
      #expect(acknowledgements(events, logIsSynced: true) > 3)
    }

    @Test func `an import is on the medium before the anchor names it`() throws {
      try Data(CaptureFile.text.utf8).write(to: URL(filePath: folder.file("capture.har")))
      let events = try run("tidemark import har capture.har --into notes --yes", "notes")
      #expect(acknowledgements(events, logIsSynced: true) > 1)
    }

    @Test func `what a crash left in the log is synced before the anchor names it`() throws {
      let place = try TemporaryJournal()
      let journal = try place.open()
      try journal.append([.opening()])
      // With the system and not on the medium, as far as anybody knows who comes next.
      try journal.append([.begin(key: "lazy")], durability: .lazy)
      for part in TemporaryJournal.Part.allCases {
        try FileManager.default.copyItem(
          atPath: place.path + part.rawValue,
          toPath: folder.file("left" + part.rawValue)
        )
      }
      try Data(CaptureFile.text.utf8).write(to: URL(filePath: folder.file("capture.har")))
      let events = try run("tidemark import har capture.har --into left --yes", "left")
      #expect(acknowledgements(events, logIsSynced: false) > 1)
    }
  }

  private enum CaptureFile {
    static let text = """
      {"log": {"version": "1.2", "creator": {"name": "Sync", "version": "1"}, "entries": [
      {"startedDateTime": "2026-05-12T14:03:07.000Z", "time": 2000,
       "request": {"method": "GET", "url": "https://api.example.org/notes"},
       "response": {"status": 200, "content": {"mimeType": "application/json", "text": "[]"}}}
      ]}}
      """
  }
#endif
