import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import TidemarkParallel

@Suite struct SharedWorkTests {
  @Test(arguments: [0, 1, 2, 3, 1000])
  func `results come in the order of the items, each made once`(_ count: Int) {
    let made = Mutex(0)
    let work = SharedWork(Array(0..<count)) {
      { (item: Int) -> Int in
        made.withLock { $0 += 1 }
        return item * item
      }
    }
    #expect(work.results() == (0..<count).map { $0 * $0 })
    #expect(made.withLock { $0 } == count)
  }

  @Test func `one worker is made for each thread, and no more than there are processors`() {
    let workers = Mutex(0)
    let work = SharedWork(Array(0..<500)) {
      workers.withLock { $0 += 1 }
      return { (item: Int) -> Int in item }
    }
    _ = work.results()
    #expect((1...Processors.count).contains(workers.withLock { $0 }))
  }

  @Test func `a single item waits to be asked for, and needs no other thread`() {
    let isMade = Mutex(false)
    let work = SharedWork([1]) {
      { (item: Int) -> Int in
        isMade.withLock { $0 = true }
        return item
      }
    }
    #expect(!isMade.withLock { $0 })
    #expect(work.results() == [1])
  }

  @Test func `callers that take all threads do not wait for each other's`() async {
    await #expect(processExitsWith: .success) {
      let sums = await crowd { caller in
        let work = SharedWork(Array(0..<4)) { { (item: Int) -> Int in item + caller } }
        return work.results().reduce(0, +) - 4 * caller
      }
      #expect(sums == [Int](repeating: 6, count: 300))
    }
  }

  @Test func `what is cancelled begins nothing more`() {
    let made = Mutex(0)
    let work = SharedWork([1]) {
      { (item: Int) -> Int in
        made.withLock { $0 += 1 }
        return item
      }
    }
    work.cancel()
    // Some may have begun with more items; with one, nobody had.
    #expect(made.withLock { $0 } == 0)
  }
}
