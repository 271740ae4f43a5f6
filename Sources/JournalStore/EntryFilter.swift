package import TidemarkEntries

/// Which entries are wanted.
///
/// Several values of one field are taken together (any of them), several fields narrow each other.
/// A field without values asks for nothing.
package struct EntryFilter: Sendable {
  /// Bytes that are wanted as they are, or as the beginning of others.
  package struct Pattern: Sendable, Hashable {
    package var bytes: [UInt8]
    package var isPrefix: Bool

    package init(_ bytes: [UInt8], isPrefix: Bool = false) {
      self.bytes = bytes
      self.isPrefix = isPrefix
    }

    func matches(_ found: ArraySlice<UInt8>) -> Bool {
      isPrefix ? found.starts(with: bytes) : found.elementsEqual(bytes)
    }
  }

  /// Numbers of kinds.
  package var kinds: Set<UInt16> = []

  /// Addresses, or scopes as they are printed; an address stands for every account on it.
  package var scopes: [String] = []
  package var paths: [Pattern] = []
  package var keys: [Pattern] = []

  /// The tickets of reads: of their begins, and of their ends.
  package var tickets: Set<Ticket> = []

  /// The first digits of ids of devices; all entries of a journal are by one device.
  package var writers: [String] = []

  /// The first and the last device time.
  package var since: DeviceTime?
  package var until: DeviceTime?

  /// The entry that the wanted ones follow from.
  package var cause: Seq?

  /// What stands somewhere in an entry: in its key, its paths, its fields, or the name of its kind.
  package var text: [UInt8]?

  package init() {}

  /// Whether every entry is wanted.
  package var isEmpty: Bool {
    kinds.isEmpty && scopes.isEmpty && paths.isEmpty && keys.isEmpty && tickets.isEmpty
      && writers.isEmpty
      && since == nil && until == nil && cause == nil && text == nil
  }

  /// - Complexity: O(*n*) in the bytes of the entry.
  package func wants(_ entry: Entry, _ context: EntryContext) -> Bool {
    if !kinds.isEmpty, !kinds.contains(entry.kind) { return false }
    if let since, entry.time.milliseconds < since.milliseconds { return false }
    if let until, entry.time.milliseconds > until.milliseconds { return false }
    if let cause, entry.cause != cause { return false }
    if !keys.isEmpty, !keys.contains(where: { $0.matches(entry.storage[entry.keyRange]) }) {
      return false
    }
    if !tickets.isEmpty, !(context.ticket(of: entry).map(tickets.contains) ?? false) {
      return false
    }
    return wantsPaths(of: entry) && wantsScope(of: entry, context)
      && wantsWriter(context.reader.identity) && wantsText(of: entry)
  }

  private func wantsPaths(of entry: Entry) -> Bool {
    guard !paths.isEmpty else { return true }
    var isWanted = false
    entry.forEachPathPlace { place in
      let path = entry.storage[place.bytes]
      isWanted = isWanted || paths.contains { $0.matches(path) }
    }
    return isWanted
  }

  private func wantsScope(of entry: Entry, _ context: EntryContext) -> Bool {
    guard !scopes.isEmpty else { return true }
    guard let scope = context.scope(of: entry) else { return false }
    return scopes.contains { $0.isSame(as: scope.address) || $0.isSame(as: scope.description) }
  }

  private func wantsWriter(_ identity: Identity) -> Bool {
    guard !writers.isEmpty else { return true }
    let writer = Hex.encode(identity.writer)
    return writers.contains { writer.hasPrefix($0) }
  }

  private func wantsText(of entry: Entry) -> Bool {
    guard let text else { return true }
    return entry.bytes.contains(text) || Array(entry.kindName.utf8)[...].contains(text)
  }
}

extension String {
  // Swift's `==` takes two spellings of one text for equal.
  fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension ArraySlice<UInt8> {
  /// Whether `part` stands somewhere in these bytes.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first else { return true }
    var rest = self
    while let found = rest.firstIndex(of: first) {
      rest = rest[found...]
      if rest.starts(with: part) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
