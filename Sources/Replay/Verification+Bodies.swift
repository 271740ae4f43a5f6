internal import TidemarkEntries
internal import TidemarkJournalStore

extension Verification {
  /// Compares a content with what an entry that names it says of it.
  mutating func examine(_ reference: BodyReference, of entry: Entry) throws(JournalError) {
    guard reference.id > 0 else { return }
    let finding = try check(reference.id).finding(
      for: reference,
      of: entry.seq,
      path: entry.firstPath
    )
    report.note([finding].compactMap(\.self))
  }

  private mutating func check(_ id: UInt64) throws(JournalError) -> JournalReader.BodyCheck {
    if let known = contents[id] { return known }
    let check = try reader.checkBody(id)
    contents[id] = check
    if case .gone = check {
      report.goneBodies += 1
      return check
    }
    report.bodies += 1
    return check
  }

  /// Unpacks the contents that no entry names: calls that were refused leave some.
  mutating func examineRest() throws(JournalError) {
    let named = contents
    var rest: [UInt64] = []
    try reader.forEachBodyID { id throws(JournalError) in
      if named[id] == nil { rest.append(id) }
    }
    report.unnamedBodies = UInt64(rest.count)
    for id in rest {
      try reader.checkStop()
      report.bodies += 1
      guard case .faulty(let code, let message) = try reader.checkBody(id) else { continue }
      report.note([Finding(code, "body \(id), which no entry names, cannot be had: \(message)")])
    }
  }
}

extension Entry {
  fileprivate var firstPath: Path? {
    guard let links = try? paths else { return nil }
    return links.first?.path
  }
}
