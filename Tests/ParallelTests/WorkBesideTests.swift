import Dispatch
import Synchronization
import Testing
import TidemarkParallel

@Suite struct WorkBesideTests {
  @Test func `the work is done once, however often its result is asked for`() {
    let made = Mutex(0)
    let work = WorkBeside {
      made.withLock {
        $0 += 1
        return $0
      }
    }
    for _ in 0..<3 { #expect(work.result() == 1) }
    #expect(made.withLock { $0 } == 1)
  }

  @Test func `it begins before anybody asks`() {
    let isBegun = DispatchSemaphore(value: 0)
    let work = WorkBeside {
      isBegun.signal()
      return 7
    }
    // Never comes back if nobody begins.
    isBegun.wait()
    #expect(work.result() == 7)
  }

  @Test func `callers that take all threads do not wait for another one`() async {
    await #expect(processExitsWith: .success) {
      let results = await crowd { caller in WorkBeside { caller }.result() - caller }
      #expect(results == [Int](repeating: 0, count: 300))
    }
  }
}
