import Foundation
import TidemarkEntries
import TidemarkJournalStore
import TidemarkSQLite

/// Words for what can happen to the files of a journal.
///
/// The journal is closed when they are said.
extension TemporaryJournal {
  /// The files of a journal.
  package enum Part: String, CaseIterable, Sendable {
    case main = ""
    case log = "-wal"
    case anchor = "-anchor"
  }

  package func bytes(of part: Part = .main) throws -> [UInt8] {
    let file = path + part.rawValue
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    return Array(try Data(contentsOf: URL(fileURLWithPath: file)))
  }

  package func write(_ bytes: [UInt8], to part: Part = .main) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + part.rawValue))
  }

  package func remove(_ part: Part) throws {
    try FileManager.default.removeItem(atPath: path + part.rawValue)
  }

  /// Changes the bytes of a file.
  package func edit(_ part: Part = .main, _ change: (inout [UInt8]) throws -> Void) throws {
    var bytes = try bytes(of: part)
    try change(&bytes)
    try write(bytes, to: part)
  }

  /// Cuts a file off.
  package func cut(_ part: Part = .main, toBytes count: Int) throws {
    try edit(part) { $0 = Array($0.prefix(count)) }
  }

  /// Flips one bit of a file.
  package func flipBit(_ bit: Int, ofByte offset: Int, in part: Part = .main) throws {
    try edit(part) { $0[offset] ^= 1 << UInt8(bit) }
  }

  /// A copy of the files as they are at this moment, whoever has them open.
  package func copy() throws -> TemporaryJournal {
    let other = try TemporaryJournal()
    for part in Part.allCases {
      let file = path + part.rawValue
      guard FileManager.default.fileExists(atPath: file) else { continue }
      try FileManager.default.copyItem(atPath: file, toPath: other.path + part.rawValue)
    }
    return other
  }

  // MARK: Rows

  /// Runs SQL on the file as nobody may who keeps to the format.
  package func tamper(_ sql: String) throws {
    let database = try Database(path: path, access: .write(creating: false))
    try database.execute("INSERT INTO maintenance VALUES ('seal')")
    try database.execute(sql)
    try database.execute("DELETE FROM maintenance; PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Flips a bit in the middle of the frames of the block that holds an entry.
  package func flipBit(inEntry seq: UInt64) throws {
    try changeFrames(ofEntry: seq) { $0[$0.count / 2] ^= 4 }
  }

  /// Fills the frames of the block that holds an entry with zeros.
  package func zeroBlock(ofEntry seq: UInt64) throws {
    try changeFrames(ofEntry: seq) { $0 = [UInt8](repeating: 0, count: $0.count) }
  }

  /// Takes the block that holds an entry out of the file.
  package func dropBlock(ofEntry seq: UInt64) throws {
    try tamper("DELETE FROM blocks WHERE first_seq = \(try firstSeq(ofBlockOf: seq))")
  }

  /// Exchanges all that two blocks hold, but for their first seqs.
  package func swapBlocks(ofEntries left: UInt64, _ right: UInt64) throws {
    let (one, two) = (try firstSeq(ofBlockOf: left), try firstSeq(ofBlockOf: right))
    try tamper(
      """
      UPDATE blocks SET first_seq = 1 << 60 WHERE first_seq = \(one);
      UPDATE blocks SET first_seq = \(one) WHERE first_seq = \(two);
      UPDATE blocks SET first_seq = \(two) WHERE first_seq = 1 << 60;
      """
    )
  }

  private func firstSeq(ofBlockOf seq: UInt64) throws -> Int64 {
    let database = try Database(path: path, access: .read)
    return try database.integer("SELECT max(first_seq) FROM blocks WHERE first_seq <= \(seq)") ?? 0
  }

  private func changeFrames(ofEntry seq: UInt64, _ change: (inout [UInt8]) -> Void) throws {
    let first = try firstSeq(ofBlockOf: seq)
    let database = try Database(path: path, access: .write(creating: false))
    let select = try database.prepare("SELECT frames FROM blocks WHERE first_seq = \(first)")
    guard try select.step() else { throw NoSuchBlock() }
    var frames = select.bytes(0)
    select.reset()
    change(&frames)
    try tamper("UPDATE blocks SET frames = x'\(Hex.encode(frames))' WHERE first_seq = \(first)")
  }

  package struct NoSuchBlock: Error {}
}
