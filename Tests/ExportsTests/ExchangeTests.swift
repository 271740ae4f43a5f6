import TestSupport
import Testing
import TidemarkEntries
import TidemarkExports
import TidemarkJSON

/// What an element says of a request and its answer, besides times and the answer's content.
@Suite struct ExchangeTests {
  // MARK: Addresses

  private func url(_ text: String) throws -> CapturedURL {
    try exchange(entryText(url: "\"\(text)\"")).url
  }

  private func paths(_ text: String) throws -> [String] {
    guard case .server(let parts) = try url(text) else { return [] }
    return [parts.scope.address, parts.receivedPath.description, parts.path.description]
  }

  @Test func `an address becomes a scope and a path, in canonical form`() throws {
    #expect(
      try paths("https://API.Example.org:443/Notes/./a/../41/#x") == [
        "https://api.example.org", "/Notes/41", "/Notes/41",
      ]
    )
    #expect(try paths("HTTP://a.example:8080") == ["http://a.example:8080", "/", "/"])
    #expect(try paths("http://a.example?x=1") == ["http://a.example", "/?x=1", "/?x=1"])
    #expect(
      try paths("https://user:secret@a.example/x@y") == ["https://a.example", "/x@y", "/x@y"]
    )
    #expect(
      try paths("https://[::1]:8443/%7euser/%c3%a9é") == [
        "https://[::1]:8443", "/~user/%C3%A9%C3%A9", "/~user/%C3%A9%C3%A9",
      ]
    )
  }

  @Test func `parameters are sorted by name, and those of one name keep their order`() throws {
    #expect(
      try paths("https://a.example/s?b=2&a=1&b=1&%61=0&c") == [
        "https://a.example", "/s?b=2&a=1&b=1&a=0&c", "/s?a=1&a=0&b=2&b=1&c",
      ]
    )
    #expect(
      try paths("https://a.example/s?a=1&b=2") == [
        "https://a.example", "/s?a=1&b=2", "/s?a=1&b=2",
      ]
    )
    #expect(try paths("https://a.example/s?&&").last == "/s")
    #expect(try paths("https://a.example/s?ab=1&a=1").last == "/s?a=1&ab=1")
  }

  @Test(arguments: [
    ("data:text/plain,a", "data"), ("blob:https://a.example/1", "blob"), ("about:blank", "about"),
    ("ws://a.example/s", "ws"), ("WSS://a.example/s", "wss"), ("file:///etc/passwd", "file"),
    ("chrome-extension://abc/x.js", "chrome-extension"), ("moz-extension://a/", "moz-extension"),
    ("a.example:443", "a.example"),
  ])
  func `what does not go to a server by HTTP is told by its scheme`(text: String, scheme: String)
    throws
  {
    #expect(try url(text) == .elsewhere(scheme: scheme))
    #expect(try Reading(captureText([entryText(url: "\"\(text)\"")])).problems == [])
  }

  @Test(arguments: [
    "/notes", "notes", "http:", "http:/a.example", "https://", "https:///x",
    "https://a.example:99999/",
    "https://ä.example/", "https://a b.example/", "://a.example", "1http://a.example/",
  ])
  func `an address that is none is told, and the exchange is taken`(text: String) throws {
    let reading = try Reading(captureText([entryText(url: "\"\(text)\"")]))
    #expect(reading.order == "+0 -0")
    guard case .malformed? = reading.exchanges.first?.url else {
      Issue.record("\(text) became an address")
      return
    }
    #expect(reading.problems.map(\.index) == [0])
  }

  @Test func `an address that is too long for a journal is told`() throws {
    let long = String(repeating: "x", count: Path.bytesMax)
    let reading = try Reading(captureText([entryText(url: "\"https://a.example/\(long)\"")]))
    #expect(reading.problems.first?.reason.contains("8192") == true)
  }

  // MARK: Headers

  @Test func `headers are found by name in lower case, and keep their order`() throws {
    let exchange = try exchange(
      entryText(
        request: #""headers": [{"name": "If-None-Match", "value": "\"a\""}]"#,
        response: """
          "headers": [{"name": "ETag", "value": "\\"b\\u00e9\\""},
           {"value": "1", "name": "Set-Cookie"}, {"name": "set-cookie", "value": "2"},
           {"name": "X-Empty"}, {"name": ""}, {}, 7, null, {"name": "X-Number", "value": 5},
           {"name": "X-Twice", "name": "X-Last", "value": "v"}]
          """
      )
    )
    #expect(exchange.requestHeaders.first("if-none-match") == "\"a\"")
    #expect(exchange.responseHeaders.first("etag") == "\"bé\"")
    #expect(exchange.responseHeaders.all("set-cookie") == ["1", "2"])
    #expect(exchange.responseHeaders.first("x-empty") == "")
    #expect(exchange.responseHeaders.first("x-number") == "")
    #expect(exchange.responseHeaders.first("x-last") == "v")
    #expect(!exchange.responseHeaders.has("x-twice"))
    #expect(!exchange.responseHeaders.has("content-type"))
    #expect(exchange.responseHeaders.count == 6)
  }

  @Test func `headers that are no array are none`() throws {
    for headers in ["null", "{}", "\"a: b\"", "{\"etag\": \"x\"}"] {
      let exchange = try exchange(entryText(response: "\"headers\": \(headers)"))
      #expect(exchange.responseHeaders.count == 0)
    }
  }

  // MARK: Content of a request

  private func sent(_ postData: String, more: String = "") throws -> CapturedBody? {
    try exchange(entryText(method: "\"POST\"", request: "\"postData\": \(postData)\(more)"))
      .requestBody
  }

  @Test func `what was sent is taken from the text`() throws {
    let json = try #require(
      try sent(#"{"mimeType": "application/json", "text": "{\"a\":1}", "params": []}"#)
    )
    #expect(json.text == #"{"a":1}"#)
    #expect(json.mediaType == "application/json")
    #expect(json.isWhole)
    #expect(try sent(#"{"text": "AAEC", "encoding": "base64"}"#)?.bytes == [0, 1, 2])
    #expect(try sent(#"{"text": "AAEC", "_encoding": "base64"}"#)?.bytes == [0, 1, 2])
    #expect(try sent(#"{"text": "a\ud800"}"#)?.gap == .altered)
    #expect(try sent(#"{"text": "abc"}"#, more: ", \"bodySize\": 9")?.gap == .cut)
    #expect(try sent(#"{"text": "a=1", "params": [{"name": "b", "value": "2"}]}"#)?.text == "a=1")
  }

  @Test func `a form without its text is put together from its fields, and that is told`() throws {
    let form = try #require(
      try sent(
        #"{"mimeType": "application/x-www-form-urlencoded", "#
          + #""params": [{"name": "a b", "value": "é&="}, {"name": "c"}]}"#
      )
    )
    #expect(form.text == "a+b=%C3%A9%26%3D&c=")
    #expect(form.gap == .rebuilt)
    let empty = try sent(#"{"text": "", "params": [{"name": "a", "value": "1"}]}"#)
    #expect(empty?.text == "a=1")
    let upload = try sent(
      #"{"mimeType": "multipart/form-data", "params": [{"name": "f", "fileName": "a"}]}"#,
      more: ", \"bodySize\": 900"
    )
    #expect(upload?.gap == .absent)
  }

  @Test
  func `a request that sent nothing has no content, one whose content is not there has a gap`()
    throws
  {
    #expect(try exchange(entryText()).requestBody == nil)
    #expect(try exchange(entryText(request: "\"bodySize\": 0")).requestBody == nil)
    #expect(try exchange(entryText(request: "\"bodySize\": 12")).requestBody?.gap == .absent)
    #expect(
      try sent(
        #"{"mimeType": "application/octet-stream", "text": ""}"#,
        more: ", \"bodySize\": 12"
      )?.gap == .absent
    )
    #expect(try sent(#"{"text": ""}"#)?.isWhole == true)
    #expect(try sent("null") == nil)
  }

  // MARK: What it was for, and where the answer came from

  @Test func `what a request was for is told by the capture, or by the browser to the server`()
    throws
  {
    #expect(try exchange(entryText(more: "\"_resourceType\": \"Image\"")).resourceType == "image")
    let destination = #""headers": [{"name": "Sec-Fetch-Dest", "value": "script"}]"#
    #expect(try exchange(entryText(request: destination)).resourceType == "script")
    #expect(
      try exchange(entryText(request: destination, more: "\"_resourceType\": \"xhr\"")).resourceType
        == "xhr"
    )
    let empty = #""headers": [{"name": "sec-fetch-dest", "value": "empty"}]"#
    #expect(try exchange(entryText(request: empty)).resourceType == "fetch")
    #expect(try exchange(entryText()).resourceType == nil)
  }

  @Test(arguments: [
    ("\"_fromCache\": \"disk\"", ""), ("\"_fromCache\": \"memory\"", ""),
    ("\"_fromCache\": true", ""),
    ("\"_fromDiskCache\": true", ""), ("", "\"_fromDiskCache\": true"),
    ("", "\"fromDiskCache\": true"),
    ("\"_fetchType\": \"Memory Cache\"", ""), ("\"_fetchType\": \"Disk Cache\"", ""),
    ("\"cache\": {\"afterRequest\": null}", ""),
  ])
  func `an answer from a cache is told`(more: String, response: String) throws {
    #expect(try exchange(entryText(response: response, more: more)).wasCached)
  }

  @Test(arguments: [
    "\"_fromCache\": false", "\"_fromCache\": null", "\"_fromCache\": \"\"", "\"cache\": {}",
    "\"_fetchType\": \"Network Load\"", "\"cache\": {\"beforeRequest\": {}, \"afterRequest\": {}}",
    "\"_fromDiskCache\": 0",
  ])
  func `an answer that did not come from a cache is none`(more: String) throws {
    #expect(try !exchange(entryText(more: more)).wasCached)
  }

  @Test func `methods and statuses that nobody knows are taken as they are`() throws {
    let exchange = try exchange(entryText(method: "\"brew\"", status: "\"418\""))
    #expect(exchange.method == "brew")
    #expect(exchange.status == 418)
    let wide = try Reading(captureText([entryText(status: "1e9")])).exchanges.first
    #expect(wide?.status == 0)
  }

  @Test func `a socket is told by its scheme or its status, and its messages do not hurt`() throws {
    let messages =
      #""_webSocketMessages": [{"type": "send", "time": 1.5, "opcode": 1, "data": "{}"}]"#
    let socket = try exchange(
      entryText(
        url: "\"wss://a.example/s\"",
        status: "101",
        more: messages + ", \"_resourceType\": \"websocket\""
      )
    )
    #expect(socket.url == .elsewhere(scheme: "wss"))
    #expect(socket.status == 101)
    #expect(socket.resourceType == "websocket")
  }
}
