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
struct JudgedChange {
  var sentAt: Seq

  /// The entry of its answer; none if it was still in flight.
  var answeredAt: Seq?
  var method: String
  var path: Path
  var status: UInt64 = 200

  /// What it took away, as its answer was written down.
  var removed: [Path] = []

  /// What the server answered, if it is known whole.
  var answer: Document?

  /// What was sent, if it is known whole.
  var sent: Document?
}

extension Evidence {
  private static let cannotTell = "the answer to the change does not show what it did"

  /// Whether `late`, which began before the change and came after its answer, had missed it.
  static func judge(
    late: Document?,
    at path: Path,
    over change: JudgedChange,
    knowing history: History = History()
  ) -> Evidence {
    guard let late else { return .possible("the content of the late reply is not known") }
    if let answer = change.answer, !answer.bytes.isEmpty, late.bytes == answer.bytes {
      return .harmless("it says the same as the answer to the change")
    }
    guard let rows = late.rows else {
      return .possible("the content of the late reply cannot be taken apart")
    }
    if !change.removed.isEmpty { return removal(rows, at: path, change, history) }
    let isSamePath = path.resource.elementsEqual(change.path.resource)
    guard let answer = change.answer?.rows else {
      return sentComparison(rows, isSamePath, change, history)
    }
    let comparison = Comparison(change: change, history: history)
    if let row = answer.row(of: change), let identity = row.identity {
      if let other = rows.row(like: row, named: identity) {
        return comparison.judge(late: other, newer: row) { $0.row(like: row, named: identity) }
      }
      return absence(of: identity, rows, at: path, change, history)
    }
    if isSamePath, change.method != "POST", let mine = rows.top, let its = answer.top,
      mine.shares(fieldsWith: its)
    {
      return comparison.judge(late: mine, newer: its) { $0.top }
    }
    return shared(rows, answer, comparison) ?? sentComparison(rows, isSamePath, change, history)
  }

  private static func removal(
    _ late: Rows,
    at path: Path,
    _ change: JudgedChange,
    _ history: History
  ) -> Evidence {
    if change.removed.contains(path) {
      guard !late.objects.isEmpty else { return .harmless("nothing is left in it") }
      return stillThere("it still shows what the change removed", nil, change, history)
    }
    if change.removed.contains(where: { $0.resource.elementsEqual(path.resource) }) {
      return .possible("a query says which part of \(change.path) was removed")
    }
    guard let segment = change.removed.lazy.compactMap(\.lastSegment).first(where: late.contains)
    else { return .harmless("what the change removed is not in it") }
    let reason = "\(segment) is still in it, after the change removed it"
    return stillThere(reason, segment, change, history)
  }

  /// A removal may not be done yet, and what was removed may have been made again.
  private static func stillThere(
    _ reason: String,
    _ segment: String?,
    _ change: JudgedChange,
    _ history: History
  ) -> Evidence {
    let name = segment ?? change.removed.first?.lastSegment
    for later in history.later(than: change) where later.change.removed.isEmpty {
      if let name, later.change.path.lastSegment == name || later.names(name) {
        return .harmless("it has what \(later.change.title) wrote")
      }
    }
    if change.status == 202 {
      return .possible("\(reason) (202: the server may remove it later)")
    }
    return .certain(reason)
  }

  /// The late reply does not hold what was changed.
  private static func absence(
    of identity: Rows.Identity,
    _ late: Rows,
    at path: Path,
    _ change: JudgedChange,
    _ history: History
  ) -> Evidence {
    let isWhole = path.resource.count == path.bytes.count
    let isMade = change.method == "POST" && path.resource.elementsEqual(change.path.resource)
    let isCollection = isMade || path.resource.elementsEqual(change.path.parentResource)
    guard late.isList, isCollection else {
      return Evidence(degree: .unrelated, reason: "it holds nothing of \(identity)")
    }
    for later in history.later(than: change) {
      let isRemoved = later.change.removed.contains { $0.lastSegment == identity.value }
      let isRemoval = later.change.method == "DELETE"
      if isRemoved || isRemoval && later.change.path.lastSegment == identity.value {
        return .harmless("\(identity) is not in it, as \(later.change.title) removed it")
      }
    }
    if isMade, isWhole { return .certain("\(identity), which the change made, is not in it") }
    if isWhole { return .possible("\(identity), which was changed, is not in it") }
    return .possible("\(identity) is not in it; it may be filtered out")
  }

