internal import TidemarkEntries
internal import TidemarkHashing

extension Journal {
  /// What became of an earlier draft with this key, or nothing if there was none.
  ///
  /// Its entry may stand at `expected`: looking there first saves asking the index.
  func repetition(
    of draft: Draft,
    _ fingerprint: UInt64,
    expected: Seq? = nil,
    opening: Draft? = nil
  ) throws(JournalError) -> AppendOutcome? {
    guard StoreRule.replayIdempotent.isOn else { return nil }
    guard let prior = try prior(draft.key, fingerprint, expected) else { return nil }
    let fields = try differences(between: draft, and: prior, opening)
    if fields.isEmpty || !StoreRule.journalKeyHash.isOn { return .alreadyAppended(at: prior.seq) }
    return .conflict(AppendOutcome.Conflict(key: draft.key, prior: prior.seq, fields: fields))
  }

  private func prior(
    _ key: IdempotencyKey,
    _ fingerprint: UInt64,
    _ expected: Seq?
  ) throws(JournalError) -> Entry? {
    if let expected, let entry = try entry(at: expected), entry.holds(key.bytes, in: entry.keyRange)
    {
      return entry
    }
    return try entry(for: key, fingerprint)
  }

  /// The names of the fields in which `draft` differs from the entry that has its key.
  ///
  /// Time, cause and pointers are not compared: they belong to the place, not to the content. Nor
  /// is the incarnation, but the scope: a retry after a restart is the same entry.
  func differences(
    between draft: Draft,
    and prior: Entry,
    _ opening: Draft?
  ) throws(JournalError) -> [String] {
    var fields: [String] = []
    if draft.kind != prior.kind { fields.append("kind") }
    if try !isSameScope(draft.store, prior, opening) { fields.append("scope") }
    if !isSamePaths(draft, prior) { fields.append("paths") }
    if !prior.holds(draft.payload, in: prior.payloadRange) {
      fields += PayloadDifference.fields(
        draft.payload,
        Array(prior.storage[prior.payloadRange]),
        kind: draft.kind
      )
    }
    return fields
  }

  private func isSameScope(
    _ store: Draft.Store,
    _ prior: Entry,
    _ openingDraft: Draft?
  ) throws(JournalError) -> Bool {
    switch store {
    case .journal: return prior.store == nil
    case .opening: return prior.store == prior.seq
    case .openedInBatch:
      guard let other = prior.store, let scope = openingDraft?.openedScope else { return false }
      return try self.scope(of: other) == scope
    case .opened(let opening):
      guard let other = prior.store else { return false }
      if opening == other { return true }
      let scopes = (try scope(of: opening), try scope(of: other))
      return scopes.0 != nil && scopes.0 == scopes.1
    }
  }

  private func scope(of opening: Seq) throws(JournalError) -> Scope? {
    guard let entry = try entry(at: opening) else { return nil }
    return try? entry.decode(StoreOpened.self)?.scope
  }

  private func isSamePaths(_ draft: Draft, _ prior: Entry) -> Bool {
    var count = 0
    var isSame = true
    prior.forEachPathPlace { place in
      isSame =
        isSame && count < draft.paths.count && draft.paths[count].role == place.role
        && prior.holds(draft.paths[count].path.bytes, in: place.bytes)
      count += 1
    }
    return isSame && count == draft.paths.count
  }
}

/// Tells which fields of two payloads differ.
enum PayloadDifference {
  static func fields(_ left: [UInt8], _ right: [UInt8], kind: UInt16) -> [String] {
    guard let left = values(left), let right = values(right) else { return ["payload"] }
    let names = KindRegistry.type(of: kind)?.fields ?? []
    return Set(left.keys).union(right.keys).sorted()
      .filter { left[$0] != right[$0] }
      .prefix(32)
      .map { number in names.first { $0.number == number }?.name ?? "field-\(number)" }
  }

  private static func values(_ payload: [UInt8]) -> [UInt64: CBORValue]? {
    guard !payload.isEmpty else { return [:] }
    guard case .map(let pairs)? = try? CBORValue(payload) else { return nil }
    var values: [UInt64: CBORValue] = [:]
    for pair in pairs {
      guard case .unsigned(let number) = pair.key else { return nil }
      values[number] = pair.value
    }
    return values
  }
}

extension AppendOutcome.Conflict {
  /// The entry that records the conflict.
  ///
  /// The same attempt gives the same key: it is recorded once.
  func incident(of draft: Draft) -> Draft {
    var hash = SHA256Hash()
    hash.update([UInt8(truncatingIfNeeded: draft.kind >> 8), UInt8(truncatingIfNeeded: draft.kind)])
    for (path, role) in draft.paths {
      hash.update([role.rawValue])
      hash.update(path.bytes)
      hash.update([0])
    }
    hash.update(draft.payload)
    let offered = Digest(words: hash.finish())
    var name = SHA256Hash()
    name.update(key.bytes)
    name.update(offered.bytes)
    for field in fields { name.update(Array("\(field)\n".utf8)) }
    let suffix = Digest(words: name.finish()).description.prefix(32)
    return Draft(
      KeyConflicted(key: key, prior: prior, fields: fields, offered: offered),
      key: IdempotencyKey(unchecked: Array("conflict/\(suffix)".utf8)),
      store: .journal,
      time: draft.time,
      cause: .entry(prior)
    )
  }
}

extension Draft {
  /// At most so many bytes will the entry have.
  var byteCountBound: Int {
    // Nine bytes a head or number at most; a path has four of them.
    var count = 80 + key.bytes.count + payload.count
    for (path, _) in paths { count += 32 + path.bytes.count }
    return count
  }
}

extension Draft {
  /// The scope that the draft opens, if it opens one.
  fileprivate var openedScope: Scope? {
    guard kind == StoreOpened.number,
      var payload = try? PayloadReader(payload, in: 0..<payload.count)
    else { return nil }
    return try? StoreOpened(from: &payload).scope
  }

  /// The draft before this one that it says opens its store, in a batch where it stands at `index`.
  func opening(in drafts: Span<Draft>, at index: Int) -> Draft? {
    guard case .openedInBatch(let distance) = store, distance > 0, index >= distance else {
      return nil
    }
    return drafts[index - distance]
  }
}
