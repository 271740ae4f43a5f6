internal import TidemarkEntries

extension ShelfDecision {
  /// A page is taken while the ticket of its list is current, and if an entry can name its rows.
  ///
  /// Rows that came before are left out: the list has moved meanwhile. A later page that brings
  /// nothing else ends the read, or the walk would never end.
  func page(of begin: Seq, _ page: Shelf.Page) throws(Shelf.Unknown) -> Draft {
    let (opening, path) = try read(begin)
    if let (reason, witness) = staleness(of: begin, path, in: opening, nil) {
      return refusal(begin, path, in: opening, reason, witness, nil)
    }
    let before = state.reads[begin]?.pages ?? []
    guard page.rowKeys.count <= Shelf.pageRowsMax, before.count < Shelf.pagesMax else {
      return refusal(begin, path, in: opening, .malformed, nil, nil)
    }
    var seen = Set(before.flatMap { RowName.names(in: $0.rowKeys) })
    let news = page.rowKeys.filter { seen.insert($0).inserted }
    if !before.isEmpty, news.isEmpty, page.count > 0 {
      return refusal(begin, path, in: opening, .failed, nil, nil)
    }
    var rowKeys: [UInt8] = []
    for name in news { name.append(to: &rowKeys) }
    return draft(
      PageReceived(
        begin: begin,
        index: UInt64(before.count),
        body: page.body,
        status: page.status,
        count: page.count,
        rowKeys: rowKeys
      ),
      in: .opened(opening),
      cause: .entry(begin),
      paths: [(path, .mention)]
    )
  }

  /// The whole list lands as one copy, under the ticket that its pages came under.
  func assemble(
    of begin: Seq,
    _ whole: Shelf.Reply,
    pageSize: UInt64?
  ) throws(Shelf.Unknown) -> Draft {
    let (opening, path) = try read(begin)
    if let (reason, witness) = staleness(of: begin, path, in: opening, whole) {
      return refusal(begin, path, in: opening, reason, witness, whole)
    }
    let pages = state.reads[begin]?.pages ?? []
    guard !pages.isEmpty else {
      return refusal(begin, path, in: opening, .incomplete, nil, nil)
    }
    if let pageSize, !pages.dropLast().allSatisfy({ $0.count == pageSize }) {
      return refusal(begin, path, in: opening, .incomplete, nil, nil)
    }
    return draft(
      ListAssembled(
        begin: begin,
        body: whole.body,
        status: whole.status,
        revision: whole.revision,
        pages: pages.map(\.seq),
        pageSize: pageSize
      ),
      in: .opened(opening),
      cause: .entry(begin),
      paths: [(path, .write)]
    )
  }

  /// What the server answered to an entry of the outbox is written like the answer to any change:
  /// not over what was written since it was sent first.
  func copy(
    in opening: Seq,
    _ delivery: Shelf.Delivery,
    _ answer: Shelf.Answer
  ) throws(Shelf.Unknown) -> [Draft] {
    let store = try live(opening)
    let (written, objections) = divided(answer, since: delivery.sent, in: store)
    let writes = written.copies.map(\.path)
    let mention = writes.contains(delivery.path) ? [] : [delivery.path]
    let copied = OutboxCopied(
      enqueued: delivery.enqueued,
      sent: delivery.sent,
      status: answer.status,
      copies: written.copies.enumerated().map { index, copy in
        MutationAnswered.Copy(path: UInt64(index), body: copy.body, revision: copy.revision)
      },
      touches: delivery.touches
    )
    var drafts = [
      draft(
        copied,
        in: .opened(opening),
        cause: .entry(delivery.enqueued),
        paths: writes.map { ($0, .write) } + mention.map { ($0, .mention) }
      )
    ]
    suppress(delivery.sent, objections, in: opening, answer, &drafts)
    drafts.append(bump(behind: drafts.count, in: store))
    return drafts
  }
}
