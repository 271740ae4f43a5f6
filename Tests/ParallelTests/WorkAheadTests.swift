import Foundation
import Synchronization
import Testing
import TidemarkParallel

@Suite struct WorkAheadTests {
  @Test func `pieces come in the order in which they are made, and then nothing`() {
    var count = 0
    let work = WorkAhead<Int> { _ in
      count += 1
      return count <= 500 ? count : nil
    }
    #expect((1...500).allSatisfy { work.next() == $0 })
    #expect(work.next() == nil)
    #expect(work.next() == nil)
  }

  @Test func `no more than one piece is made ahead, and none behind the last`() {
    let made = Mutex(0)
    let work = WorkAhead<Int> { _ in
      made.withLock { made in
        made += 1
        return made <= 3 ? made : nil
      }
    }
    for piece in 1...3 {
      #expect(work.next() == piece)
      #expect(made.withLock { $0 } <= piece + 1)
    }
    for _ in 0..<3 { #expect(work.next() == nil) }
    #expect(made.withLock { $0 } == 4)
  }

  @Test func `who makes a piece is told when somebody waits for it`() {
    let told = Mutex<[Bool]>([])
    let hasBegun = DispatchSemaphore(value: 0)
    let work = WorkAhead<Int> { isAwaited in
      hasBegun.signal()
      for _ in 0..<10_000_000 where !isAwaited() { sched_yield() }
      told.withLock { $0.append(isAwaited()) }
      return 1
    }
    hasBegun.wait()
    #expect(work.next() == 1)
    #expect(told.withLock { $0.first } == true)
  }
}
