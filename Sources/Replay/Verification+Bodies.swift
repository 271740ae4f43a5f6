internal import TidemarkEntries
internal import TidemarkJournalStore

extension Verification {
  /// Compares a content with what an entry that names it says of it.
  mutating func examine(_ reference: BodyReference, of entry: Entry) throws(JournalError) {
    guard reference.id > 0 else { return }
    let fault: (code: FindingCode, message: String, expected: String?, actual: String?)
    switch try check(reference.id) {
    case .kept(reference.commitment, reference.byteCount): return
    case .kept(reference.commitment, let byteCount):
      fault = (.bodyDiffers, "has another length", "\(reference.byteCount)", "\(byteCount)")
    case .kept(let commitment, _):
      fault = (
        .bodyDiffers, "is not what its entry commits to", reference.commitment.description,
        commitment.description
      )
    case .absent: fault = (.bodyDiffers, "is gone, and no entry accounts for it", nil, nil)
    case .faulty(let code, let message): fault = (code, "cannot be had: \(message)", nil, nil)
    }
    report.note([
      Finding(
        fault.code,
        "body \(reference.id) \(fault.message)",
        at: entry.seq,
        path: entry.firstPath,
        expected: fault.expected,
        actual: fault.actual
      )
    ])
  }

  private mutating func check(_ id: UInt64) throws(JournalError) -> JournalReader.BodyCheck {
    if let known = contents[id] { return known }
    let check = try reader.checkBody(id)
    contents[id] = check
    if case .absent = check { return check }
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
