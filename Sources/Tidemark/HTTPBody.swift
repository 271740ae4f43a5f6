internal import Foundation

/// The content of a request of the outbox, the same bytes for every attempt.
///
/// Without files it is the content of the item as it is. With files it is a form (RFC 7578) whose
/// parts are `content`, if there is any, and a `file` each, in their order.
struct HTTPBody {
  let type: String
  let content: Data

  init?(_ request: OutboxRequest, contentType: String) {
    guard !request.files.isEmpty else {
      guard let content = request.content else { return nil }
      self.type = contentType
      self.content = Data(content)
      return
    }
    let contents = [request.content].compactMap { $0 } + request.files.map(\.content)
    let boundary = HTTPBody.boundary(of: request.item.key, outside: contents)
    var form = Data()
    func add(_ name: String, _ file: String?, _ type: String, _ content: [UInt8]) {
      let file = file.map { "; filename=\"\(HTTPBody.escaped($0))\"" } ?? ""
      form += Data("--\(boundary)\r\n".utf8)
      form += Data("Content-Disposition: form-data; name=\"\(name)\"\(file)\r\n".utf8)
      form += Data("Content-Type: \(type)\r\n\r\n".utf8)
      form += Data(content)
      form += Data("\r\n".utf8)
    }
    if let content = request.content { add("content", nil, contentType, content) }
    for file in request.files {
      let type = file.mediaType.flatMap { HTTPBody.isPlain($0) ? $0 : nil }
      add("file", file.name, type ?? "application/octet-stream", file.content)
    }
    form += Data("--\(boundary)--\r\n".utf8)
    type = "multipart/form-data; boundary=\(boundary)"
    content = form
  }

  /// A line that stands in none of the contents, and is the same at each attempt.
  static func boundary(of key: IdempotencyKey, outside contents: [[UInt8]]) -> String {
    // FNV-1a: it need not be hard to guess, for what holds it is given another.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    for byte in key.bytes { mix(byte) }
    while true {
      let boundary = "tidemark-" + String(hash, radix: 16)
      guard contents.contains(where: { Data($0).range(of: Data(boundary.utf8)) != nil }) else {
        return boundary
      }
      mix(0)
    }
  }

  /// The name of a file between quotes, as browsers write it.
  private static func escaped(_ name: String) -> String {
    String(
      decoding: name.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case 0x22: Array("%22".utf8)
        case 0x0d: Array("%0D".utf8)
        case 0x0a: Array("%0A".utf8)
        case 0: Array("%00".utf8)
        default: [byte]
        }
      },
      as: UTF8.self
    )
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
  }

  /// A key as a string of a structured field (RFC 8941, section 3.3.3): ASCII between quotes.
  ///
  /// A key that is no such text is written in hexadecimal digits behind `0x`, as is any that itself
  /// begins so: no two keys are written the same.
  static func quoted(_ key: IdempotencyKey) -> String {
    let text = key.description
    let plain =
      isPlain(text) ? text : "0x" + key.bytes.map { hex($0) }.joined()
    return "\"" + plain.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
