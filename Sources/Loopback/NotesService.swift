internal import Foundation
internal import Synchronization

/// The server of a small notes app: what it was told under a key takes effect once.
package final class NotesService: Sendable {
  package struct Note: Codable, Sendable, Equatable {
    package var id: String
    package var text: String
    package var revision: Int
    package var photo: String?
  }

  fileprivate struct State {
    var notes: [Note] = []
    var photos: [String: [UInt8]] = [:]
    var revision = 0
    var answers: [String: (content: [UInt8], answer: HTTPResponse)] = [:]
    var effects: [String: Int] = [:]
    var needsToken: String?
  }

  private let pageSize: Int
  private let state = Mutex(State())

  package init(pageSize: Int = 500) {
    self.pageSize = pageSize
  }

  /// How often what came under each key took effect.
  package var effects: [String: Int] { state.withLock { $0.effects } }
  package var notes: [Note] { state.withLock { $0.notes } }
  package func photo(_ name: String) -> [UInt8]? { state.withLock { $0.photos[name] } }

  /// Asks for this token from here on.
  package func require(token: String?) { state.withLock { $0.needsToken = token } }

  /// Adds a note as somebody else would.
  @discardableResult
  package func add(_ text: String) -> Note {
    state.withLock { $0.add(text, nil) }
  }

  /// Changes a note as somebody else would.
  package func change(_ id: String, _ text: String) {
    state.withLock { _ = $0.change(id, text) }
  }

  /// What a ``LoopbackServer`` asks.
  package func answer(_ request: HTTPRequest) -> HTTPResponse {
    state.withLock { state in
      if let token = state.needsToken, request.headers["authorization"] != "Bearer \(token)" {
        return HTTPResponse(401, "sign in")
      }
      guard request.method != "GET" else { return state.read(request, pageSize) }
      guard let key = request.idempotencyKey else { return HTTPResponse(400, "no key") }
      if let prior = state.answers[key] {
        let isSame = prior.content == request.content
        return isSame ? prior.answer : HTTPResponse(422, "the key is that of something else")
      }
      let answer = state.write(request)
      guard answer.status < 300 else { return answer }
      state.answers[key] = (request.content, answer)
      state.effects[key, default: 0] += 1
      return answer
    }
  }
}

extension NotesService.State {
  fileprivate mutating func add(_ text: String, _ photo: [UInt8]?) -> NotesService.Note {
    revision += 1
    let id = "n\(notes.count + 1)"
    if let photo { photos["p\(id)"] = photo }
    let note = NotesService.Note(
      id: id,
      text: text,
      revision: revision,
      photo: photo == nil ? nil : "p\(id)"
    )
    notes.append(note)
    return note
  }

  fileprivate mutating func change(_ id: String, _ text: String) -> NotesService.Note? {
    guard let place = notes.firstIndex(where: { $0.id == id }) else { return nil }
    revision += 1
    notes[place].text = text
    notes[place].revision = revision
    return notes[place]
  }

  fileprivate func read(_ request: HTTPRequest, _ pageSize: Int) -> HTTPResponse {
    let parts = request.path.split(separator: "/").map { String($0) }
    switch (parts.first, parts.count) {
    case ("notes", 1):
      let page = request.query("page").flatMap { Int($0) } ?? 0
      guard page >= 0 else { return HTTPResponse(400) }
      return Self.json(Array(notes.dropFirst(page * pageSize).prefix(pageSize)))
    case ("notes", 2):
      return notes.first { $0.id == parts[1] }.map { Self.json($0) } ?? HTTPResponse(404)
    case ("photos", 2):
      return photos[parts[1]].map { HTTPResponse(bytes: $0) } ?? HTTPResponse(404)
    default: return HTTPResponse(404)
    }
  }

  fileprivate mutating func write(_ request: HTTPRequest) -> HTTPResponse {
    let parts = request.path.split(separator: "/").map { String($0) }
    let form = MultipartForm(request)
    let content = form?.parts.first?.content ?? request.content
    guard let text = try? JSONDecoder().decode([String: String].self, from: Data(content))["text"]
    else { return HTTPResponse(422, "a note has a text") }
    switch (request.method, parts.count) {
    case ("POST", 1):
      return Self.json(add(text, form?.parts.dropFirst().first?.content), 201)
    case ("PUT", 2): return change(parts[1], text).map { Self.json($0) } ?? HTTPResponse(404)
    default: return HTTPResponse(405)
    }
  }

  private static func json(_ value: some Encodable, _ status: Int = 200) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(value) else { return HTTPResponse(500) }
    return HTTPResponse(
      status,
      bytes: Array(data),
      headers: ["Content-Type": "application/json"]
    )
  }
}

/// The parts of a form with files (RFC 7578).
package struct MultipartForm {
  package struct Part {
    package let head: String
    package let content: [UInt8]
  }

  package let parts: [Part]

  /// Nothing if the request is no such form, or is not whole.
  package init?(_ request: HTTPRequest) {
    let type = request.headers["content-type"] ?? ""
    guard type.hasPrefix("multipart/form-data; boundary=") else { return nil }
    let boundary = type.dropFirst("multipart/form-data; boundary=".count).filter { $0 != "\"" }
    let line = Data("\r\n--\(boundary)".utf8)
    var rest = Data("\r\n".utf8) + Data(request.content)
    var parts: [Part] = []
    guard let first = rest.range(of: line) else { return nil }
    rest = rest[first.upperBound...]
    while !rest.starts(with: Data("--".utf8)) {
      guard let next = rest.range(of: line) else { return nil }
      let part = rest[rest.startIndex..<next.lowerBound].dropFirst(2)
      guard let head = part.range(of: Data("\r\n\r\n".utf8)) else { return nil }
      let words = String(decoding: part[part.startIndex..<head.lowerBound], as: UTF8.self)
      parts.append(Part(head: words, content: Array(part[head.upperBound...])))
      rest = rest[next.upperBound...]
    }
    self.parts = parts
  }
}
