internal import TidemarkEntries

extension JournalFacts {
  /// Finds what an entry ends, and which answer it is part of, before it is taken in.
  func resolve(
    _ content: JudgedEntry.Content,
    of entry: Entry,
    in store: Int?,
    _ link: JudgedEntry.Link?,
    _ ticket: inout OpenTicket?,
    _ first: inout Seq?
  ) {
    switch content {
    case .landed(let landed): ticket = open(landed.begin, isRead: true)
    case .refused(let refused): ticket = open(refused.begin, isRead: true)
    case .answered(let answered): ticket = open(answered.mutation, isRead: false)
    case .failed(let failed): ticket = open(failed.mutation, isRead: false)
    case .copied(let copied): ticket = delivery(copied, in: store, link)
    case .suppressed(let suppressed):
      if let answer, answer.isFollowed(by: entry.seq, of: suppressed.mutation, in: store) {
        (ticket, first) = (answer.ticket, answer.first)
      } else {
        ticket = open(suppressed.mutation, isRead: false)
      }
    case .bumped(let bumped) where bumped.reason == .answer:
      if let answer, answer.last.next == entry.seq, answer.first == entry.cause,
        answer.store == store
      {
        (ticket, first) = (answer.ticket, answer.first)
      }
    default: break
    }
  }

  private func open(_ seq: Seq, isRead: Bool) -> OpenTicket? {
    tickets[seq].flatMap { $0.isRead == isRead ? $0 : nil }
  }

  /// What was delivered stands for a change that was sent by its first attempt.
  private func delivery(
    _ copied: OutboxCopied,
    in store: Int?,
    _ link: JudgedEntry.Link?
  ) -> OpenTicket? {
    guard let store, let link else { return nil }
    return OpenTicket(
      seq: copied.sent,
      store: store,
      path: link.path,
      isRead: false,
      touches: copied.touches
    )
  }

  /// Takes in an entry that the checks have seen.
  mutating func settle(_ judged: JudgedEntry) {
    let answerBefore = answer
    answer = nil
    pins.settle(judged, of: judged.store.map { stores[$0].scope })
    guard let store = judged.store else { return }
    outbox.settle(judged, in: store, of: stores[store].scope, answerBefore)
    for link in judged.links { settle(link, at: judged.seq, in: store) }
    if let fence = judged.entry.previousFence, isBlind(fence) { stores[store].lastFence = fence }
    switch judged.content {
    case .opened:
      open(store)
      stores[store].lastFence = judged.seq
    case .retired:
      stores[store].end = stores[store].end ?? judged.seq
      stores[store].lastFence = judged.seq
    case .began(let began): begin(judged, in: store, isRead: true, generation: began.generation)
    case .sent(let sent): begin(judged, in: store, isRead: false, touches: sent.touches)
    case .landed, .refused, .failed: end(judged, in: store)
    case .page(let page): settle(page, judged)
    case .answered(let answered):
      settleAnswer(judged, answered.mutation, bumps: true, in: store, nil)
    case .suppressed(let suppressed):
      let bumps = suppressed.reason != .retired
      settleAnswer(judged, suppressed.mutation, bumps: bumps, in: store, answerBefore)
    case .copied(let copied):
      settleAnswer(judged, copied.sent, bumps: true, in: store, nil)
      answer?.delivery = copied.enqueued
    case .bumped(let bumped): settle(bumped, judged, in: store)
    case .removed: for link in judged.links { setFloor(nil, of: link.path) }
    case .syncBegan: passes.insert(judged.seq)
    case .stored, .outbox, .pins, .other, .unknown: break
    }
    guard stores[store].end == nil else { return }
    for link in judged.links where link.role == .write {
      raiseFloor(link, judged.seq, in: store)
      setWrite(Write(seq: judged.seq, hasRevision: link.revision != nil), of: link.path)
    }
  }

