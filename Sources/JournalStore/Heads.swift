internal import TidemarkEntries
internal import TidemarkHashing

/// What appending needs to know of the entries so far: the tree, the stores and their fences.
struct Heads {
  /// A store that is open.
  struct Store: Equatable {
    var opening: Seq
    var scope: Scope
    var lastFence: Seq
  }

  /// The tree over all entries.
  var range = CompactRange()

  /// Up to which body the index holds every content.
  var bodiesThrough: UInt64 = 0

  /// The stores that entries may still come for, in the order of their openings.
  private(set) var stores: [Store] = []

  /// The openings of each scope among them, in order.
  private var openings: [Scope: [Seq]] = [:]

  /// How many incarnations of one scope are remembered.
  ///
  /// A reply that outlives more of them is still refused: its store is then looked up in the
  /// journal.
  static let incarnationsPerScope = 4

  /// Takes note of an entry whose leaf is in ``range`` already.
  mutating func note(_ entry: Entry) {
    guard let store = entry.store, KindRegistry.isFence(entry.kind) else { return }
    if entry.kind == StoreOpened.number, let opened = try? entry.decode(StoreOpened.self) {
      remember(Store(opening: store, scope: opened.scope, lastFence: entry.seq))
      forgetOldest(of: opened.scope)
    } else if let place = place(of: store) {
      stores[place].lastFence = entry.seq
    }
  }

  /// The last fence of the store that `opening` opened, if it is known here.
  func lastFence(of opening: Seq) -> Seq? {
    place(of: opening).map { stores[$0].lastFence }
  }

  mutating func remember(_ store: Store) {
    if let place = place(of: store.opening) {
      stores[place] = store
    } else {
      stores.insert(store, at: lowerBound(store.opening))
      openings[store.scope, default: []].append(store.opening)
      openings[store.scope]?.sort()
    }
  }

  private func place(of opening: Seq) -> Int? {
    let place = lowerBound(opening)
    return place < stores.count && stores[place].opening == opening ? place : nil
  }

  /// How many stores were opened before `opening`.
  private func lowerBound(_ opening: Seq) -> Int {
    stores.firstPlace { $0.opening >= opening }
  }

  private mutating func forgetOldest(of scope: Scope) {
    guard let known = openings[scope], known.count > Heads.incarnationsPerScope else { return }
    let kept = known.suffix(Heads.incarnationsPerScope)
    for opening in known.dropLast(kept.count) {
      if let place = place(of: opening) { stores.remove(at: place) }
    }
    openings[scope] = Array(kept)
  }

  // [[digests of the tree], last indexed body, [[opening, address, account or null, last fence],
  // …]], by opening, and behind it eight bytes of SHA-256 of that and of what it stands with.
  func encoded(with index: [UInt64]) -> [UInt8] {
    var writer = CBORWriter()
    writer.array(count: 3)
    writer.array(count: range.digests.count)
    for digest in range.digests { writer.byteString(digest.bytes) }
    writer.unsigned(bodiesThrough)
    writer.array(count: stores.count)
    for store in stores {
      writer.array(count: 4)
      writer.unsigned(store.opening.value)
      writer.text(store.scope.address)
      if let account = store.scope.account { writer.text(account) } else { writer.null() }
      writer.unsigned(store.lastFence.value)
    }
    return writer.bytes + Heads.checksum(writer.bytes, range.end, index)
  }

  init() {}

  /// The heads that `bytes` hold for the entries up to `through`.
  ///
  /// Nothing if they are damaged, or were not written with the runs and the seed that `index`
  /// tells.
  init?(_ bytes: [UInt8], through: Seq, with index: [UInt64]) {
    guard bytes.count > 8 else { return nil }
    let content = Array(bytes[..<(bytes.count - 8)])
    guard bytes.suffix(8).elementsEqual(Heads.checksum(content, through.value, index)),
      let value = try? CBORValue(content), case .array(let parts) = value, parts.count == 3,
      case .array(let digests) = parts[0], case .unsigned(let bodies) = parts[1],
      case .array(let rows) = parts[2]
    else { return nil }
    let nodes = digests.compactMap { if case .bytes(let bytes) = $0 { Digest(bytes) } else { nil } }
    guard let range = CompactRange(start: 0, end: through.value, digests: nodes) else { return nil }
    self.range = range
    bodiesThrough = bodies
    for row in rows {
      guard case .array(let columns) = row, columns.count == 4,
        case .unsigned(let opening) = columns[0], case .text(let address) = columns[1],
        case .unsigned(let fence) = columns[3]
      else { return nil }
      var account: String?
      if case .text(let name) = columns[2] { account = name }
      guard stores.last.map({ $0.opening < Seq(opening) }) ?? true else { return nil }
      remember(
        Store(
          opening: Seq(opening),
          scope: Scope(canonical: address, account: account),
          lastFence: Seq(fence)
        )
      )
    }
  }

  private static func checksum(_ bytes: [UInt8], _ through: UInt64, _ index: [UInt64]) -> [UInt8] {
    var hash = SHA256Hash()
    hash.update(bytes)
    for number in [through] + index { withUnsafeBytes(of: number.bigEndian) { hash.update($0) } }
    return Array(Digest(words: hash.finish()).bytes.prefix(8))
  }
}
