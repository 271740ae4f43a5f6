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

  /// The ticket of a read: of its begin, and of its end.
  package func ticket(of entry: Entry) -> Ticket? {
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
}
