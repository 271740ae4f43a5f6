/// What every journal file is made of, as this build embeds it.
package enum JournalFormat {
  /// The format that this build writes, `user_version` of the file.
  package static let version: Int64 = 1

  /// `application_id` of the file: "Tide" in ASCII.
  package static let applicationID: Int64 = 0x5469_6465

  /// The SQL of `schema/journal.sql`.
  package static var schema: String {
    String(decoding: PackageResources.journal_sql, as: UTF8.self)
  }

  /// The registry of `kinds/kinds.json`.
  package static var kinds: String {
    String(decoding: PackageResources.kinds_json, as: UTF8.self)
  }
}
