internal import TidemarkEntries

/// A path of one store.
struct StorePath: Equatable {
  var store: Seq
  var path: Path
  var fingerprint: UInt64

  static func == (left: StorePath, right: StorePath) -> Bool {
    left.fingerprint == right.fingerprint && left.store == right.store
      && Bytes.areEqual(left.path.bytes, right.path.bytes)
  }
}

/// The last entries that name a path of a store.
struct PathHead {
  /// The last entry that names it at all.
  var naming: Seq

  /// The last one that began a read of it or wrote it.
  var write: Seq?

  init(naming seq: Seq, as role: PathLink.Role, previous: Seq?) {
    naming = seq
    write = role == .mention ? previous : seq
  }

  /// This head, or that of the same entry, which names the path twice and has written it.
  func joined(with known: PathHead) -> PathHead {
    known.naming == naming && known.write == naming ? known : self
  }
}

/// The heads of many paths, in memory.
struct PathHeads {
  private var paths: [StorePath] = []
  private var heads: [PathHead] = []

  /// One behind the place of each path.
  private var places = FingerprintTable()

  var count: Int { heads.count }

  subscript(_ path: StorePath) -> PathHead? { place(of: path).map { heads[$0] } }

  mutating func note(_ path: StorePath, _ head: PathHead) {
    if let place = place(of: path) {
      heads[place] = head.joined(with: heads[place])
    } else {
      paths.append(path)
      heads.append(head)
      places.insert(path.fingerprint, UInt64(heads.count))
    }
  }

  private func place(of path: StorePath) -> Int? {
    places.value(of: path.fingerprint) { paths[Int($0) - 1] == path }.map { Int($0) - 1 }
  }

  /// What the index does not hold yet, if it holds all entries up to `seq`.
  func items(after seq: Seq) -> [IndexItem] {
    heads.indices.filter { heads[$0].naming > seq }.map {
      IndexItem(fingerprint: paths[$0].fingerprint, value: heads[$0].naming.value)
    }
  }
}
