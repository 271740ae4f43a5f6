internal import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkJSON

/// The rows of a list in JSON: an array of objects, each with an id, each kept byte by byte.
struct JSONRows {
  /// One element of the array.
  struct Row {
    /// The id: the characters of a string, or the digits of a number; none if there is neither.
    var id: ItemID?

    /// The element as it came.
    var bytes: ArraySlice<UInt8>
  }

  private(set) var rows: [Row] = []
  private let idName: [UInt8]

  /// Nothing if `content` is no array.
  init?(_ content: [UInt8], idName: String = "id") {
    self.idName = Array(idName.utf8)
    do throws(JSONError) {
      var scanner = JSONScanner(content)
      guard try scanner.enter(.array) else { return nil }
      while try scanner.nextElement() {
        _ = try scanner.kind()
        let start = scanner.offset
        let id = try id(of: &scanner)
        rows.append(Row(id: id, bytes: content[start..<scanner.offset]))
      }
      try scanner.finish()
    } catch { return nil }
  }

  private func id(of scanner: inout JSONScanner) throws(JSONError) -> ItemID? {
    var id: ItemID?
    guard try scanner.enter(.object) else { return nil }
    while try scanner.nextMember() {
      guard Array(scanner.nameText.utf8) == idName else {
        try scanner.skip()
        continue
      }
      switch try scanner.kind() {
      case .string: id = try scanner.string().map { ItemID($0.bytes) }
      case .number: id = ItemID(try scanner.scalarText())
      default: try scanner.skip()
      }
    }
    return id
  }

  /// How a page names its rows; one without an id is named by its bytes.
  var names: [RowName] {
    rows.map { row in
      var hash = SHA256Hash()
      hash.update(row.id?.bytes ?? Array(row.bytes))
      return RowName(Digest(words: hash.finish()))
    }
  }

  /// The list with another row in the place of that with the id, or without it.
  ///
  /// A row that the list has not is put behind the others: a list that was saved is not re-sorted.
  func replacing(_ id: ItemID, _ row: [UInt8]?) -> [UInt8] {
    var parts = rows.filter { row != nil || $0.id != id }
      .map { $0.id == id ? row ?? [] : Array($0.bytes) }
    if let row, !rows.contains(where: { $0.id == id }) { parts.append(row) }
    return JSONRows.list(parts)
  }

  /// The array of `rows`.
  static func list(_ rows: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + rows.joined(separator: CollectionOfOne(UInt8(ascii: ",")))
      + [UInt8(ascii: "]")]
  }
}
