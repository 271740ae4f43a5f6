internal import TidemarkEntries
internal import TidemarkSQLite

/// Which journal this is, and which device writes it.
package struct Identity: Sendable, Equatable {
  /// 16 bytes, made when the journal was.
  package var journal: [UInt8]

  /// 8 bytes, made when the journal was.
  package var writer: [UInt8]

  /// 1, and one more for each renewal of the journal's identity.
  package var term: UInt64

  /// What seeds the fingerprints of the index.
  var seed: UInt64

  package static let journalBytes = 16
  package static let writerBytes = 8

  /// The first eight digits of the journal's id, as people see it.
  package var shortID: String { String(Hex.encode(journal).prefix(8)) }

  package init(journal: [UInt8], writer: [UInt8], term: UInt64, seed: UInt64) {
    self.journal = journal
    self.writer = writer
    self.term = term
    self.seed = seed
  }

  /// The identity of an exact copy: the index of each copy has a seed of its own.
  ///
  /// Nothing if the ids have not the lengths that ids have, or there is no such term.
  package init?(
    copying journal: [UInt8],
    writer: [UInt8],
    term: UInt64,
    chance: inout some RandomNumberGenerator
  ) {
    guard journal.count == Identity.journalBytes, writer.count == Identity.writerBytes, term > 0
    else { return nil }
    self.init(journal: journal, writer: writer, term: term, seed: chance.next())
  }

  init(chance: inout some RandomNumberGenerator) {
    func bytes(_ count: Int, _ chance: inout some RandomNumberGenerator) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
    }
    journal = bytes(Identity.journalBytes, &chance)
    writer = bytes(Identity.writerBytes, &chance)
    term = 1
    seed = chance.next()
  }

  init(reading database: Database) throws(JournalError) {
    var values: [String: [UInt8]] = [:]
    try sqlite("cannot read the identity") { () throws(SQLiteError) in
      let rows = try database.prepare("SELECT name, value FROM identity")
      while try rows.step() { values[rows.text(0)] = rows.bytes(1) }
    }
    guard let journal = values["journal"], journal.count == Identity.journalBytes,
      let writer = values["writer"], writer.count == Identity.writerBytes,
      let term = values["term"].flatMap(Identity.number), term > 0,
      let seed = values["seed"].flatMap(Identity.number)
    else {
      throw JournalError(.damaged, "the identity is not whole", finding: .containerDamaged)
    }
    self.init(journal: journal, writer: writer, term: term, seed: seed)
  }

  func write(to database: Database) throws(SQLiteError) {
    let insert = try database.prepare("INSERT INTO identity(name, value) VALUES (?, ?)")
    let values = [
      ("journal", journal), ("writer", writer), ("term", Identity.bytes(term)),
      ("seed", Identity.bytes(seed)),
    ]
    for (name, value) in values {
      insert.bind(1, name)
      insert.bind(2, value)
      try insert.run()
    }
  }

  /// The same journal in its next term, with another writer.
  func renewed(chance: inout some RandomNumberGenerator) -> Identity {
    var renewed = self
    renewed.writer = Identity(chance: &chance).writer
    renewed.term += 1
    return renewed
  }

  /// Writes what a renewal changes.
  func renew(in database: Database) throws(SQLiteError) {
    let update = try database.prepare("UPDATE identity SET value = ? WHERE name = ?")
    for (name, value) in [("writer", writer), ("term", Identity.bytes(term))] {
      update.bind(1, value)
      update.bind(2, name)
      try update.run()
    }
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func number(_ bytes: [UInt8]) -> UInt64? {
    bytes.count == 8 ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : nil
  }
}
