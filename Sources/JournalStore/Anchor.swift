package import TidemarkEntries
internal import TidemarkHashing

/// A head that was acknowledged, kept in a small file beside the journal.
///
/// SQLite cannot tell a damaged write-ahead log from a clean crash: it drops what does not add up.
/// The anchor tells. It is text, in two slots that are written in turn, so that one is whole
/// whatever happens. See `Journal/FORMAT.md`, Anchor.
package struct Anchor: Sendable, Equatable {
  /// The identity of the journal.
  package var journal: [UInt8]
  package var term: UInt64

  /// The number of entries that were acknowledged.
  package var size: UInt64

  /// The root of the tree over them.
  package var root: Digest

  /// Goes up with each writing; the slot with the higher one counts.
  package var turn: UInt64

  /// How the anchor and the journal stand to each other.
  package enum Standing: String, Sendable {
    /// Both end at the same entry.
    case equal

    /// The journal goes on behind the anchor: a crash came between, nothing is lost.
    case behind

    /// The anchor names entries that the journal does not have: its tail is lost.
    case ahead

    /// There is no anchor: the journal was copied without it, or never written.
    case missing

    /// The anchor is another journal's.
    case foreign

    /// The anchor names another root for entries that the journal has.
    case diverged
  }

  /// How `anchor` stands to a journal.
  ///
  /// - Parameters:
  ///   - anchor: what stands beside the journal, if something does.
  ///   - journal: the id of the journal.
  ///   - size: how many of its entries can be read from the first on.
  ///   - isWhole: whether nothing behind them is damaged.
  ///   - root: gives the root over the first entries, so many as it is asked for.
  /// - Returns: the standing.
  /// - Throws: what `root` throws.
  static func standing(
    of anchor: Anchor?,
    to journal: [UInt8],
    size: UInt64,
    isWhole: Bool,
    root: (UInt64) throws(JournalError) -> Digest?
  ) throws(JournalError) -> Standing {
    guard let anchor else { return .missing }
    guard anchor.journal == journal else { return .foreign }
    if anchor.size > size { return .ahead }
    guard isWhole else { return .behind }
    guard try root(anchor.size) == anchor.root else { return .diverged }
    return anchor.size == size ? .equal : .behind
  }

  static let slotBytes = 512
  static let slotCount = 2

  /// Where the anchor of a journal is.
  package static func path(for journal: String) -> String { journal + "-anchor" }

  /// The newest whole slot of `bytes`, or nothing.
  init?(_ bytes: [UInt8]) {
    let slots = stride(from: 0, to: bytes.count, by: Anchor.slotBytes).compactMap {
      Anchor(slot: bytes[$0..<min($0 + Anchor.slotBytes, bytes.count)])
    }
    guard let newest = slots.max(by: { $0.turn < $1.turn }) else { return nil }
    self = newest
  }

  package init(journal: [UInt8], term: UInt64, size: UInt64, root: Digest, turn: UInt64) {
    self.journal = journal
    self.term = term
    self.size = size
    self.root = root
    self.turn = turn
  }

  private init?(slot: ArraySlice<UInt8>) {
    let lines = slot.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard lines.count >= 7, lines[0] == "tidemark anchor 1" else { return nil }
    func value(_ line: Int, _ name: String) -> String? {
      let parts = lines[line].split(separator: " ")
      return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
    }
    guard let journal = value(1, "journal").flatMap({ Hex.decode($0) }),
      let term = value(2, "term").flatMap({ UInt64($0) }),
      let size = value(3, "size").flatMap({ UInt64($0) }),
      let root = value(4, "root").flatMap({ Hex.decode($0) }).flatMap({ Digest($0) }),
      let turn = value(5, "turn").flatMap({ UInt64($0) }),
      max(term, size, turn) < Limits.numberMax
    else { return nil }
    self.init(journal: journal, term: term, size: size, root: root, turn: turn)
    guard value(6, "sum").map({ Array($0.utf8) }) == Anchor.checksum(self.lines) else { return nil }
  }

  /// The lines that the sum is of.
  private var lines: [UInt8] {
    // One is made for every durable commit: made of strings it would take longer than the commit.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Anchor.slotBytes)
    bytes += "tidemark anchor 1\njournal ".utf8
    bytes += Hex.digits(journal)
    bytes += "\nterm ".utf8
    bytes.appendDecimal(term)
    bytes += "\nsize ".utf8
    bytes.appendDecimal(size)
    bytes += "\nroot ".utf8
    bytes += Hex.digits(root.bytes)
    bytes += "\nturn ".utf8
    bytes.appendDecimal(turn)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The first eight bytes of SHA-256 over `lines`, as 16 digits.
  private static func checksum(_ lines: [UInt8]) -> [UInt8] {
    var hash = SHA256Hash()
    hash.update(lines)
    return Array(Hex.digits(Digest(words: hash.finish()).bytes)[..<16])
  }

  /// The bytes of a slot: the lines, and blanks up to its end.
  var slot: [UInt8] {
    var bytes = lines
    bytes += Array("sum ".utf8) + Anchor.checksum(bytes) + [UInt8(ascii: "\n")]
    precondition(bytes.count < Anchor.slotBytes, "an anchor fits into its slot")
    bytes += repeatElement(UInt8(ascii: " "), count: Anchor.slotBytes - bytes.count - 1)
    return bytes + [UInt8(ascii: "\n")]
  }

  /// The anchor beside the journal at `path`, or nothing if there is none that is whole.
  package static func read(beside path: String) throws(JournalError) -> Anchor? {
    try LockedFile.read(Anchor.path(for: path), atMost: slotBytes * slotCount).flatMap {
      Anchor($0)
    }
  }
}

extension Anchor.Standing {
  /// What is wrong if a journal of `size` entries and `anchor` stand like this; nothing if all is
  /// well.
  package func finding(_ anchor: Anchor?, size: Seq) -> Finding? {
    let acknowledged = anchor?.size ?? 0
    switch self {
    case .equal, .behind, .missing: return nil
    case .ahead:
      return Finding(
        .tailLost,
        "the anchor names \(acknowledged) entries, the journal has \(size)",
        at: size,
        expected: "\(acknowledged)",
        actual: "\(size)"
      )
    case .foreign: return Finding(.otherAnchor, "the anchor belongs to another journal")
    case .diverged:
      return Finding(
        .rootDiffers,
        "the anchor names another root for the first \(acknowledged) entries",
        at: Seq(acknowledged),
        expected: anchor?.root.description
      )
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendDecimal(_ value: UInt64) {
    let start = count
    var rest = value
    repeat {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }
}

/// The anchor of an open journal; holding it keeps every other writer out.
final class AnchorFile {
  private let file: LockedFile
  private(set) var last: Anchor?
  private var unsynced = 0

  /// How many acknowledgements may be written before the anchor itself is synced.
  ///
  /// Each is with the system at once, so that it outlives the process. A cut of power may take the
  /// newest of them: then the anchor is behind, which is no alarm and loses nothing.
  static let acknowledgementsPerSync = 64

  /// - Throws: ``JournalError`` with code `busy` if another writer has it.
  init(beside path: String) throws(JournalError) {
    file = try LockedFile.lock(Anchor.path(for: path))
    last = Anchor(try file.read(atMost: Anchor.slotBytes * Anchor.slotCount))
  }

  /// Writes the head that was just acknowledged, into the slot that is not the newest.
  func acknowledge(_ size: UInt64, _ root: Digest, of identity: Identity) throws(JournalError) {
    let turn = (last?.turn ?? 0) + 1
    let anchor = Anchor(
      journal: identity.journal,
      term: identity.term,
      size: size,
      root: root,
      turn: turn
    )
    try file.write(anchor.slot, at: Int(turn % UInt64(Anchor.slotCount)) * Anchor.slotBytes)
    last = anchor
    unsynced += 1
    if unsynced >= AnchorFile.acknowledgementsPerSync { try sync() }
  }

  /// Refuses to go on if the anchor was taken away or replaced, and with it what keeps others out.
  func checkIsInPlace() throws(JournalError) { try file.checkIsInPlace() }

  /// Lets the next writer in.
  func unlock() { file.unlock() }

  func sync() throws(JournalError) {
    guard unsynced > 0 else { return }
    try file.sync()
    unsynced = 0
  }
}
