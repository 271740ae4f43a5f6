/// A request as it came.
package struct HTTPRequest: Sendable {
  package let method: String

  /// The path with its query, as it stood in the request line.
  package let target: String

  /// By names in lower case.
  package let headers: [String: String]
  package let content: [UInt8]

  /// The path without its query.
  package var path: String { String(target.prefix { $0 != "?" }) }

  /// A value of the query.
  package func query(_ name: String) -> String? {
    target.split(separator: "?").dropFirst().joined().split(separator: "&")
      .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// The key of the work that it is for; in the header it stands between quotes.
  package var idempotencyKey: String? {
    guard let header = headers["idempotency-key"], header.count >= 2, header.first == "\"",
      header.last == "\""
    else { return nil }
    return String(header.dropFirst().dropLast())
  }
}

/// What is answered.
package struct HTTPResponse: Sendable, Equatable {
  /// How a client knows where the content ends.
  package enum Framing: Sendable {
    case length, chunked, close
  }

  package var status: Int
  package var headers: [String: String]
  package var content: [UInt8]
  package var framing = Framing.length

  package init(_ status: Int = 200, _ content: String = "", headers: [String: String] = [:]) {
    self.init(status, bytes: Array(content.utf8), headers: headers)
  }

  package init(_ status: Int = 200, bytes: [UInt8], headers: [String: String] = [:]) {
    self.status = status
    self.content = bytes
    self.headers = headers
  }

  var head: [UInt8] {
    var lines = ["HTTP/1.1 \(status) \(status < 400 ? "Fine" : "Not so")"]
    switch framing {
    case .length: lines.append("Content-Length: \(content.count)")
    case .chunked: lines.append("Transfer-Encoding: chunked")
    case .close: lines.append("Connection: close")
    }
    lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// The content as it goes over the wire.
  var framed: [UInt8] {
    guard framing == .chunked else { return content }
    let size = Array("\(String(content.count, radix: 16))\r\n".utf8)
    return (content.isEmpty ? [] : size + content + Array("\r\n".utf8)) + Array("0\r\n\r\n".utf8)
  }
}

/// Takes requests out of what a connection brings.
struct RequestReader {
  private static let headBytesMax = 65_536
  private static let contentBytesMax = 64 << 20
  private let socket: Socket
  private var rest: [UInt8] = []

  init(_ socket: Socket) {
    self.socket = socket
  }

  /// The next request; nothing if the connection ends, or brings something else.
  mutating func next() -> HTTPRequest? {
    guard let end = endOfHead() else { return nil }
    let lines = String(decoding: rest[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    guard (0...Self.contentBytesMax).contains(length) else { return nil }
    while rest.count < end + 4 + length { guard more() else { return nil } }
    let content = Array(rest[(end + 4)..<(end + 4 + length)])
    rest.removeFirst(end + 4 + length)
    return HTTPRequest(
      method: String(words[0]),
      target: String(words[1]),
      headers: headers,
      content: content
    )
  }

  private mutating func more() -> Bool {
    let bytes = socket.read()
    rest += bytes
    return !bytes.isEmpty
  }

  private mutating func endOfHead() -> Int? {
    var searched = 0
    while true {
      let end = (searched..<max(searched, rest.count - 3)).first {
        rest[$0] == 13 && rest[$0 + 1] == 10 && rest[$0 + 2] == 13 && rest[$0 + 3] == 10
      }
      if let end { return end }
      searched = max(0, rest.count - 3)
      guard rest.count < Self.headBytesMax, more() else { return nil }
    }
  }
}
