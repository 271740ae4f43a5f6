import TidemarkEntries
import TidemarkJSON
import TidemarkProjections

/// What other processes shared, and how far each share has come.
struct InboxPage: StatePage {
  typealias Folded = Inbox

  private let shares: [(id: ItemID, share: InboxState.Share)]
  private let unreadable: [(name: ItemID, share: InboxState.Unreadable)]
  private let seq: Seq

  init(_ state: InboxState, at seq: Seq) {
    shares = state.shares.sorted { $0.value.received < $1.value.received }.map {
      ($0.key, $0.value)
    }
    unreadable = state.unreadable.sorted { $0.value.seq < $1.value.seq }.map { ($0.key, $0.value) }
    self.seq = seq
  }

  func write(to output: inout Output) throws {
    try output.line(
      """
      \("inbox at \(seq)", .bold)  \(Quantity.count(shares.count, "share", "shares")), \
      \(Quantity.count(unreadable.count)) unreadable
      """
    )
    var table = Table([.left("share"), .left("items"), .left("received"), .left("standing")])
    for (id, share) in shares {
      table.add(
        Line(Escaping.visible(id.description)),
        Line(Quantity.count(share.count, "item", "items")),
        "received by \(share.received)",
        share.imported.map { "imported by \($0)" } ?? "\("on its way", .yellow)"
      )
    }
    try output.table(table)
    for (name, share) in unreadable {
      try output.line(
        """
        \(Escaping.visible(name.description))  \("unreadable", .yellow), found by \(share.seq): \
        \(share.detail)
        """
      )
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.inbox/1")
      json.field("at", seq)
      json.array("shares") { json in
        for (id, share) in shares {
          json.object { json in
            json.field("share", id.description)
            json.field("count", share.count)
            json.field("received", share.received)
            json.field("imported", share.imported)
          }
        }
      }
      json.array("unreadable") { json in
        for (name, share) in unreadable {
          json.object { json in
            json.field("share", name.description)
            json.field("seq", share.seq)
            json.field("detail", share.detail)
            json.field("content", share.content.description)
          }
        }
      }
    }
  }
}
