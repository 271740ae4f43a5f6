package import TidemarkEntries
package import TidemarkJournalStore
internal import TidemarkProjections

/// Makes the projections of a journal anew beside the live ones, and compares the two.
///
/// The journal is read and never written. What is made stands in a file of its own, which goes on
/// where it was interrupted; only ``swap(_:)`` puts it in the place of the live one.
package struct Rebuild: Sendable {
  /// How the live projection stands to what replay gives.
  package enum Live: Sendable, Equatable {
    case same
    case differs(Digest)
    case missing

    /// Another version of the fold made it.
    case outdated

    /// It does not read as a state, for this reason.
    case damaged(String)

    /// The journal cannot be read to its end, so nothing can be said.
    case unknown
  }

  /// One projection.
  package struct Part: Sendable {
    package var name: String
    package var version: Int

    /// The last entry that is in the state that was made, and the digest of that.
    package var position: Seq
    package var digest: Digest
    package var live: Live
  }

  /// Where the files of a journal's projections are.
  package struct Paths: Sendable {
    package var live: String
    package var new: String
    package var old: String

    package init(of journal: String) {
      live = ProjectionsFile.path(for: journal)
      new = live + "-new"
      old = live + "-old"
    }
  }

  package private(set) var parts: [Part] = []

  /// What of the journal could not be read; nothing is compared then.
  package private(set) var damage: [Finding] = []

  /// Whether the live projections are what replay gives.
  package var isSame: Bool { parts.allSatisfy { $0.live == .same } }

  /// What is wrong with the live projections: missing ones and old ones are only made anew.
  package var findings: [Finding] {
    parts.compactMap { part in
      switch part.live {
      case .differs(let digest):
        Finding(
          .projectionDiffers,
          "the live \(part.name) is not what the entries give",
          at: part.position,
          expected: part.digest.description,
          actual: digest.description
        )
      case .damaged(let reason):
        Finding(
          .projectionDiffers,
          "the live \(part.name) cannot be read: \(reason)",
          at: part.position
        )
      case .same, .missing, .outdated, .unknown: nil
      }
    }
  }
}

extension Rebuild {
  /// Makes the projections anew and compares them with the live ones.
  ///
  /// - Parameters:
  ///   - reader: the journal.
  ///   - paths: where the live ones are, and where the new ones are made.
  ///   - keeping: whether what is made is kept; if not, no file is written.
  ///   - progress: is told the last entry that was folded.
  /// - Returns: how each live projection stands to what was made.
  /// - Throws: ``JournalError`` with code `storage`, or `stopped`; then the next run goes on.
  /// - Complexity: O(*n*) in the entries; memory holds the states twice.
  package static func make(
    _ reader: JournalReader,
    _ paths: Paths,
    keeping: Bool,
    progress: (Seq) -> Void = { _ in }
  ) throws(JournalError) -> Rebuild {
    let new = keeping ? try ProjectionsFile(paths.new, of: reader.identity.journal) : nil
    let made = try catchUp(new, reader, keeping: true, progress)
    var rebuild = Rebuild()
    rebuild.damage = made.findings
    let live = try rebuild.live(reader, paths)
    for part in ProjectionCatalogue.parts {
      let digest = part.digest(made.states)
      rebuild.parts.append(
        Part(
          name: part.name,
          version: part.version,
          position: made.position,
          digest: digest,
          live: live(part, digest)
        )
      )
    }
    return rebuild
  }

  private static func catchUp(
    _ file: ProjectionsFile?,
    _ reader: JournalReader,
    keeping: Bool,
    _ progress: (Seq) -> Void
  ) throws(JournalError) -> CatchingUp {
    var catching = try CatchingUp(file, reader, keeping: keeping)
    _ = try catching.run(reader) { seq in
      progress(seq)
      return true
    }
    return catching
  }

  /// How each live projection stands to the digest of what was made.
  ///
  /// One that is behind the journal is folded on in memory first, as the app does when it opens.
  private func live(
    _ reader: JournalReader,
    _ paths: Paths
  ) throws(JournalError) -> (StatePart, Digest) -> Live {
    guard damage.isEmpty else { return { _, _ in .unknown } }
    guard Files.isThere(paths.live) else { return { _, _ in .missing } }
    let file: ProjectionsFile
    do throws(JournalError) {
      file = try ProjectionsFile(reading: paths.live, of: reader.identity.journal)
    } catch {
      let reason = error.message
      return { _, _ in .damaged(reason) }
    }
    let caught = try Rebuild.catchUp(file, reader, keeping: false) { _ in }
    return { part, digest in
      switch caught.rebuilt.first(where: { $0.name == part.name })?.reason {
      case .missing: return .missing
      case .outdated: return .outdated
      case .damaged(let reason): return .damaged(reason)
      case .whole, nil: break
      }
      let digestOfLive = part.digest(caught.states)
      return digestOfLive == digest ? .same : .differs(digestOfLive)
    }
  }

  /// Puts the new file in the place of the live one, which is kept beside it.
  ///
  /// - Throws: ``JournalError`` with code `storage`.
  package static func swap(_ paths: Paths) throws(JournalError) {
    if Files.isThere(paths.live) { try Files.moveDatabase(paths.live, to: paths.old) }
    try Files.moveDatabase(paths.new, to: paths.live)
  }

  /// Removes what was made.
  package static func discard(_ paths: Paths) { Files.removeDatabase(paths.new) }
}
