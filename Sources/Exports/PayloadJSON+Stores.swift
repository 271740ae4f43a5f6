internal import TidemarkEntries
internal import TidemarkJSON

// The forms of the fields that outbox, pins and checkpoints have.
extension PayloadJSON {
  func writeTime(_ value: CBORValue, to json: inout JSONWriter, _ name: String) {
    switch value {
    case .unsigned(let number):
      guard let milliseconds = Int64(exactly: number) else {
        return CBORJSON.write(value, to: &json, name)
      }
      json.field(name, DeviceTime(milliseconds: milliseconds).description)
    case .negative(let number):
      guard let below = Int64(exactly: number) else {
        return CBORJSON.write(value, to: &json, name)
      }
      json.field(name, DeviceTime(milliseconds: -1 - below).description)
    default: CBORJSON.write(value, to: &json, name)
    }
  }

  func writeFile(_ value: CBORValue, to json: inout JSONWriter) {
    guard case .array(let parts) = value, (2...3).contains(parts.count),
      case .text(let name) = parts[0]
    else { return CBORJSON.write(value, to: &json, nil) }
    json.object { json in
      json.field("name", name)
      writeBody(parts[1], to: &json, "body")
      var mediaType: String?
      if case .text(let text)? = parts.dropFirst(2).first { mediaType = text }
      json.field("mediaType", mediaType)
    }
  }

  func writePin(_ value: CBORValue, to json: inout JSONWriter) {
    guard case .array(let parts) = value, (1...2).contains(parts.count),
      case .bytes(let id) = parts[0]
    else { return CBORJSON.write(value, to: &json, nil) }
    json.object { json in
      json.field("id", ItemID(id).description)
      var version: String?
      if case .unsigned(let number)? = parts.dropFirst().first { version = String(number) }
      json.field("version", version)
    }
  }

  func writeState(_ value: CBORValue, to json: inout JSONWriter) {
    guard case .array(let parts) = value, parts.count == 3, case .text(let name) = parts[0],
      case .unsigned(let version) = parts[1], case .bytes(let digest) = parts[2]
    else { return CBORJSON.write(value, to: &json, nil) }
    json.object { json in
      json.field("name", name)
      json.field("version", Int(clamping: version))
      json.field("digest", Hex.encode(digest))
    }
  }
}
