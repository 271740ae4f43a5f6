// What the stores do without a rule, for the stories that end badly then; see ``StoreRule``.
// Nothing of it is in a release build.
#if DEBUG
  internal import TidemarkEntries
  internal import TidemarkProjections

  extension Outbox {
    /// Retires an item on its answer, before any copy stands.
    func retireAtOnce(_ key: IdempotencyKey, _ status: UInt64) async throws(StoreError) {
      try await end(key) { (turn, seq) throws(StoreError) in
        let answer = OutboxRules.Answer(status: status, verdict: .accepted)
        let read = try turn.decide(.answer(seq, answer), key: turn.freshKey("answer"))[0]
        var drafts = try turn.drafts(for: .retire(seq, behind: 1), key: turn.freshKey("retirement"))
        drafts[0].cause = .entry(read)
        try turn.add(drafts)
      }
    }
  }

  extension Turn {
    /// Shows the pages that have come so far, before the list is complete.
    func showPart(of begin: Seq, _ idName: String) throws(StoreError) {
      guard let read = states.shelf.reads[begin] else { return }
      let part = try keep(list(of: begin, idName))
      let path = states.shelf.path(of: read)
      try decide(.keep(path, in: read.incarnation, part, mediaType: nil), key: freshKey("part"))
    }
  }
#endif
