import TidemarkEntries
import TidemarkJournalStore

/// A point in a journal, as `--at` names it: a seq, a time, or a cursor.
enum PointArgument {
  case seq(Seq)
  case time(TimeArgument)
  case cursor(Cursor)

  static let option = Option.value(
    "--at",
    "SEQ|TIME|CURSOR",
    "as it was behind this entry; the last one if not given"
  )

  /// What `--at` says, if it is given.
  static func read(_ input: Input) throws(Failure) -> PointArgument? {
    guard let text = input.value("--at") else { return nil }
    if let seq = Seq(pasted: text) { return .seq(seq) }
    if let cursor = Cursor(text) { return .cursor(cursor) }
    guard text.utf8.first != UInt8(ascii: "+") else {
      throw .usage("--at takes a seq, a time or a cursor, not '\(text)'")
    }
    return .time(try TimeArgument(text, of: "--at", now: input.environment.now))
  }

  /// The entry that is meant; 0 stands before the first.
  ///
  /// A time means the last entry of the journal that is not later. Clocks go back, so which one was
  /// taken is said.
  static func seq(_ input: Input, in reader: JournalReader, _ output: inout Output) throws -> Seq {
    switch try read(input) {
    case nil: return reader.last
    case .cursor(let cursor): return try reader.seq(of: cursor)
    case .seq(let seq):
      guard seq <= reader.last else {
        throw Failure.usage("--at \(seq) is behind the last entry, which is \(reader.last)")
      }
      return seq
    case .time(let time):
      var found = Seq(0)
      try reader.forEachReversed { entry in
        guard entry.time.milliseconds <= time.last.milliseconds else { return true }
        found = entry.seq
        return false
      } mapping: {
        $0 as any Error
      }
      output.note("note: --at \(time.last) is entry \(found), the last one up to that time")
      return found
    }
  }
}
