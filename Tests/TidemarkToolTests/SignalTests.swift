import Foundation
import TestSupport
import Testing

@testable import TidemarkTool

/// In one process after the other: signals belong to all that runs in it.
@Suite struct SignalTests {
  @Test func `the first signal is a request, the second ends the process`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      signal(SIGTERM, SIG_DFL)
      System.catchSignals()
      #expect(!Interruption.isRequested)
      raise(SIGTERM)
      #expect(Interruption.isRequested)
    }
    await #expect(processExitsWith: .exitCode(130)) {
      signal(SIGINT, SIG_DFL)
      System.catchSignals()
      raise(SIGINT)
      raise(SIGINT)
    }
  }

  @Test func `a signal that was ignored stays ignored`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      signal(SIGINT, SIG_IGN)
      System.catchSignals()
      raise(SIGINT)
      raise(SIGINT)
      #expect(!Interruption.isRequested)
    }
  }

  @Test func `a broken pipe is an error of the write, not the end of the process`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      signal(SIGPIPE, SIG_DFL)
      System.catchSignals()
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      let descriptor = pipe.fileHandleForWriting.fileDescriptor
      #expect(throws: System.CallError.self) { try System.write([0x20], to: descriptor) }
    }
  }

  @Test func `a file that may not grow is an error of the write, not the end of the process`()
    async
  {
    await #expect(processExitsWith: .exitCode(0)) {
      signal(SIGXFSZ, SIG_DFL)
      // The thread that started this process may block all signals.
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_UNBLOCK, &all, nil)
      System.catchSignals()
      let folder = try TemporaryFolder()
      let descriptor = try System.create(folder.file("out"))
      var limit = rlimit(rlim_cur: 1, rlim_max: 1)
      #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #else
        setrlimit(RLIMIT_FSIZE, &limit)
      #endif
      let error = #expect(throws: System.CallError.self) {
        try System.write([0x20, 0x20], to: descriptor)
      }
      #expect(error?.code == EFBIG)
    }
  }

  @Test func `a stream that was closed cannot be taken by a file`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      close(1)
      System.guardStandardStreams()
      let descriptor = open("/dev/null", O_RDWR)
      #expect(descriptor > 2)
      #expect(throws: System.CallError.self) { try System.write([0x20], to: 1) }
    }
  }
}
