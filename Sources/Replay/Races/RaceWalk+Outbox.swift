internal import TidemarkEntries
internal import TidemarkJournalStore

/// Changes that went through the outbox: like others, sent by their first attempt.
extension RaceWalk {
  mutating func enqueue(_ entry: Entry) throws(EntryError) {
    guard let enqueued = try entry.decode(OutboxEnqueued.self),
      let path = try entry.paths.first?.path
    else { return }
    work[entry.seq] = Work(
      path: path,
      kind: MutationSent(
        method: enqueued.method,
        touches: enqueued.touches,
        body: enqueued.body,
        label: enqueued.label
      )
    )
  }

  mutating func attempt(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let sent = try entry.decode(OutboxSent.self), let item = work[sent.enqueued],
      item.sent == nil
    else { return }
    work[sent.enqueued]?.sent = entry.seq
    origins[entry.seq] = store
    stores[store, default: StoreChanges()].send(
      Sent(seq: entry.seq, store: store, time: entry.time, path: item.path, kind: item.kind)
    )
  }

  mutating func copy(_ entry: Entry, _ store: Seq) throws(EntryError) {
    guard let copied = try entry.decode(OutboxCopied.self) else { return }
    let answered = MutationAnswered(
      mutation: copied.sent,
      status: copied.status,
      copies: copied.copies ?? []
    )
    try answer(entry, store, answered)
  }

  /// What has left the outbox is not in flight any more.
  mutating func forget(_ item: Seq) {
    guard let sent = work.removeValue(forKey: item)?.sent else { return }
    _ = end(sent)
  }
}
