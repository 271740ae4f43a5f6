import Foundation
import Synchronization
import TestSupport
import Testing
import TidemarkEntries

@testable import TidemarkJournalStore

/// What goes wrong while blocks are read ahead comes where it belongs, and ends the walk.
@Suite struct BlocksAheadTests {
  private let place: TemporaryJournal

  /// So many blocks, that SQLite does not have them all in its cache.
  private static let count: UInt64 = 400

  init() throws {
    place = try TemporaryJournal()
    for (part, bytes) in try BlocksAheadTests.original.get() where !bytes.isEmpty {
      try place.write(bytes, to: part)
    }
  }

  private static let original = Result {
    let place = try TemporaryJournal()
    var chance = SeededGenerator(seed: 16)
    let journal = try place.open()
    try journal.append([.opening()])
    for number in 2...count {
      // Bytes by chance: nothing packs them.
      let name = (0..<1000).flatMap { _ in withUnsafeBytes(of: chance.next()) { Array($0) } }
      let draft = Draft(
        ReadBegan(generation: 0),
        key: try IdempotencyKey("k\(number)"),
        store: .opened(Seq(1)),
        time: DeviceTime(milliseconds: 1),
        paths: [(Path(canonical: [0x2f] + name), .begin)]
      )
      try journal.append([draft], durability: .lazy)
    }
    try journal.close()
    return try TemporaryJournal.Part.allCases.map { ($0, try place.bytes(of: $0)) }
  }

  private func blocksAhead(
    _ reader: JournalReader,
    _ worker: @escaping @Sendable () -> (WalkedBlock) -> Seq
  ) -> BlocksAhead<Seq> {
    let walk = BlockWalk(reader.blocks, through: reader.last)
    return BlocksAhead(walk, from: Seq(1), through: reader.last, worker)
  }

  @Test func `an error of the disk comes behind all blocks that were read before it`() throws {
    let reader = try place.read()
    let worked = Mutex<[Seq]>([])
    var ahead = blocksAhead(reader) {
      { walked in
        worked.withLock { $0.append(walked.block.first) }
        return walked.block.first
      }
    }
    var handed: [Seq] = []
    let error = #expect(throws: (any Error).self) {
      while let step = try ahead.next() {
        #expect(step.error == nil && step.made == step.block?.first)
        handed.append(try #require(step.block).first)
        if handed.count == 40 { failReading(of: place.path) }
      }
    }
    #expect(error.map { "\($0)" }?.contains("disk I/O error") == true)
    #expect(handed.map(\.value) == Array(1...UInt64(handed.count)))
    #expect((41..<Int(BlocksAheadTests.count)).contains(handed.count))
    #expect(worked.withLock { $0.sorted() } == handed)
    // Nothing more comes, and it says so again.
    #expect(throws: (any Error).self) { try ahead.next() }
  }

  @Test func `a walk over a disk that fails ends with what the disk said`() throws {
    let reader = try place.read()
    var seqs: [Seq] = []
    let error = #expect(throws: JournalError.self) {
      try reader.forEach { (entry) throws(JournalError) in
        seqs.append(entry.seq)
        if entry.seq == Seq(40) { failReading(of: place.path) }
        return true
      } mapping: {
        $0
      }
    }
    #expect(error?.code == .storage)
    #expect(seqs.map(\.value) == Array(1...UInt64(seqs.count)) && seqs.count < 400)
  }

  @Test func `blocks that do not unpack are found in order, wherever they are unpacked`() throws {
    let damaged: [UInt64] = [2, 3, 30, 31, 32, 64, 100, 101, 399]
    for seq in damaged { try place.flipBit(inEntry: seq) }
    let reader = try place.read()
    var seen: [UInt64] = []
    try reader.forEachPart(from: Seq(1), through: reader.last) {
      (block, part) throws(JournalError) in
      if case .damage(let finding, _) = part {
        #expect(finding.code == .blockDamaged && finding.seq == block.first)
        #expect(damaged.contains(block.first.value))
      }
      seen.append(block.first.value)
      return true
    } mapping: {
      $0
    }
    #expect(seen == Array(1...BlocksAheadTests.count))
    let findings = try reader.forEach { (_) throws(JournalError) in
      true
    } mapping: {
      $0
    }
    #expect(findings.map { $0.seq?.value } == damaged)
  }

  @Test func `who wants one block waits for no other`() throws {
    let worked = Mutex<[Seq]>([])
    var ahead = blocksAhead(try place.read()) {
      { walked in
        worked.withLock { $0.append(walked.block.first) }
        return walked.block.first
      }
    }
    #expect(try ahead.next()?.block?.first == Seq(1))
    #expect(worked.withLock { $0 } == [Seq(1)])
    ahead.cancel()
  }
}

/// Makes every further read of a file fail, for all of this process that have it open.
private func failReading(of path: String) {
  var file = stat()
  #expect(stat(path, &file) == 0)
  // What is open for writing only cannot be read.
  let none = open("/dev/null", O_WRONLY)
  defer { close(none) }
  for descriptor in 0..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))) where descriptor != none {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_ino == file.st_ino,
      status.st_dev == file.st_dev
    else { continue }
    dup2(none, descriptor)
  }
}
