internal import TidemarkEntries

extension ShelfDecision {
  func begin(_ path: Path, in opening: Seq, _ label: String?) throws(Shelf.Unknown) -> Draft {
    let store = try live(opening)
    return draft(
      ReadBegan(generation: store.generation, label: label),
      in: .opened(opening),
      paths: [(path, .begin)]
    )
  }

  /// A reply lands only while its ticket is current; else it is refused, with what makes it stale.
  func reply(to begin: Seq, _ reply: Shelf.Reply) throws(Shelf.Unknown) -> Draft {
    let (opening, path) = try read(begin)
    if let (reason, witness) = staleness(of: begin, path, in: opening, reply) {
      return refusal(begin, path, in: opening, reason, witness, reply)
    }
    return draft(
      ReadLanded(
        begin: begin,
        body: reply.body,
        status: reply.status,
        revision: reply.revision
      ),
      in: .opened(opening),
      cause: .entry(begin),
      paths: [(path, .write)]
    )
  }

  /// A read that ends without a copy.
  ///
  /// What makes its ticket stale counts before what went wrong.
  func endRead(
    _ begin: Seq,
    _ reason: ReadRefused.Reason,
    _ reply: Shelf.Reply?,
    _ status: UInt64?
  ) throws(Shelf.Unknown) -> Draft {
    let (opening, path) = try read(begin)
    guard !reason.needsWitness else {
      throw Shelf.Unknown("'\(reason.rawValue)' is decided by the journal, not by the caller")
    }
    if let (stale, witness) = staleness(of: begin, path, in: opening, reply),
      stale.precedes(reason)
    {
      return refusal(begin, path, in: opening, stale, witness, reply, status: status)
    }
    return refusal(begin, path, in: opening, reason, nil, reply, status: status)
  }

  func refusal(
    _ begin: Seq,
    _ path: Path,
    in opening: Seq,
    _ reason: ReadRefused.Reason,
    _ witness: Seq?,
    _ reply: Shelf.Reply?,
    status: UInt64? = nil
  ) -> Draft {
    draft(
      ReadRefused(
        begin: begin,
        reason: reason,
        witness: witness,
        body: reply?.body,
        status: reply?.status ?? status,
        revision: reply?.revision
      ),
      in: .opened(opening),
      cause: .entry(begin),
      paths: [(path, .mention)]
    )
  }

  /// The incarnation and path of a read that is in flight.
  func read(_ begin: Seq) throws(Shelf.Unknown) -> (opening: Seq, path: Path) {
    guard let read = state.reads[begin] else {
      throw Shelf.Unknown("no read that began at \(begin) is in flight")
    }
    return (read.incarnation, state.path(of: read))
  }

  /// Why a ticket is not current any more, with the entry that shows it.
  ///
  /// Several may apply: the first of retired, generation, superseded, older is given.
  func staleness(
    of begin: Seq,
    _ path: Path,
    in opening: Seq,
    _ reply: Shelf.Reply?
  ) -> (ReadRefused.Reason, Seq)? {
    if StoreRule.fenceRetired.isOn, let end = state.incarnations[opening]?.end {
      return (.retired, end)
    }
    guard let store = state.present(opening) else { return nil }
    if StoreRule.fenceGeneration.isOn, let fence = store.fence(after: begin, covering: path) {
      return (.generation, fence)
    }
    guard let record = store.record(of: path) else { return nil }
    if StoreRule.fenceSuperseded.isOn, record.latestBegin > begin {
      return (.superseded, record.latestBegin)
    }
    if StoreRule.fenceRevision.isOn, let revision = reply?.revision, let floor = record.floor,
      revision < floor.revision
    {
      return (.older, floor.seq)
    }
    return nil
  }
}
