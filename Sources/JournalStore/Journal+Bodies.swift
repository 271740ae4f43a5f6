package import TidemarkEntries
internal import TidemarkSQLite

extension Journal {
  /// Keeps `content` with the next commit, once, and returns what an entry says of it.
  ///
  /// - Throws: ``JournalError`` with code `invalid` if it is over 256 MiB.
  package func body(
    _ content: [UInt8],
    isWhole: Bool = true,
    chance: inout some RandomNumberGenerator
  ) throws(JournalError) -> BodyReference {
    try body(content, nil, isWhole, &chance)
  }

  /// As ``body(_:isWhole:chance:)-([UInt8],_,_)``, for content that was packed before.
  package func body(
    _ packed: PackedContent,
    isWhole: Bool = true,
    chance: inout some RandomNumberGenerator
  ) throws(JournalError) -> BodyReference {
    try body(packed.bytes, packed, isWhole, &chance)
  }

  private func body(
    _ content: [UInt8],
    _ packed: PackedContent?,
    _ isWhole: Bool,
    _ chance: inout some RandomNumberGenerator
  ) throws(JournalError) -> BodyReference {
    try checkWritable()
    guard content.count <= Limits.bodyBytesMax else {
      throw JournalError(.invalid, "a body has at most \(Limits.bodyBytesMax) bytes")
    }
    let fingerprint = opened.index.fingerprint(ofContent: content)
    let (id, salt) =
      if let known = try find(content, fingerprint) {
        known
      } else {
        try keep(content, packed, fingerprint, BodyTable.salt(&chance))
      }
    return BodyReference(
      id: id,
      commitment: BodyTable.commitment(salt: salt, content),
      byteCount: UInt64(content.count),
      isWhole: isWhole
    )
  }

  /// The body that holds `content` already, if one does.
  private func find(
    _ content: [UInt8],
    _ fingerprint: UInt64
  ) throws(JournalError) -> (id: UInt64, salt: [UInt8])? {
    var salt: [UInt8] = []
    let known = try settling { () throws(JournalError) in
      try indexed { () throws(IndexFailure) in
        try opened.index.body(of: fingerprint) { id throws(JournalError) in
          guard let kept = try keptBody(id), kept.content == content else { return false }
          salt = kept.salt
          return true
        }
      }
    }
    return known.map { ($0, salt) }
  }

  /// Stages `content` under an id of its own.
  private func keep(
    _ content: [UInt8],
    _ packed: PackedContent?,
    _ fingerprint: UInt64,
    _ salt: [UInt8]
  ) throws(JournalError) -> (id: UInt64, salt: [UInt8]) {
    let id = nextBodyID
    guard id <= Limits.numberMax else {
      throw JournalError(.damaged, "the ids of bodies are used up", finding: .containerDamaged)
    }
    staging.add(
      Staging.Body(
        id: id,
        content: content,
        salt: salt,
        fingerprint: fingerprint,
        packed: packed
      )
    )
    opened.index.noteBody(fingerprint, id: id)
    return (id, salt)
  }

  /// The content of `reference`, staged or committed; nothing if it was not kept, or is gone.
  ///
  /// - Throws: ``JournalError`` with code `storage`.
  package func content(of reference: BodyReference) throws(JournalError) -> [UInt8]? {
    reference.id > 0 ? try keptBody(reference.id)?.content : nil
  }

  /// One more than any body has.
  var nextBodyID: UInt64 { max(opened.bodies.nextID, staging.lastBodyID + 1) }

  func keptBody(_ id: UInt64) throws(JournalError) -> (salt: [UInt8], content: [UInt8])? {
    if let body = staging.body(id) { return (body.salt, body.content) }
    let lookup = try sqlite("cannot read body \(id)") { () throws(SQLiteError) in
      try opened.bodies.row(id)
    }
    guard case .found(let row) = lookup else { return nil }
    return (row.salt, row.content)
  }
}
