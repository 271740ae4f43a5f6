package import TidemarkEntries
package import TidemarkJSON
package import TidemarkJournalStore

/// The one shape in which an entry stands in JSON: `tidemark.entry/1`.
///
/// `docs/JSON.md` is the contract. The envelope comes first, then the fields of the kind under
/// their registered names. What this build does not know is shown too, by number.
package struct EntryJSON {
  package static let schema = "tidemark.entry/1"

  /// The names of the envelope; no field of a kind may have one of them.
  package static let envelope = [
    "schema", "seq", "kind", "key", "scope", "account", "store", "time", "cause", "previousFence",
    "ticket", "path", "paths",
  ]

  private let context: EntryContext

  package init(_ context: EntryContext) {
    self.context = context
  }

  /// Writes `entry` as one object; `more` adds to it.
  package func write(
    _ entry: Entry,
    to json: inout JSONWriter,
    _ name: String? = nil,
    more: (inout JSONWriter) -> Void = { _ in }
  ) {
    let paths = (try? entry.paths) ?? []
    json.object(name) { json in
      json.field("schema", EntryJSON.schema)
      json.field("seq", entry.seq)
      json.field("kind", entry.kindName)
      json.field("key", entry.key.description)
      writeStore(of: entry, to: &json)
      json.field("time", entry.time)
      json.field("cause", entry.cause)
      json.field("previousFence", entry.previousFence)
      json.field("ticket", context.ticket(of: entry)?.description)
      json.field("path", paths.first.map { PathJSON.text(of: $0.path) })
      json.array("paths") { json in
        for link in paths { PathJSON.write(link, to: &json) }
      }
      PayloadJSON(entry, paths).write(to: &json)
      more(&json)
    }
  }

  /// The fields of `entry` alone, as one object in one line.
  package func fields(of entry: Entry) -> String {
    var json = JSONWriter(pretty: false)
    json.object { PayloadJSON(entry, (try? entry.paths) ?? []).write(to: &$0) }
    return String(decoding: json.drain(), as: UTF8.self)
  }

  private func writeStore(of entry: Entry, to json: inout JSONWriter) {
    let scope = context.scope(of: entry)
    json.field("scope", scope?.address)
    json.field("account", scope?.account)
    json.field("store", entry.store)
  }
}

/// How paths stand in JSON.
package enum PathJSON {
  /// The path; bytes that are no printable text as `0x` and hexadecimal digits.
  package static func text(of path: Path) -> String {
    path.description
  }

  static func write(_ link: PathLink, to json: inout JSONWriter) {
    json.object { json in
      json.field("path", text(of: link.path))
      json.field("role", "\(link.role)")
      json.field("previous", link.previous)
      json.field("previousMention", link.previousMention)
    }
  }
}

extension BodyReference {
  /// Writes the reference as an object; the content stands elsewhere.
  package func write(to json: inout JSONWriter, _ name: String?) {
    json.object(name) { json in
      json.field("id", id)
      json.field("commitment", commitment.description)
      json.field("bytes", byteCount)
      json.field("whole", isWhole)
    }
  }
}
