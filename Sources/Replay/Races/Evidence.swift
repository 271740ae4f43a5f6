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
  private static let cannotTell = "the answer to the change does not show what it did"

  /// Whether `late`, which began before the change and came after its answer, had missed it.
  static func judge(late: [UInt8]?, at path: Path, over change: ChangeContent) -> Evidence {
    guard let late else { return .possible("the content of the late reply is not known") }
    if let answer = change.answer, !answer.isEmpty, late == answer {
      return .harmless("it says the same as the answer to the change")
    }
    guard let rows = Rows(late) else {
      return .possible("the content of the late reply cannot be taken apart")
    }
    let isSamePath = path.resource.elementsEqual(change.path.resource)
    if change.isRemoval { return removal(rows, isSamePath, change) }
    guard let answer = Rows(change.answer ?? []) else {
      return sentComparison(rows, isSamePath, change)
    }
    if let row = answer.row(of: change), let identity = row.identity {
      if let other = rows.row(like: row, named: identity) {
        return comparing(late: other, newer: row, from: "the answer")
      }
      return absence(of: identity, rows, at: path, change)
    }
    if isSamePath, change.method != "POST", let mine = rows.top, let its = answer.top,
      mine.shares(fieldsWith: its)
    {
      return comparing(late: mine, newer: its, from: "the answer")
    }
    return shared(rows, answer) ?? sentComparison(rows, isSamePath, change)
  }

  private static func removal(
    _ late: Rows,
    _ isSamePath: Bool,
    _ change: ChangeContent
  ) -> Evidence {
    if isSamePath { return .certain("it still shows what the change removed") }
    guard let segment = change.path.lastSegment, late.contains(segment) else {
      return .harmless("what the change removed is not in it")
    }
    return .certain("\(segment) is still in it, after the change removed it")
  }

  /// Compares two states of one thing.
  static func comparing(
    late: Rows.Row,
    newer: Rows.Row,
    from other: String
  ) -> Evidence {
    let thing = (newer.identity ?? late.identity).map { "\($0): " } ?? ""
    func values(_ field: String) -> String {
      "\(field) \(late.summary(of: field)) (\(newer.summary(of: field)) in \(other))"
    }
    if let (field, order) = late.versionOrder(against: newer) {
      switch order {
      case .older:
        // The number says which is older; the first other field says what a person saw.
        let seen = late.firstDifference(from: newer, besides: field)
        let fields = [field] + (seen.map { [$0] } ?? [])
        return .certain(thing + fields.map(values).joined(separator: ", "))
      case .newer: return .harmless(thing + values(field))
      case .same: break
      }
    }
    guard let field = late.firstDifference(from: newer) else {
      return .harmless("\(thing)the same in both")
    }
    return .certain(thing + values(field))
  }

  /// The late reply does not hold what was changed.
  private static func absence(
    of identity: Rows.Identity,
    _ late: Rows,
    at path: Path,
    _ change: ChangeContent
  ) -> Evidence {
    let isWhole = path.resource.count == path.bytes.count
    let isMade = change.method == "POST" && path.resource.elementsEqual(change.path.resource)
    let isCollection = isMade || path.resource.elementsEqual(change.path.parentResource)
    guard late.isList, isCollection else {
      return Evidence(degree: .unrelated, reason: "it holds nothing of \(identity)")
    }
    if isMade, isWhole { return .certain("\(identity), which the change made, is not in it") }
    if isWhole { return .possible("\(identity), which was changed, is not in it") }
    return .possible("\(identity) is not in it; it may be filtered out")
  }

  /// The things that both name, for answers that do not say which of them was changed.
  private static func shared(_ late: Rows, _ answer: Rows) -> Evidence? {
    var found: Evidence?
    var isNamed = false
    for row in answer.objects {
      guard let identity = row.identity else { continue }
      isNamed = true
      guard let other = late.row(like: row, named: identity) else { continue }
      let evidence = comparing(late: other, newer: row, from: "the answer")
      if evidence.degree == .certain { return evidence }
      found = found ?? evidence
    }
    if let found { return found }
    return isNamed
      ? Evidence(degree: .unrelated, reason: "it holds nothing that the answer names") : nil
  }

  /// Only what was sent is known: if the late reply has it all, it has seen the change.
  private static func sentComparison(
    _ late: Rows,
    _ isSamePath: Bool,
    _ change: ChangeContent
  ) -> Evidence {
    guard let wanted = Rows(change.sent ?? [])?.top else { return .possible(cannotTell) }
    let named = change.path.lastSegment.flatMap { segment in
      late.objects.first { row in row.identity?.value == segment }
    }
    guard let row = named ?? (isSamePath ? late.top : nil), row.shares(fieldsWith: wanted) else {
      return .possible(cannotTell)
    }
    guard let field = row.firstDifference(from: wanted) else {
      return .harmless("it has all that the change sent")
    }
    return .possible(
      "\(field) is \(row.summary(of: field)) in it, \(wanted.summary(of: field)) was sent"
    )
  }

  /// Whether `late` is older than `newer`, two reads of one path that crossed.
  ///
  /// - Parameters:
  ///   - late: what began first and came last.
  ///   - newer: what began last and came first.
  ///   - before: what stood there before `newer` landed.
  /// - Returns: how sure it is, and why.
  static func judge(late: [UInt8]?, newer: [UInt8]?, before: [UInt8]?) -> Evidence {
    guard let late, let newer else { return .possible("the contents are not known") }
    if late == newer { return .harmless("both say the same") }
    if late == before { return .certain("it goes back to what stood there before") }
    let unclear = Evidence.possible("it differs from what the read that began later brought")
    guard let lateRows = Rows(late), let newerRows = Rows(newer) else { return unclear }
    var isNewer = false
    for row in lateRows.objects {
      guard let identity = row.identity, let other = newerRows.row(like: row, named: identity),
        let (_, order) = row.versionOrder(against: other)
      else { continue }
      if order == .older {
        return comparing(late: row, newer: other, from: "the other")
      }
      isNewer = isNewer || order == .newer
    }
    return isNewer ? .harmless("it is newer than what the read that began later brought") : unclear
  }
}

extension Path {
  var lastSegment: String? {
    let last = resource.split(separator: UInt8(ascii: "/")).last
    return last.map { String(decoding: $0, as: UTF8.self) }
  }

  fileprivate var parentResource: ArraySlice<UInt8> {
    let whole = resource
    guard let slash = whole.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return whole[..<slash]
  }
}
