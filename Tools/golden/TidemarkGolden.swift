import Foundation
import TidemarkEntries
import TidemarkJournalStore
import TidemarkProjections
import TidemarkSQLite

/// `TidemarkGolden NAME FOLDER` makes one golden journal in a new folder.
///
/// It never overwrites one.
@main
enum TidemarkGolden {
  static let makers: [String: @Sendable (String) throws -> Void] = [
    "v1-empty": makeEmpty,
    "v1-every-kind": makeEveryKind,
    "v1-stores": makeStores,
    "v1-torn-tail": makeTornTail,
    "v1-bit-flip": makeBitFlip,
  ]

  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 2, let name = words.first, let target = words.last,
      let make = makers[name]
    else {
      print("usage: TidemarkGolden \(makers.keys.sorted().joined(separator: "|")) FOLDER")
      exit(64)
    }
    let folder = "\(target)/\(name)"
    guard !FileManager.default.fileExists(atPath: folder) else {
      print("\(folder) is there; a golden journal is never written over")
      exit(1)
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try make("\(folder)/journal.sqlite")
    for suffix in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(folder)/journal.sqlite\(suffix)")
    }
    print("made \(folder)")
  }

  private static func makeEmpty(at path: String) throws {
    var chance = Chance(state: 1)
    try Journal(path, create: true, chance: &chance).close()
  }

  private static func makeEveryKind(at path: String) throws {
    var story = try Story(path, seed: 2)
    try story.tellEveryKind()
    try story.journal.close()
  }

  private static func makeStores(at path: String) throws {
    var story = try StoresStory(path, seed: 6)
    try story.tell()
    try story.journal.close()
  }

  /// The last block is cut, and the anchor knows of the ones before it alone.
  private static func makeTornTail(at path: String) throws {
    var story = try Story(path, seed: 3)
    try story.tellTwoReads()
    try story.journal.close()
    let anchor = try Data(contentsOf: URL(fileURLWithPath: path + "-anchor"))
    var chance = Chance(state: 4)
    let journal = try Journal(path, chance: &chance)
    try journal.append([Story.lastWord], durability: .lazy)
    try journal.close()
    try damage(
      path,
      "UPDATE blocks SET frames = substr(frames, 1, length(frames) / 2) WHERE first_seq = 6"
    )
    try anchor.write(to: URL(fileURLWithPath: path + "-anchor"))
  }

  /// One bit of a block in the middle is another one.
  private static func makeBitFlip(at path: String) throws {
    var story = try Story(path, seed: 5)
    try story.tellTwoReads()
    try story.journal.append([Story.lastWord])
    try story.journal.close()
    try damage(
      path,
      """
      UPDATE blocks SET frames = CAST(substr(frames, 1, 9) || X'ff' || substr(frames, 11) AS BLOB)
      WHERE first_seq = 3
      """
    )
  }

  private static func damage(_ path: String, _ statement: String) throws {
    let database = try Database(path: path, access: .write(creating: false))
    try database.execute("INSERT INTO maintenance VALUES ('seal')")
    try database.execute(statement)
    try database.execute("DELETE FROM maintenance")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

/// Chance that is the same each time: SplitMix64.
struct Chance: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
