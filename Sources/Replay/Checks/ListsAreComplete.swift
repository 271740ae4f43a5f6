internal import TidemarkEntries
package import TidemarkJournalStore

/// A list becomes a copy of all its pages, which came under its own ticket, in order and each row
/// once; every page but the last is full.
///
/// A page belongs to a read that is in flight, of its store and path.
package struct ListsAreComplete: Check {
  package static let rule = "F7"
  package static let sentence = "A list is of all its pages, under one ticket, each row once."
  package static let code = FindingCode.listIncomplete

  package init() {}

  package mutating func visit(
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    switch judged.content {
    case .page(let page): judge(page, judged, facts, &verdict)
    case .landed(let landing):
      guard let list = landing.list, facts.isKnown(since: list.begin) else { return }
      verdict.count()
      guard let fault = fault(of: list, facts.pages[list.begin] ?? []) else { return }
      verdict.find(
        "the list of the read that began at \(list.begin) became a copy \(fault.words)",
        at: judged.seq,
        witness: fault.witness ?? list.begin,
        scope: facts.scope(of: judged),
        path: judged.links.first.map { facts.path($0.path) }
      )
    default: return
    }
  }

  private func judge(
    _ page: PageReceived,
    _ judged: JudgedEntry,
    _ facts: JournalFacts,
    _ verdict: inout Verdict
  ) {
    guard facts.isKnown(since: page.begin), !facts.isBlind(page.begin) else { return }
    verdict.count()
    let ticket = facts.tickets[page.begin]
    let isOwn =
      ticket?.isRead == true && ticket?.store == judged.store
      && ticket?.path == judged.links.first?.path
    let place = facts.pages[page.begin]?.count ?? 0
    guard !isOwn || page.index != UInt64(place) else { return }
    verdict.find(
      isOwn
        ? "page \(page.index) came where page \(place) was to come"
        : "the page belongs to no read of its path that is in flight",
      at: judged.seq,
      witness: page.begin,
      scope: facts.scope(of: judged),
      path: judged.links.first.map { facts.path($0.path) }
    )
  }

  private func fault(
    of list: ListAssembled,
    _ pages: [JournalFacts.Page]
  ) -> (words: String, witness: Seq?)? {
    if list.pages.isEmpty { return ("without a page", nil) }
    if list.pages != pages.map(\.seq) {
      let known = Set(pages.map(\.seq))
      let strange = list.pages.first { !known.contains($0) }
      return ("of other pages than came under its ticket", strange ?? pages.last?.seq)
    }
    if let size = list.pageSize, let page = pages.dropLast().first(where: { $0.count != size }) {
      return ("although a page before the last has \(page.count) rows of \(size)", page.seq)
    }
    var seen: Set<RowName> = []
    for page in pages {
      let names = RowName.names(in: page.rowKeys)
      if names.contains(where: { !seen.insert($0).inserted }) {
        return ("with a row that two pages brought", page.seq)
      }
    }
    return nil
  }
}
