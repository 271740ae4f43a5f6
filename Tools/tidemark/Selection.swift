import TidemarkEntries
import TidemarkJournalStore

/// The filters and ranges of the command line, read into what a journal is asked for.
enum Selection {
  /// The fields that `FIELD=VALUE` may name.
  static let fields = ["kind", "scope", "path", "key", "ticket", "writer"]

  static let details = [
    "FIELD is kind, scope, path, key, ticket or writer. The same field twice means either, "
      + "different fields mean both. A path or key that ends in * (a key in … too, as it is "
      + "printed) stands for all that begin like it."
  ]

  /// The options that choose entries besides the filters.
  static let options: [Option] =
    Option.range + [
      .value("--cause", "SEQ", "only what follows from this entry"),
      .value("--grep", "TEXT", "only entries that hold this text, content aside"),
    ]

  /// What `input` asks for; its operands are filters, or those words of them that are given.
  static func read(
    _ input: Input,
    filters: [String]? = nil
  ) throws(Failure) -> EntrySelection {
    var selection = EntrySelection()
    selection.first = max(Seq(1), try input.seq("--from") ?? Seq(1))
    selection.last = try input.seq("--to")
    if let last = selection.last, last < selection.first {
      throw .usage("--from \(selection.first) stands behind --to \(last)")
    }
    selection.filter = try filter(filters ?? input.operands)
    selection.filter.since = try input.time("--since")?.first
    selection.filter.until = try input.time("--until")?.last
    if let since = selection.filter.since, let until = selection.filter.until,
      since.milliseconds > until.milliseconds
    {
      throw .usage("--since \(since) is later than --until \(until)")
    }
    selection.filter.cause = try input.seq("--cause")
    selection.filter.text = input.value("--grep").map { Array($0.utf8) }
    return selection
  }

  /// The filter that words such as `kind=read-refused` give.
  static func filter(_ words: [String]) throws(Failure) -> EntryFilter {
    var filter = EntryFilter()
    for word in words {
      guard let mark = word.firstIndex(of: "=") else { throw noFilter(word) }
      let value = String(word[word.index(after: mark)...])
      try add(value, of: String(word[..<mark]), to: &filter)
    }
    return filter
  }

  private static func noFilter(_ word: String) -> Failure {
    if word.hasPrefix("/"), System.fileType(at: word) == .missing {
      return .usage("'\(word)' is no filter; write path=\(word)")
    }
    if KindRegistry.type(named: word) != nil || Ticket(word) != nil {
      let field = Ticket(word) == nil ? "kind" : "ticket"
      return .usage("'\(word)' is no filter; write \(field)=\(word)")
    }
    let isFile = System.fileType(at: word) == .regular
    var failure = Failure.usage(
      "'\(word)' is no filter; write FIELD=VALUE",
      advice: isFile ? "The journal comes first." : nil
    )
    failure.surplus = word
    return failure
  }

  private static func add(
    _ value: String,
    of field: String,
    to filter: inout EntryFilter
  ) throws(Failure) {
    guard !value.isEmpty else { throw .usage("\(field)= needs a value") }
    switch field {
    case "kind": filter.kinds.insert(try kind(value))
    case "scope": filter.scopes.append((try? Scope(value))?.address ?? value)
    case "path": filter.paths.append(try path(value))
    case "key": filter.keys.append(key(value))
    case "ticket":
      guard let ticket = Ticket(value) else {
        throw .usage("ticket= takes a ticket such as 3.7.211, not '\(value)'")
      }
      filter.tickets.insert(ticket)
    case "writer":
      guard Hex.decode(value) != nil || Hex.decode(value + "0") != nil else {
        throw .usage("writer= takes the first hexadecimal digits of an id, not '\(value)'")
      }
      filter.writers.append(value.lowercased())
    default:
      let nearest = Nearest.name(to: field, among: fields)
      let hint = nearest.map { "; the nearest is \($0)" } ?? ""
      throw .usage("no filter is called '\(field)'\(hint)")
    }
  }

  /// The number of a kind; those without a name here are called by their number, `kind-77`.
  private static func kind(_ name: String) throws(Failure) -> UInt16 {
    if let kind = KindRegistry.type(named: name) { return kind.number }
    if name.hasPrefix("kind-"), let number = UInt16(name.dropFirst(5)) { return number }
    let nearest = Nearest.names(to: name, among: KindRegistry.kinds.map { $0.name }, max: 1).first
    let hint = nearest.map { "; the nearest is \($0)" } ?? ""
    throw .usage("there is no kind '\(name)'\(hint)")
  }

  private static func path(_ text: String) throws(Failure) -> EntryFilter.Pattern {
    if let bytes = bytes(ofHex: text) { return EntryFilter.Pattern(bytes) }
    do throws(EntryError) {
      // A star may stand in a path: it is brought to the canonical form with the rest.
      let path = try Path(text)
      guard path.bytes.last == UInt8(ascii: "*") else { return EntryFilter.Pattern(path.bytes) }
      return EntryFilter.Pattern(Array(path.bytes.dropLast()), isPrefix: true)
    } catch { throw .usage("path=\(text): \(error.message)") }
  }

  private static func key(_ text: String) -> EntryFilter.Pattern {
    let isPrefix = text.hasSuffix("*") || text.hasSuffix("…")
    let start = isPrefix ? String(text.dropLast()) : text
    // A key that was cut may end in half a byte.
    let half = isPrefix ? bytes(ofHex: String(start.dropLast())) : nil
    let bytes = bytes(ofHex: start) ?? half ?? Array(start.utf8)
    return EntryFilter.Pattern(bytes, isPrefix: isPrefix)
  }

  /// Keys and paths that are no text are shown as `0x` and digits, and so they may be given.
  static func bytes(ofHex text: String) -> [UInt8]? {
    text.hasPrefix("0x") ? Hex.decode(text.dropFirst(2)) : nil
  }
}