  /// Pages are remembered as long as the read of their list is in flight.
  private mutating func settle(_ page: PageReceived, _ judged: JudgedEntry) {
    guard tickets[page.begin]?.store == judged.store, tickets[page.begin]?.isRead == true else {
      return
    }
    let taken = Page(seq: judged.seq, count: page.count, rowKeys: page.rowKeys)
    pages[page.begin, default: []].append(taken)
  }

  private mutating func settle(_ link: JudgedEntry.Link, at seq: Seq, in store: Int) {
    let unseen = link.previous.flatMap { isBlind($0) ? $0 : nil }
    update(link.path, in: store) { facts in
      if let unseen { facts.use = unseen }
      facts.naming = seq
      switch link.role {
      case .mention: break
      case .begin:
        facts.use = seq
        facts.begin = seq
      case .write: facts.use = seq
      }
    }
  }

  private mutating func raiseFloor(_ link: JudgedEntry.Link, _ seq: Seq, in store: Int) {
    if link.isRemoval { return setFloor(nil, of: link.path) }
    guard let revision = link.revision,
      revision >= floor(of: link.path, in: store)?.revision ?? 0
    else { return }
    setFloor(Floor(revision: revision, seq: seq), of: link.path)
  }

  private mutating func begin(
    _ judged: JudgedEntry,
    in store: Int,
    isRead: Bool,
    generation: UInt64 = 0,
    touches: [Touch]? = nil
  ) {
    guard let link = judged.links.first else { return }
    begun.insert(judged.seq)
    tickets[judged.seq] = OpenTicket(
      seq: judged.seq,
      store: store,
      path: link.path,
      isRead: isRead,
      generation: generation,
      touches: touches
    )
    if isRead { stores[store].openReads += 1 }
    update(link.path, in: store) { $0.inFlight += 1 }
  }

  /// An entry of another store ends nothing.
  private mutating func end(_ judged: JudgedEntry, in store: Int) {
    guard let ticket = judged.ticket, ticket.store == store, tickets[ticket.seq] != nil else {
      return
    }
    tickets[ticket.seq] = nil
    pages[ticket.seq] = nil
    update(ticket.path, in: store) { facts in
      facts.end = (ticket.seq, judged.seq)
      facts.inFlight -= 1
    }
    guard ticket.isRead else { return }
    stores[store].openReads -= 1
    if stores[store].openReads == 0 { stores[store].fences.forget() }
  }

  private mutating func settleAnswer(
    _ judged: JudgedEntry,
    _ mutation: Seq,
    bumps: Bool,
    in store: Int,
    _ before: Answer?
  ) {
    end(judged, in: store)
    stores[store].lastFence = judged.seq
    if judged.answer != nil, var goesOn = before {
      goesOn.last = judged.seq
      answer = goesOn
    } else {
      answer = Answer(
        first: judged.seq,
        last: judged.seq,
        mutation: mutation,
        store: store,
        ticket: judged.ticket,
        bumps: bumps
      )
    }
    fence(judged.seq, reach(of: judged.ticket), in: store)
  }

  private mutating func settle(_ bumped: GenerationBumped, _ judged: JudgedEntry, in store: Int) {
    stores[store].lastFence = judged.seq
    if bumped.reason == .cleared { clear(store, at: judged.seq) }
    let isBound = bumped.reason == .answer
    fence(judged.seq, isBound ? reach(of: judged.ticket) : .whole, in: store)
  }

  private func reach(of ticket: OpenTicket?) -> FenceLog.Reach {
    guard let ticket else { return .unknown }
    return ticket.touches.map { .declared($0) } ?? .whole
  }

  /// Only reads in flight can be overtaken, and those of a store that is over are late already.
  private mutating func fence(_ seq: Seq, _ reach: FenceLog.Reach, in store: Int) {
    guard stores[store].openReads > 0, stores[store].end == nil else { return }
    stores[store].fences.append(FenceLog.Fence(seq: seq, reach: reach))
  }
}

extension JournalFacts.Answer {
  /// Whether the entry at `seq` goes on with the answer.
  func isFollowed(by seq: Seq, of mutation: Seq, in store: Int?) -> Bool {
    last.next == seq && self.mutation == mutation && self.store == store
  }
}
