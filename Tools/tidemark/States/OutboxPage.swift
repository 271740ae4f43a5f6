import TidemarkEntries
import TidemarkExports
import TidemarkJSON
import TidemarkProjections

/// What waits to be sent, in the order of authoring.
struct OutboxPage: StatePage {
  typealias Folded = Outbox

  private let state: OutboxState
  private let seq: Seq

  init(_ state: OutboxState, at seq: Seq) {
    self.state = state
    self.seq = seq
  }

  func write(to output: inout Output) throws {
    let queue = state.queue
    try output.line(
      """
      \("outbox at \(seq)", .bold)  \(Quantity.count(queue.count)) waiting, \
      \(Quantity.count(state.retired)) retired, \(Quantity.count(state.discarded)) discarded
      """
    )
    var table = Table([
      .left("entry"), .left("key"), .left("request"), .left("lane"), .left("standing"),
      .left("attempts"), .left("authored"), .yielding("about"),
    ])
    for (seq, item) in queue {
      table.add(
        "\(seq)",
        Line(EntryText.shortened(item.key.description, to: 24)),
        Line("\(item.method) \(EntryText.text(of: item.path))"),
        Line("lane \(item.lane)"),
        standing(item),
        Line(Quantity.count(item.attempts, "attempt", "attempts")),
        "authored \(item.authored)",
        Line(about(item))
      )
    }
    try output.table(table)
  }

  private func standing(_ item: OutboxState.Item) -> Line {
    switch item.standing {
    case .pending, .inFlight, .answered: "\(item.standing.word)"
    case .inDoubt, .held, .parked: "\(item.standing.word, .yellow)"
    }
  }

  private func about(_ item: OutboxState.Item) -> String {
    let files = item.files.isEmpty ? nil : Quantity.count(item.files.count, "file", "files")
    let next = item.retryAt.map { "next at \($0)" }
    return [item.label, files, item.link, next].compactMap(\.self).joined(separator: "  ")
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.outbox/1")
      json.field("at", seq)
      json.field("retired", state.retired)
      json.field("discarded", state.discarded)
      json.array("items") { json in
        for (seq, item) in state.queue { json.object { write(seq, item, to: &$0) } }
      }
    }
  }

  private func write(_ seq: Seq, _ item: OutboxState.Item, to json: inout JSONWriter) {
    json.field("seq", seq)
    json.field("key", item.key.description)
    json.field("scope", item.scope.address)
    json.field("account", item.scope.account)
    json.field("store", item.store)
    json.field("method", item.method)
    json.field("path", PathJSON.text(of: item.path))
    json.field("lane", item.lane)
    json.field("standing", item.standing.word)
    json.field("attempts", item.attempts)
    json.field("firstSent", item.firstSent)
    json.field("lastSent", item.lastSent)
    json.field("answered", item.answer?.seq)
    json.field("authored", item.authored)
    json.field("retryAt", item.retryAt)
    json.field("doubtSince", item.doubtSince)
    json.field("label", item.label)
    json.field("link", item.link)
    json.field("share", item.share)
    json.field("files", item.files.count)
  }
}
