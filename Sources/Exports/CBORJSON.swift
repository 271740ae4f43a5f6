internal import TidemarkEntries
internal import TidemarkJSON

/// Any item of CBOR as JSON, for what no kind describes.
///
/// What JSON does not have stands in an object with one name that says what it is. `docs/JSON.md`
/// lists them.
enum CBORJSON {
  /// Numbers beyond this are not exact everywhere (RFC 8259, section 6).
  private static let exactMax: UInt64 = 1 << 53 - 1

  static func write(_ value: CBORValue, to json: inout JSONWriter, _ name: String?) {
    switch value {
    case .unsigned(let number): write(number, isNegative: false, to: &json, name)
    case .negative(let number): write(number, isNegative: true, to: &json, name)
    case .text(let text): json.put(text, name)
    case .bytes(let bytes):
      json.object(name) { $0.field("base64", Base64Text(bytes)) }
    case .array(let items):
      json.array(name) { json in for item in items { write(item, to: &json, nil) } }
    case .map(let pairs): write(pairs, to: &json, name)
    case .tag(let number, let item):
      json.object(name) { json in
        write(number, isNegative: false, to: &json, "tag")
        write(item, to: &json, "value")
      }
    case .float(let number): write(number, to: &json, name)
    case .simple(20): json.put(false, name)
    case .simple(21): json.put(true, name)
    case .simple(22): json.put(String?.none, name)
    case .simple(let number): json.object(name) { $0.field("simple", Int(number)) }
    }
  }

  /// A number; one that not every reader of JSON holds exactly as its digits.
  private static func write(
    _ number: UInt64,
    isNegative: Bool,
    to json: inout JSONWriter,
    _ name: String?
  ) {
    guard number < exactMax else {
      // −1 − 2^64 + 1 is still within 128 bits.
      let value = isNegative ? -1 - Int128(number) : Int128(number)
      return json.object(name) { $0.field("integer", String(value)) }
    }
    json.put(isNegative ? -1 - Int64(number) : Int64(number), name)
  }

  private static func write(_ number: Double, to json: inout JSONWriter, _ name: String?) {
    guard number.isFinite else {
      let word = number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
      return json.object(name) { $0.field("float", word) }
    }
    json.put(number, name)
  }

  /// An object if all keys are numbers or all are texts; else the pairs, under `map`.
  private static func write(
    _ pairs: [CBORValue.Pair],
    to json: inout JSONWriter,
    _ name: String?
  ) {
    let numbers = pairs.compactMap { pair in
      if case .unsigned(let number) = pair.key { String(number) } else { String?.none }
    }
    let texts = pairs.compactMap { pair in
      if case .text(let text) = pair.key { text } else { String?.none }
    }
    let names = numbers.count == pairs.count ? numbers : texts
    guard names.count == pairs.count else {
      return json.object(name) { json in
        json.array("map") { json in
          for pair in pairs {
            json.array { json in
              write(pair.key, to: &json, nil)
              write(pair.value, to: &json, nil)
            }
          }
        }
      }
    }
    json.object(name) { json in
      for (name, pair) in zip(names, pairs) { write(pair.value, to: &json, name) }
    }
  }
}

extension JSONWriter {
  /// Writes a field if it has a name, else an element.
  fileprivate mutating func put(_ value: some JSONScalar, _ name: String?) {
    if let name { field(name, value) } else { element(value) }
  }
}
