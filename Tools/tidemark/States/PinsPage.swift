import TidemarkEntries
import TidemarkJSON
import TidemarkProjections

/// The lists with two writers: what is shown, and what was taken off.
struct PinsPage: StatePage {
  typealias Folded = Pins

  private let lists: [PinsState.List]
  private let seq: Seq

  init(_ state: PinsState, at seq: Seq) {
    // Every scope has a list; only one that something was said of is shown.
    lists = state.lists.filter { list in
      list.snapshot != nil || !list.removals.isEmpty || list.pass != nil || list.unreadable != nil
    }
    self.seq = seq
  }

  func write(to output: inout Output) throws {
    if lists.isEmpty { try output.line("pins at \(seq)  nothing") }
    for list in lists {
      let received = list.snapshot.map { "  received \($0.received) by \($0.seq)" } ?? ""
      let pass = list.pass.map { "  a pass under way since \($0.sent)" } ?? ""
      var line: Line = """
        \("pins at \(seq)", .bold)  \(list.scope)  \(Quantity.count(list.visible.count)) shown, \
        \(Quantity.count(list.removals.count)) taken off\(received)\(pass)
        """
      if let unreadable = list.unreadable {
        line.append("  unreadable since \(unreadable)", .yellow)
      }
      try output.line(line)
      try output.table(table(of: list))
    }
  }

  private func table(of list: PinsState.List) -> Table {
    var table = Table([.yielding("pin"), .left("version"), .left("standing")])
    for id in list.ids {
      let version = list.snapshot?.pins[id] ?? list.removals[id]?.version
      table.add(
        Line(Escaping.visible(id.description)),
        Line(version.map { "version \($0)" } ?? ""),
        list.removals[id].map { "taken off by \($0.seq)" } ?? "shown"
      )
    }
    return table
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.pins/1")
      json.field("at", seq)
      json.array("lists") { json in
        for list in lists { json.object { write(list, to: &$0) } }
      }
    }
  }

  private func write(_ list: PinsState.List, to json: inout JSONWriter) {
    json.field("scope", list.scope.address)
    json.field("account", list.scope.account)
    json.field("store", list.store)
    json.field("received", list.snapshot?.received)
    json.field("by", list.snapshot?.seq)
    json.field("pass", list.pass?.sent)
    json.field("unreadable", list.unreadable)
    json.array("pins") { json in
      for id in list.ids {
        let version = list.snapshot?.pins[id] ?? list.removals[id]?.version
        json.object { json in
          json.field("id", id.description)
          json.field("version", version.map { String($0) })
          json.field("listed", list.snapshot?.pins[id] != nil)
          json.field("removed", list.removals[id]?.seq)
        }
      }
    }
  }
}

extension PinsState.List {
  /// All ids that are listed or were taken off, in the order of bytes.
  fileprivate var ids: [ItemID] {
    Set(snapshot.map { Array($0.pins.keys) } ?? []).union(removals.keys).sorted()
  }
}
