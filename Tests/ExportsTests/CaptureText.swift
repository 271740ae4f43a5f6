import TestSupport
import TidemarkExports
import TidemarkJSON

/// The text of a capture with these elements in `log.entries`.
func captureText(_ entries: [String], before: String = "", after: String = "") -> String {
  """
  {"log": {"version": "1.2", "creator": {"name": "Test", "version": "1"}, \(before)"entries": \
  [\(entries.joined(separator: ",\n"))]\(after)}}
  """
}

/// The text of one element; every part is JSON.
func entryText(
  started: String? = "\"2026-05-12T14:03:07.000Z\"",
  time: String? = "100",
  method: String = "\"GET\"",
  url: String = "\"https://api.example.org/notes\"",
  request: String = "",
  status: String = "200",
  response: String = "",
  content: String? = #"{"size": 2, "mimeType": "application/json", "text": "[]"}"#,
  more: String = ""
) -> String {
  let members = [
    started.map { "\"startedDateTime\": \($0)" },
    time.map { "\"time\": \($0)" },
    "\"request\": {\"method\": \(method), \"url\": \(url)\(request.isEmpty ? "" : ", ")\(request)}",
    "\"response\": {\"status\": \(status)\(content.map { ", \"content\": \($0)" } ?? "")"
      + "\(response.isEmpty ? "" : ", ")\(response)}",
    more.isEmpty ? nil : more,
  ]
  return "{" + members.compactMap(\.self).joined(separator: ", ") + "}"
}

/// A capture, read to its end.
struct Reading {
  var capture: HARCapture
  var events: [HAREvent] = []
  var problems: [HARProblem] = []

  init(_ text: String, limits: HARLimits = HARLimits()) throws {
    try self.init(Array(text.utf8), limits: limits)
  }

  init(_ bytes: [UInt8], limits: HARLimits = HARLimits()) throws {
    let file = try TemporaryFile(bytes)
    try self.init(path: file.path, limits: limits)
  }

  init(path: String, limits: HARLimits = HARLimits()) throws {
    capture = try HARCapture(reading: InputFile(path: path), limits: limits)
    var walk = capture.events()
    while let event = try walk.next() { events.append(event) }
    problems = capture.problems.listed + walk.problems.listed
  }

  /// The exchanges as they are known in the end, in the order in which they began.
  var exchanges: [Exchange] {
    var order: [Int] = []
    var known: [Int: Exchange] = [:]
    for event in events {
      let exchange = event.exchange
      if known.updateValue(exchange, forKey: exchange.index) == nil { order.append(exchange.index) }
    }
    return order.compactMap { known[$0] }
  }

  /// The events in short: `+0` where the entry 0 began, `-0` where it ended.
  var order: String {
    events.map { event in
      switch event {
      case .began(let exchange): "+\(exchange.index)"
      case .ended(let exchange): "-\(exchange.index)"
      }
    }
    .joined(separator: " ")
  }
}

/// What one entry alone becomes.
func exchange(_ entry: String) throws -> Exchange {
  let reading = try Reading(captureText([entry]))
  guard let exchange = reading.exchanges.first else { throw reading.problems[0] }
  return exchange
}

/// What the answer's content of one entry alone becomes.
func body(_ content: String, headers: String = "", status: String = "200") throws -> CapturedBody {
  let response = headers.isEmpty ? "" : "\"headers\": [\(headers)]"
  return try exchange(entryText(status: status, response: response, content: content)).responseBody
}

extension CapturedBody {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
