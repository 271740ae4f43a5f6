package import TidemarkEntries
package import TidemarkJournalStore

/// How a projection of an app stands to its journal: what is there, without making it anew.
package struct FoundProjection: Sendable, Equatable {
  package var name: String

  /// The version that made it; nothing if there is none, or it cannot be read.
  package var version: Int?

  /// What was found of it.
  package var loaded: ProjectionsFile.Loaded

  /// The last entry that is in it, if it can be gone on with.
  package var position: Seq? {
    if case .whole(let standing) = loaded { standing.position } else { nil }
  }

  /// What is kept beside the journal at `path`, which `reader` reads, of every projection that this
  /// build has.
  ///
  /// Nothing is written, and one that is behind is not folded on.
  ///
  /// - Parameters:
  ///   - path: the journal.
  ///   - reader: the same, open.
  ///   - withRows: whether every row is looked at; else what has the right head is taken for whole.
  /// - Returns: one for each projection, in the order of the catalogue.
  /// - Throws: ``JournalError`` with code `storage` if the journal cannot be read.
  /// - Complexity: O(*n*) in the rows, or O(1).
  package static func all(
    beside path: String,
    _ reader: JournalReader,
    withRows: Bool
  ) throws(JournalError) -> [FoundProjection] {
    let path = ProjectionsFile.path(for: path)
    guard Files.isThere(path) else { return all { _ in .missing } }
    let file: ProjectionsFile
    do throws(JournalError) {
      file = try ProjectionsFile(reading: path, of: reader.identity.journal)
    } catch {
      let reason = error.message
      return all { _ in .damaged(reason) }
    }
    var found: [FoundProjection] = []
    for part in ProjectionCatalogue.parts {
      var one = file.find(part, withRows: withRows)
      if case .whole(let standing) = one.loaded { one.loaded = try standing.found(in: reader) }
      found.append(one)
    }
    return found
  }

  private static func all(_ found: (StatePart) -> ProjectionsFile.Loaded) -> [FoundProjection] {
    ProjectionCatalogue.parts.map { FoundProjection(name: $0.name, loaded: found($0)) }
  }
}

extension ProjectionsFile.Standing {
  /// What rows that go up to here are: whole, if the journal has the entry that they end at.
  func found(in reader: JournalReader) throws(JournalError) -> ProjectionsFile.Loaded {
    try isHeld(by: reader) ? .whole(self) : .damaged("it is of another history of the journal")
  }

  private func isHeld(by reader: JournalReader) throws(JournalError) -> Bool {
    guard position.value > 0 else { return true }
    guard position <= reader.last else { return false }
    do throws(JournalError) {
      return try reader.entry(at: position).map { Tree.leaf(of: $0) } == leaf
    } catch {
      guard error.code == .damaged else { throw error }
      return false
    }
  }
}
