/// A path that an entry is about, tied to the entries before it.
///
/// Both pointers stay inside one store, so that a decision about a path can be judged from the
/// entry alone, and the descent of a value is a walk. See `Journal/FORMAT.md`, Back pointers.
public struct PathLink: Sendable, Hashable {
  /// What an entry does at a path.
  public enum Role: UInt8, Sendable, Hashable, CaseIterable {
    /// The path is named; its copy stays as it is.
    case mention = 0

    /// A read of the path began.
    case begin = 1

    /// The copy of the path was written or removed.
    case write = 2
  }

  /// The path that is named.
  public var path: Path

  /// What the entry does there.
  public var role: Role

  /// The last entry of the store that began a read of the path or wrote it, if there is one.
  public var previous: Seq?

  /// The last entry of the store that named the path at all, if there is one.
  public var previousMention: Seq?

  package init(_ path: Path, _ role: Role, previous: Seq? = nil, previousMention: Seq? = nil) {
    self.path = path
    self.role = role
    self.previous = previous
    self.previousMention = previousMention
  }

  init(from reader: inout CBORReader, _ storage: [UInt8]) throws(EntryError) {
    let place = try PathPlace(from: &reader)
    self.init(
      Path(canonical: Array(storage[place.bytes])),
      place.role,
      previous: place.previous,
      previousMention: place.previousMention
    )
  }
}

/// A ``PathLink`` whose path still lies in the bytes of its entry: nothing is copied.
package struct PathPlace {
  package var bytes: Range<Int>
  package var role: PathLink.Role
  package var previous: Seq?
  package var previousMention: Seq?
  package init(from reader: inout CBORReader) throws(EntryError) {
    let count = try reader.array()
    guard count == 3 || count == 4 else {
      throw EntryError(.malformed, "a path link has 3 or 4 parts")
    }
    bytes = try reader.byteString()
    guard !bytes.isEmpty, bytes.count <= Path.bytesMax else {
      throw EntryError(.limit, "a path has 1 to \(Path.bytesMax) bytes")
    }
    guard let role = PathLink.Role(rawValue: UInt8(clamping: try reader.unsigned())) else {
      throw EntryError(.malformed, "a path has no such role")
    }
    self.role = role
    let before = try reader.unsigned()
    previous = before == 0 ? nil : Seq(before)
    previousMention = previous
    if count == 4 {
      let named = try reader.unsigned()
      guard named > before else {
        throw EntryError(.malformed, "the last naming of a path is behind its last write")
      }
      previousMention = Seq(named)
    }
  }
}

extension CBORWriter {
  // [path, role, previous begin or write] and, if another entry named the path since, its seq.
  mutating func link(
    _ path: Path,
    _ role: PathLink.Role,
    _ pointers: (previous: Seq?, previousMention: Seq?)
  ) {
    let isApart = pointers.previousMention != pointers.previous
    array(count: isApart ? 4 : 3)
    byteString(path.bytes)
    unsigned(UInt64(role.rawValue))
    unsigned(pointers.previous?.value ?? 0)
    if isApart { unsigned(pointers.previousMention?.value ?? 0) }
  }
}
