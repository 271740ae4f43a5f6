internal import TidemarkEntries
internal import TidemarkJSON

/// What else is known of the things that a late reply shows: other changes, and earlier contents.
struct History {
  /// A change with what it sent and what was answered, taken apart.
  struct Known {
    var change: JudgedChange
    var rows: [Rows]

    init(_ change: JudgedChange) {
      self.change = change
      rows = [change.answer, change.sent].compactMap { $0?.rows }
    }

    /// Whether what was sent or answered names a thing so.
    func names(_ value: String) -> Bool {
      rows.contains { rows in rows.objects.contains { $0.identity?.value == value } }
    }
  }

  /// What stood somewhere in the store, since an entry.
  struct Copy {
    var seq: Seq
    var rows: Rows
  }

  /// The changes that were sent before the late reply came, the last one first.
  var changes: [Known] = []

  /// What came before the late reply did.
  var copies: [Copy] = []

  /// The changes that may have been done after `change`.
  func later(than change: JudgedChange) -> some Sequence<Known> {
    changes.lazy.filter { known in
      known.change.sentAt != change.sentAt && known.change.isLater(than: change)
    }
  }

  /// What stood in the store before `change` was answered.
  func earlier(than change: JudgedChange) -> [Rows] {
    guard let answered = change.answeredAt else { return [] }
    let stood = copies.filter { $0.seq < answered }.map(\.rows)
    let written = changes.filter { known in
      known.change.sentAt != change.sentAt && !known.change.isLater(than: change)
    }
    return stood + written.flatMap(\.rows)
  }
}

extension JudgedChange {
  /// The change in few words: `PUT /notes/41 at entry 12`.
  var title: String { "\(method) \(path) at entry \(answeredAt ?? sentAt)" }

  /// Whether the server may have done this one after the other: sent or answered later.
  func isLater(than other: JudgedChange) -> Bool {
    guard sentAt < other.sentAt else { return true }
    guard let answeredAt else { return true }
    return other.answeredAt.map { answeredAt > $0 } ?? false
  }
}

/// Compares two states of one thing: as a late reply has it, and as a change answered it.
struct Comparison {
  var change: JudgedChange
  var history: History

  /// Whether the thing in the late reply is older than the answer to the change.
  ///
  /// - Parameters:
  ///   - late: the thing in the late reply.
  ///   - newer: the thing in the answer to the change.
  ///   - find: the thing in another content.
  /// - Returns: how sure it is, and why: of the fields that differ, the one that shows most.
  func judge(
    late: Rows.Row,
    newer: Rows.Row,
    find: (Rows) -> Rows.Row?
  ) -> Evidence {
    if let evidence = Comparison.versions(late: late, newer: newer, from: "the answer") {
      return evidence
    }
    var worst: Evidence?
    for field in late.differences(from: newer) {
      let evidence = judge(field, late, newer, find)
      if evidence.degree.rank < worst?.degree.rank ?? .max { worst = evidence }
      if evidence.degree == .certain { break }
    }
    return worst ?? .harmless("\(Comparison.name(late, newer))the same in both")
  }

  /// What one field tells that differs.
  private func judge(
    _ field: String,
    _ late: Rows.Row,
    _ newer: Rows.Row,
    _ find: (Rows) -> Rows.Row?
  ) -> Evidence {
    let value = late.fields[field]
    let reason =
      Comparison.name(late, newer) + Comparison.values(field, late, newer, "the answer")
    for later in history.later(than: change) {
      let rows = later.rows.compactMap { find($0) ?? own($0, of: later.change, newer) }
      if rows.contains(where: { $0.fields[field] == value }) {
        return .harmless("\(reason): it has what \(later.change.title) wrote")
      }
    }
    let earlier = history.earlier(than: change).compactMap(find).compactMap { $0.fields[field] }
    if earlier.contains(where: { $0 == value }) { return .certain(reason) }
    if !earlier.isEmpty {
      return .possible("\(reason): neither what stood there before nor what was answered")
    }
    let wasSent = change.sent?.rows?.objects.contains { row in
      row.fields[field].map { $0 != value } ?? false
    }
    return wasSent == true
      ? .certain(reason)
      : .possible("\(reason): what stood there before is not known")
  }

  /// What a change of the same thing sent, which need not repeat how the thing is named.
  private func own(_ rows: Rows, of other: JudgedChange, _ row: Rows.Row) -> Rows.Row? {
    let isSame =
      other.path == change.path
      || row.identity.map { $0.value == other.path.lastSegment } ?? false
    return isSame ? rows.top : nil
  }

  /// What the server's own order of the two tells, if they say it.
  static func versions(late: Rows.Row, newer: Rows.Row, from other: String) -> Evidence? {
    guard let (field, order) = late.versionOrder(against: newer) else { return nil }
    let thing = name(late, newer)
    switch order {
    case .older:
      // The number says which is older; the first other field says what a person saw.
      let seen = late.differences(from: newer).first { $0 != field }
      let fields = [field] + (seen.map { [$0] } ?? [])
      return .certain(thing + fields.map { values($0, late, newer, other) }.joined(separator: ", "))
    case .newer: return .harmless(thing + values(field, late, newer, other))
    case .same: return .harmless("\(thing)\(field) \(late.summary(of: field)) in both")
    }
  }

  private static func name(_ late: Rows.Row, _ newer: Rows.Row) -> String {
    (newer.identity ?? late.identity).map { "\($0): " } ?? ""
  }

  private static func values(
    _ field: String,
    _ late: Rows.Row,
    _ newer: Rows.Row,
    _ other: String
  ) -> String {
    "\(field) \(late.summary(of: field)) (\(newer.summary(of: field)) in \(other))"
  }
}
