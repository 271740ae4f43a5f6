package import TidemarkEntries

/// What an entry says only together with others: the scope of its store, its ticket, its change.
///
/// Remembers what it was asked lately, so that going through a journal looks few things up. What
/// cannot be read is not known; that it cannot be read is told where it stands.
package final class EntryContext {
  package let reader: JournalReader

  private var scopes: [Seq: Scope] = [:]
  private var generations: [Seq: UInt64] = [:]
  private static let rememberedMax = 1 << 16

  package init(_ reader: JournalReader) {
    self.reader = reader
  }

  /// The scope of the store that was opened at `store`.
  package func scope(of store: Seq) -> Scope? {
    if let known = scopes[store] { return known }
    let opened = entry(at: store)?.decoded(StoreOpened.self)
    if scopes.count >= EntryContext.rememberedMax { scopes = [:] }
    scopes[store] = opened?.scope
    return opened?.scope
  }

  /// The scope that `entry` belongs to; none if it is one of the journal itself.
  package func scope(of entry: Entry) -> Scope? { entry.store.flatMap { scope(of: $0) } }

  /// The ticket of a read: of its begin, of its end, and of the pages that come between.
  package func ticket(of entry: Entry) -> Ticket? {
    if let page = entry.decoded(PageReceived.self) {
      let began = self.entry(at: page.begin).flatMap { $0.decoded(ReadBegan.self) }
      return began.flatMap { began in
        entry.store.map {
          Ticket(incarnation: $0, generation: began.generation, begin: page.begin)
        }
      }
    }
    guard let store = entry.store, let begin = entry.begin else { return nil }
    let generation: UInt64?
    if begin == entry.seq {
      generation = entry.decoded(ReadBegan.self)?.generation
      if generations.count >= EntryContext.rememberedMax { generations = [:] }
      generations[begin] = generation
    } else {
      generation =
        generations.removeValue(forKey: begin)
        ?? self.entry(at: begin)?.decoded(ReadBegan.self)?.generation
    }
    return generation.map { Ticket(incarnation: store, generation: $0, begin: begin) }
  }

  /// The sending of the change that `entry` sends or ends.
  package func sending(of entry: Entry) -> Entry? {
    if entry.kind == MutationSent.number { return entry }
    guard let sent = entry.mutation, let sending = self.entry(at: sent),
      sending.kind == MutationSent.number
    else { return nil }
    return sending
  }

  /// What a user did that `entry` is about, by the entry that enqueued it.
  ///
  /// An answer to it that could not be written names its first attempt as the change.
  package func item(of entry: Entry) -> Entry? {
    if entry.kind == OutboxEnqueued.number { return entry }
    if let suppressed = entry.decoded(MutationSuppressed.self) {
      guard let sent = self.entry(at: suppressed.mutation), sent.kind == OutboxSent.number else {
        return nil
      }
      return item(of: sent)
    }
    guard let item = entry.item.flatMap({ self.entry(at: $0) }), item.kind == OutboxEnqueued.number
    else { return nil }
    return item
  }

  /// The entry at `seq`, if it is there and can be read.
  package func entry(at seq: Seq) -> Entry? { (try? reader.entry(at: seq)) ?? nil }
}

extension Entry {
  /// The entry as `Kind`; nothing if it is of another kind, or its payload is not that of its kind.
  package func decoded<Kind: EntryKind>(_ kind: Kind.Type = Kind.self) -> Kind? {
    (try? decode(kind)) ?? nil
  }

  /// The begin of the read that this entry begins or ends.
  package var begin: Seq? {
    switch kind {
    case ReadBegan.number: seq
    case ReadLanded.number: decoded(ReadLanded.self)?.begin
    case ListAssembled.number: decoded(ListAssembled.self)?.begin
    case ReadRefused.number: decoded(ReadRefused.self)?.begin
    default: nil
    }
  }

  /// The sending of the change that this entry ends.
  package var mutation: Seq? {
    switch kind {
    case MutationAnswered.number: decoded(MutationAnswered.self)?.mutation
    case MutationSuppressed.number: decoded(MutationSuppressed.self)?.mutation
    case MutationFailed.number: decoded(MutationFailed.self)?.mutation
    default: nil
    }
  }

  /// The `outbox-enqueued` entry that this entry of the outbox names.
  package var item: Seq? {
    switch kind {
    case OutboxSent.number: decoded(OutboxSent.self)?.enqueued
    case OutboxAnswered.number: decoded(OutboxAnswered.self)?.enqueued
    case OutboxInDoubt.number: decoded(OutboxInDoubt.self)?.enqueued
    case OutboxCopied.number: decoded(OutboxCopied.self)?.enqueued
    case OutboxRetired.number: decoded(OutboxRetired.self)?.enqueued
    case OutboxParked.number: decoded(OutboxParked.self)?.enqueued
    case OutboxRetried.number: decoded(OutboxRetried.self)?.enqueued
    case OutboxDiscarded.number: decoded(OutboxDiscarded.self)?.enqueued
    default: nil
    }
  }
}
