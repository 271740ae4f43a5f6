/// The operations that a GraphQL document defines (GraphQL, October 2021, section 2).
///
/// Only as much is read as tells what a request does: tokens, and which of them stand outside of
/// all brackets.
struct GraphQLDocument {
  struct Definition: Equatable {
    var kind: GraphQLOperation.Kind
    var name: String?
  }

  private(set) var definitions: [Definition] = []

  private let text: [UInt8]
  private var index = 0

  /// Reads a document; nothing if `text` is none, or defines no operation.
  init?(_ text: [UInt8]) {
    self.text = text
    var depth = 0
    var isInDefinition = false
    while let token = nextToken() {
      switch token {
      case .malformed: return nil
      case .open(let isSelection):
        if depth == 0, !isInDefinition {
          guard isSelection else { return nil }
          definitions.append(Definition(kind: .query))
          isInDefinition = true
        }
        depth += 1
      case .close(let isSelection):
        depth -= 1
        if depth < 0 { return nil }
        if depth == 0, isSelection { isInDefinition = false }
      case .name(let word) where depth == 0 && !isInDefinition:
        guard begin(word) else { return nil }
        isInDefinition = true
      case .name, .other:
        if depth == 0, !isInDefinition { return nil }
      }
    }
    if depth != 0 || isInDefinition || definitions.isEmpty { return nil }
  }

  /// Begins a definition with its keyword; false if it is none.
  private mutating func begin(_ keyword: String) -> Bool {
    guard keyword != "fragment" else { return true }
    guard let kind = GraphQLOperation.Kind(rawValue: keyword), kind != .unknown else {
      return false
    }
    var ahead = self
    if case .name(let name)? = ahead.nextToken() {
      definitions.append(Definition(kind: kind, name: name))
    } else {
      definitions.append(Definition(kind: kind))
    }
    return true
  }

  // MARK: - Tokens

  private enum Token {
    case name(String)
    /// A bracket, and whether it is one of those that stand around a selection.
    case open(isSelection: Bool)
    case close(isSelection: Bool)
    case other
    case malformed
  }

  private mutating func nextToken() -> Token? {
    passIgnored()
    guard index < text.count else { return nil }
    let byte = text[index]
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["):
      index += 1
      return .open(isSelection: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"):
      index += 1
      return .close(isSelection: byte == UInt8(ascii: "}"))
    case UInt8(ascii: "\""): return passString() ? .other : .malformed
    case _ where GraphQLDocument.isNameByte(byte):
      let start = index
      while index < text.count, GraphQLDocument.isNameByte(text[index]) { index += 1 }
      return .name(String(decoding: text[start..<index], as: UTF8.self))
    default:
      index += 1
      return "!$&.:=@|-+".utf8.contains(byte) ? .other : .malformed
    }
  }

  /// Passes white space, commas, byte order marks and comments.
  private mutating func passIgnored() {
    while index < text.count {
      switch text[index] {
      case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: ","), 0xef, 0xbb, 0xbf: index += 1
      case UInt8(ascii: "#"):
        while index < text.count, text[index] != 0x0a, text[index] != 0x0d { index += 1 }
      default: return
      }
    }
  }

  /// Passes a string or a block string; false if it does not end.
  private mutating func passString() -> Bool {
    let isBlock = text[index...].starts(with: "\"\"\"".utf8)
    index += isBlock ? 3 : 1
    while index < text.count {
      if text[index] == UInt8(ascii: "\\") {
        index += 2
      } else if isBlock
        ? text[index...].starts(with: "\"\"\"".utf8) : text[index] == UInt8(ascii: "\"")
      {
        index += isBlock ? 3 : 1
        return true
      } else {
        index += 1
      }
    }
    return false
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
