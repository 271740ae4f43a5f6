import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore
import TidemarkProjections

/// What `state` shows of one projection beside the shelf.
protocol StatePage {
  associatedtype Folded: Projection

  init(_ state: Folded.State, at seq: Seq)

  func write(to output: inout Output) throws
  func write(to json: inout JSONWriter)
}

/// The pages of `state` beside that of the shelf, a line each.
enum StatePages {
  static func write(
    _ store: String,
    _ reader: JournalReader,
    at seq: Seq,
    to output: inout Output
  ) throws -> ExitCode {
    switch store {
    case Outbox.name: try write(OutboxPage.self, reader, at: seq, to: &output)
    case Pins.name: try write(PinsPage.self, reader, at: seq, to: &output)
    case Inbox.name: try write(InboxPage.self, reader, at: seq, to: &output)
    default: preconditionFailure("the parser knows the stores")
    }
    return .done
  }

  private static func write<Page: StatePage>(
    _ type: Page.Type,
    _ reader: JournalReader,
    at seq: Seq,
    to output: inout Output
  ) throws {
    var projector = Projector(Page.Folded.self)
    try projector.run(reader, through: seq)
    let page = Page(projector.state, at: seq)
    switch output.format {
    case .json, .jsonl: try output.json { page.write(to: &$0) }
    case .text, .table: try page.write(to: &output)
    }
    output.tell(projector.findings)
  }
}
