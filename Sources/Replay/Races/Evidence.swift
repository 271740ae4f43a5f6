internal import TidemarkEntries
internal import TidemarkJSON

/// What the contents say about which of two replies is the older one.
struct Evidence {
  var degree: Race.Degree
  var reason: String

  static func certain(_ reason: String) -> Evidence { Evidence(degree: .certain, reason: reason) }
  static func possible(_ reason: String) -> Evidence { Evidence(degree: .possible, reason: reason) }
  static func harmless(_ reason: String) -> Evidence { Evidence(degree: .harmless, reason: reason) }
}

/// A change, with the contents that tell what it did.
struct ChangeContent {
  var method: String
  var path: Path
  var isRemoval: Bool

  /// What the server answered, if it is known whole.
  var answer: [UInt8]?

  /// What was sent, if it is known whole.
  var sent: [UInt8]?
}

extension Evidence {
  /// Whether `late`, which began before the change and came after its answer, had missed it.
  static func judge(late: [UInt8]?, at path: Path, over change: ChangeContent) -> Evidence {
    guard let late else { return .possible("the content of the late reply is not known") }
    if let answer = change.answer, !answer.isEmpty, late == answer {
      return .harmless("it says the same as the answer to the change")
    }
    let lateRows = Rows(late)
    if change.isRemoval { return removal(lateRows, at: path, change) }
    if let answer = Rows(change.answer ?? []), let row = answer.row(of: change) {
      return comparison(lateRows, at: path, row, change)
    }
    guard let sent = Rows(change.sent ?? []), let lateRows else {
      return .possible("the answer to the change does not show what it did")
    }
    return sentComparison(lateRows, sent, change)
  }

  private static func removal(_ late: Rows?, at path: Path, _ change: ChangeContent) -> Evidence {
    if path.resource.elementsEqual(change.path.resource) {
      return .certain("it still shows what the change removed")
    }
    guard let late, let id = change.path.lastSegment else {
      return .possible("the content of the late reply cannot be taken apart")
    }
    return late.rows[id] == nil
      ? .harmless("what the change removed is not in it")
      : .certain("row \(id) is still in it, after the change removed it")
  }

  private static func comparison(
    _ late: Rows?,
    at path: Path,
    _ row: Rows.Row,
    _ change: ChangeContent
  ) -> Evidence {
    guard let late else {
      return .possible("the content of the late reply cannot be taken apart")
    }
    guard let other = late.rows[row.id] else { return absence(late, at: path, row, change) }
    return Evidence.comparing(late: other, newer: row, names: ("the late reply", "the answer"))
  }

  /// Compares two states of one row.
  static func comparing(
    late: Rows.Row,
    newer: Rows.Row,
    names: (late: String, newer: String)
  ) -> Evidence {
    if let (field, order) = late.versionOrder(against: newer) {
      let values = "\(field) \(late.text(field)) in \(names.late), \(newer.text(field)) in \(names.newer)"
      switch order {
      case .older: return .certain("row \(late.id): \(values)")
      case .newer: return .harmless("row \(late.id): \(values)")
      case .same: break
      }
    }
    guard let field = late.firstDifference(from: newer) else {
      return .harmless("row \(late.id) is the same in both")
    }
    return .certain(
      "row \(late.id): \(field) is \(late.text(field)) in \(names.late), "
        + "\(newer.text(field)) in \(names.newer)"
    )
  }

  /// The late reply does not hold the row that was changed.
  private static func absence(
    _ late: Rows,
    at path: Path,
    _ row: Rows.Row,
    _ change: ChangeContent
  ) -> Evidence {
    let isCollection =
      path.resource.elementsEqual(change.path.resource)
      || path.resource.elementsEqual(change.path.parentResource)
    let isWhole = path.resource.count == path.bytes.count
    if change.method == "POST", late.isList,
      path.resource.elementsEqual(change.path.resource)
    {
      return isWhole
        ? .certain("row \(row.id), which the change made, is not in it")
        : .possible("row \(row.id), which the change made, is not in it; it may be filtered out")
    }
    guard isCollection, late.isList, isWhole else {
      return Evidence(degree: .unrelated, reason: "it holds nothing of row \(row.id)")
    }
    return .possible("row \(row.id), which was changed, is not in it")
  }

  /// Only what was sent is known: if the late reply has it all, it has seen the change.
  private static func sentComparison(
    _ late: Rows,
    _ sent: Rows,
    _ change: ChangeContent
  ) -> Evidence {
    guard let id = change.path.lastSegment, let row = late.rows[id] ?? late.top,
      let wanted = sent.top ?? sent.rows[id]
    else { return .possible("the answer to the change does not show what it did") }
    guard let field = row.firstDifference(from: wanted) else {
      return .harmless("it has all that the change sent")
    }
    return .possible("\(field) is \(row.text(field)) in it, \(wanted.text(field)) was sent")
  }

  /// Whether `late` is older than `newer`, two reads of one path that crossed.
  ///
  /// - Parameter before: what stood there before `newer` landed.
  static func judge(late: [UInt8]?, newer: [UInt8]?, before: [UInt8]?) -> Evidence {
    guard let late, let newer else { return .possible("the contents are not known") }
    if late == newer { return .harmless("both say the same") }
    if late == before { return .certain("it goes back to what stood there before") }
    if let lateRows = Rows(late), let newerRows = Rows(newer) {
      var isKnown = false
      for (id, row) in lateRows.rows.sorted(by: { $0.key < $1.key }) {
        guard let other = newerRows.rows[id], let (_, order) = row.versionOrder(against: other)
        else { continue }
        if order == .older {
          return Evidence.comparing(late: row, newer: other, names: ("the late reply", "the newer"))
        }
        isKnown = isKnown || order == .newer
      }
      if isKnown { return .harmless("its rows are newer than those of the read that began later") }
    }
    return .possible("it differs from what the read that began later brought")
  }
}

extension Path {
  fileprivate var lastSegment: String? {
    let last = resource.split(separator: UInt8(ascii: "/")).last
    return last.map { String(decoding: $0, as: UTF8.self) }
  }

  fileprivate var parentResource: ArraySlice<UInt8> {
    let whole = resource
    guard let slash = whole.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return whole[..<slash]
  }
}