  /// The things that both name, for answers that do not say which of them was changed.
  private static func shared(
    _ late: Rows,
    _ answer: Rows,
    _ comparison: Comparison
  ) -> Evidence? {
    var worst: Evidence?
    var isNamed = false
    for row in answer.objects {
      guard let identity = row.identity else { continue }
      isNamed = true
      guard let other = late.row(like: row, named: identity) else { continue }
      let evidence = comparison.judge(late: other, newer: row) {
        $0.row(like: row, named: identity)
      }
      if evidence.degree == .certain { return evidence }
      if evidence.degree.rank < worst?.degree.rank ?? .max { worst = evidence }
    }
    if let worst { return worst }
    return isNamed
      ? Evidence(degree: .unrelated, reason: "it holds nothing that the answer names") : nil
  }

  /// Only what was sent is known: if the late reply has it all, it has seen the change.
  private static func sentComparison(
    _ late: Rows,
    _ isSamePath: Bool,
    _ change: JudgedChange,
    _ history: History
  ) -> Evidence {
    guard let wanted = change.sent?.rows?.top else { return .possible(cannotTell) }
    let named = change.path.lastSegment.flatMap { segment in
      late.objects.first { row in row.identity?.value == segment }
    }
    guard let row = named ?? (isSamePath ? late.top : nil), row.shares(fieldsWith: wanted) else {
      return .possible(cannotTell)
    }
    guard let field = row.firstDifference(from: wanted) else {
      return .harmless("it has all that the change sent")
    }
    if let later = history.later(than: change).first(where: { later in
      let isSame = later.change.path == change.path
      return isSame && later.rows.contains { $0.top?.fields[field] == row.fields[field] }
    }) {
      return .harmless("it has what \(later.change.title) wrote")
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
  static func judge(late: Document?, newer: Document?, before: Document?) -> Evidence {
    guard let late, let newer else { return .possible("the contents are not known") }
    if late.bytes == newer.bytes { return .harmless("both say the same") }
    if late.bytes == before?.bytes { return .certain("it goes back to what stood there before") }
    let unclear = Evidence.possible("it differs from what the read that began later brought")
    guard let lateRows = late.rows, let newerRows = newer.rows else { return unclear }
    if let mine = lateRows.top, let its = newerRows.top, mine.identity == its.identity,
      case (let field, .same)? = mine.versionOrder(against: its)
    {
      return .harmless("\(field) \(mine.summary(of: field)) in both")
    }
    var isNewer = false
    for row in lateRows.objects {
      guard let identity = row.identity, let other = newerRows.row(like: row, named: identity),
        let evidence = Comparison.versions(late: row, newer: other, from: "the other")
      else { continue }
      if evidence.degree == .certain { return evidence }
      isNewer = isNewer || row.versionOrder(against: other)?.order == .newer
    }
    return isNewer ? .harmless("it is newer than what the read that began later brought") : unclear
  }

  /// Whether the late answer to a change is older than what was written while it was in flight.
  static func judge(answer: Document?, written: Document?, by writer: String) -> Evidence {
    guard let answer, let written else {
      return .possible("the content of the answer or of \(writer) is not known")
    }
    if answer.bytes == written.bytes { return .harmless("it says the same as \(writer)") }
    let unclear = Evidence.possible("it differs from \(writer), and no version tells the order")
    guard let rows = answer.rows, let others = written.rows else { return unclear }
    let both = rows.top.flatMap { mine in others.top.map { (mine, $0) } }
    guard let (mine, its) = both, mine.identity == its.identity else { return unclear }
    if let evidence = Comparison.versions(late: mine, newer: its, from: writer) { return evidence }
    guard let field = mine.firstDifference(from: its) else {
      return .harmless("it says the same as \(writer)")
    }
    return .possible(
      "\(field) \(mine.summary(of: field)) (\(its.summary(of: field)) in \(writer)); "
        + "no version tells the order"
    )
  }
}

extension Path {
  fileprivate var parentResource: ArraySlice<UInt8> {
    let whole = resource
    guard let slash = whole.lastIndex(of: UInt8(ascii: "/")) else { return [] }
    return whole[..<slash]
  }
}
