package import TidemarkEntries
internal import TidemarkSQLite

extension JournalReader {
  /// What became of the content that an entry names.
  package enum BodyState: Sendable {
    case kept([UInt8])

    /// The entry says that it was not kept.
    case absent

    /// It is not what the entry says, or it is gone.
    case differs(Finding)
  }

  /// The content of `reference`, which the entry at `seq` names, compared with its commitment.
  package func body(
    _ reference: BodyReference,
    of seq: Seq?
  ) throws(JournalError) -> BodyState {
    try saltedBody(reference, of: seq).state
  }

  /// The content of `reference` as by ``body(_:of:)``, and the salt if it is kept.
  package func saltedBody(
    _ reference: BodyReference,
    of seq: Seq?
  ) throws(JournalError) -> (state: BodyState, salt: [UInt8]) {
    guard reference.id > 0 else { return (.absent, []) }
    let content = try content(reference.id)
    if let finding = BodyCheck(content).finding(for: reference, of: seq) {
      return (.differs(finding), [])
    }
    guard case .found(let row) = content else {
      preconditionFailure("a content that agrees is there")
    }
    return (.kept(row.content), row.salt)
  }

  /// What is kept under the id of a content.
  package enum BodyCheck: Sendable {
    case kept(commitment: Digest, byteCount: UInt64)
    case gone
    case faulty(FindingCode, String)
  }

  /// Unpacks a content and makes its commitment anew.
  package func checkBody(_ id: UInt64) throws(JournalError) -> BodyCheck {
    BodyCheck(try content(id))
  }

  /// - Throws: ``JournalError``; content that cannot be had is a result, not an error.
  private func content(_ id: UInt64) throws(JournalError) -> BodyTable.Lookup {
    do throws(SQLiteError) { return try bodies.row(id) } catch {
      guard error.code == .damaged else { throw JournalError(error, doing: "cannot read a body") }
      return .faulty(.bodyDiffers, "SQLite cannot read it: \(error)")
    }
  }

  /// The ids of the contents that are kept, in ascending order.
  package func forEachBodyID(_ body: (UInt64) throws(JournalError) -> Void) throws(JournalError) {
    let rows = try sqlite("cannot list the bodies") { () throws(SQLiteError) in
      try database.prepare("SELECT id FROM bodies WHERE content IS NOT NULL ORDER BY id")
    }
    while true {
      do throws(SQLiteError) { guard try rows.step() else { return } } catch {
        guard error.code == .damaged else { throw JournalError(error, doing: "cannot list bodies") }
        return
      }
      try body(UInt64(clamping: rows.integer(0)))
    }
  }
}

extension JournalReader.BodyCheck {
  fileprivate init(_ content: BodyTable.Lookup) {
    switch content {
    case .absent: self = .gone
    case .faulty(let code, let message): self = .faulty(code, message)
    case .found(let row):
      self = .kept(
        commitment: BodyTable.commitment(salt: row.salt, row.content),
        byteCount: UInt64(row.content.count)
      )
    }
  }

  /// What is wrong with it, if the entry at `seq` names it by `reference`; nothing if they agree.
  package func finding(
    for reference: BodyReference,
    of seq: Seq?,
    path: Path? = nil
  ) -> Finding? {
    func finding(
      _ code: FindingCode,
      _ what: String,
      _ expected: String? = nil,
      _ actual: String? = nil
    ) -> Finding {
      Finding(
        code,
        "body \(reference.id) \(what)",
        at: seq,
        path: path,
        expected: expected,
        actual: actual
      )
    }
    switch self {
    case .kept(reference.commitment, reference.byteCount): return nil
    case .kept(reference.commitment, let byteCount):
      return finding(
        .bodyDiffers,
        "has another length",
        "\(reference.byteCount)",
        "\(byteCount)"
      )
    case .kept(let commitment, _):
      return finding(
        .bodyDiffers,
        "is not what its entry commits to",
        reference.commitment.description,
        commitment.description
      )
    case .gone: return finding(.bodyDiffers, "is gone, and no entry accounts for it")
    case .faulty(let code, let message): return finding(code, "cannot be had: \(message)")
    }
  }
}
