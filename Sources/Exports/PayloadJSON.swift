internal import TidemarkEntries
internal import TidemarkJSON

/// The fields of one entry in JSON, under the names that its kind gives them.
struct PayloadJSON {
  private let entry: Entry
  private let paths: [PathLink]

  init(_ entry: Entry, _ paths: [PathLink]) {
    self.entry = entry
    self.paths = paths
  }

  /// Writes the fields into the open object.
  ///
  /// A kind that is unknown here has its payload as a whole under `payload`; unknown fields of a
  /// known kind stand under `otherFields`; a payload that is no map of fields under `malformed`.
  func write(to json: inout JSONWriter) {
    let bytes = Array(entry.storage[entry.payloadRange])
    guard !bytes.isEmpty else { return }
    guard let payload = try? CBORValue(bytes), case .map(let pairs) = payload else {
      return json.field("malformed", Base64Text(bytes))
    }
    guard let kind = KindRegistry.type(of: entry.kind) else {
      return CBORJSON.write(payload, to: &json, "payload")
    }
    var others: [CBORValue.Pair] = []
    for pair in pairs {
      guard case .unsigned(let number) = pair.key,
        let field = kind.fields.first(where: { $0.number == number })
      else {
        others.append(pair)
        continue
      }
      write(pair.value, of: field, to: &json)
    }
    if !others.isEmpty { CBORJSON.write(.map(others), to: &json, "otherFields") }
  }

  private func write(_ value: CBORValue, of field: KindField, to json: inout JSONWriter) {
    // The scope says it already: only the entry that opens a store has this field.
    guard field.name != "account" else { return }
    switch (field.form, value) {
    case (.revision, .unsigned(let number)): json.field(field.name, String(number))
    case (.key, .bytes(let bytes)): json.field(field.name, PayloadJSON.text(ofKey: bytes))
    case (.digest, .bytes(let bytes)): json.field(field.name, Hex.encode(bytes))
    case (.bytes, .bytes(let bytes)): json.field(field.name, Base64Text(bytes))
    case (.body, _): writeBody(value, to: &json, field.name)
    case (.copies, .array(let copies)):
      json.array(field.name) { json in for copy in copies { writeCopy(copy, to: &json) } }
    case (.touches, .array(let touches)):
      json.array(field.name) { json in for touch in touches { writeTouch(touch, to: &json) } }
    case (.indexes, .array(let indexes)):
      json.array(field.name) { json in for index in indexes { json.element(path(at: index)) } }
    case (.time, .unsigned), (.time, .negative): writeTime(value, to: &json, field.name)
    case (.files, .array(let files)):
      json.array(field.name) { json in for file in files { writeFile(file, to: &json) } }
    case (.pins, .array(let pins)):
      json.array(field.name) { json in for pin in pins { writePin(pin, to: &json) } }
    case (.states, .array(let states)):
      json.array(field.name) { json in for state in states { writeState(state, to: &json) } }
    default: CBORJSON.write(value, to: &json, field.name)
    }
  }

  private static func text(ofKey bytes: [UInt8]) -> String {
    (try? IdempotencyKey(bytes))?.description ?? "0x" + Hex.encode(bytes)
  }

  /// The path of the envelope that `index` counts to; null if there is none.
  private func path(at index: CBORValue) -> String? {
    guard case .unsigned(let number) = index, number < UInt64(paths.count) else { return nil }
    return PathJSON.text(of: paths[Int(number)].path)
  }

  func writeBody(_ value: CBORValue, to json: inout JSONWriter, _ name: String?) {
    guard case .array(let parts) = value, (3...4).contains(parts.count),
      case .unsigned(let id) = parts[0], case .bytes(let bytes) = parts[1],
      let commitment = Digest(bytes), case .unsigned(let byteCount) = parts[2]
    else { return CBORJSON.write(value, to: &json, name) }
    BodyReference(
      id: id,
      commitment: commitment,
      byteCount: byteCount,
      isWhole: parts.count == 3
    ).write(to: &json, name)
  }

  private func writeCopy(_ value: CBORValue, to json: inout JSONWriter) {
    guard case .array(let parts) = value, (2...3).contains(parts.count) else {
      return CBORJSON.write(value, to: &json, nil)
    }
    json.object { json in
      json.field("path", path(at: parts[0]))
      writeBody(parts[1], to: &json, "body")
      var revision: String?
      if case .unsigned(let number)? = parts.dropFirst(2).first { revision = String(number) }
      json.field("revision", revision)
    }
  }

  private func writeTouch(_ value: CBORValue, to json: inout JSONWriter) {
    guard case .array(let parts) = value, parts.count == 2, case .unsigned(let number) = parts[0],
      let form = UInt8(exactly: number).flatMap(Touch.Form.init), case .bytes(let bytes) = parts[1]
    else { return CBORJSON.write(value, to: &json, nil) }
    json.object { json in
      json.field("form", "\(form)")
      json.field("path", PathJSON.text(of: Path(canonical: bytes)))
    }
  }
}
