package import TidemarkEntries

/// A part of a journal: a range, what is wanted of it, how many, and from which end.
package struct EntrySelection: Sendable {
  package var first = Seq(1)

  /// The last entry; that of the journal if none is given.
  package var last: Seq?
  package var filter = EntryFilter()

  /// The most entries that are handed on.
  package var limit = UInt64.max
  package var isReversed = false

  package init() {}

  /// Whether nothing but the range narrows it.
  package var isWholeRange: Bool { filter.isEmpty && limit == .max }
}

/// How far a selection was gone through.
package struct Examination: Sendable {
  /// How many entries were handed on.
  package var count: UInt64 = 0

  /// The entry up to which everything was looked at.
  package var through: Seq

  /// What could not be read.
  package var findings: [Finding] = []

  /// Whether the limit was reached, or somebody asked to stop.
  package var isEnded = false
}

extension JournalReader {
  /// Hands on the entries of `selection`, block by block.
  ///
  /// - Parameters:
  ///   - selection: which entries.
  ///   - context: what tells their scopes.
  ///   - body: gets each entry that is wanted.
  ///   - batch: is told behind each block up to where all was looked at, and whether to go on is
  ///     what it returns.
  ///   - mapping: makes what the journal throws an error of the caller's.
  /// - Returns: how far it went, and what could not be read.
  /// - Throws: what `body` and `batch` throw, and ``JournalError`` with code `storage`.
  /// - Complexity: O(*n*) in the entries of the range; memory holds one block.
  package func forEach<Failure: Error>(
    of selection: EntrySelection,
    _ context: EntryContext,
    _ body: (Entry) throws(Failure) -> Void,
    batch: (Seq) throws(Failure) -> Bool,
    mapping: (JournalError) -> Failure
  ) throws(Failure) -> Examination {
    let first = selection.first
    let through = min(selection.last ?? last, last)
    let start = selection.isReversed ? through.next : Seq(max(first.value, 1) - 1)
    var done = Examination(through: start)
    func take(_ part: Part) throws(Failure) -> Bool {
      switch part {
      case .damage(let finding, _):
        // It does not count as looked at: a torn tail gives way to other entries.
        done.findings.append(finding)
      case .entries(let entries):
        let range = entries.filter { $0.seq >= first && $0.seq <= through }
        for entry in selection.isReversed ? range.reversed() : range {
          guard done.count < selection.limit else { break }
          done.through = entry.seq
          guard selection.filter.wants(entry, context) else { continue }
          try body(entry)
          done.count += 1
        }
      }
      done.isEnded = try !batch(done.through) || done.count >= selection.limit
      return !done.isEnded
    }
    guard selection.limit > 0 else {
      done.isEnded = true
      return done
    }
    if selection.isReversed {
      try forEachPartReversed(from: first, through: through, take, mapping: mapping)
    } else {
      try forEachPart(
        from: first,
        through: through,
        { (_, part) throws(Failure) in try take(part) },
        mapping: mapping
      )
    }
    return done
  }
}
