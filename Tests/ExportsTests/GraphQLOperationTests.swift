import TestSupport
import Testing
import TidemarkEntries
import TidemarkExports
import TidemarkJSON

/// Which operation of GraphQL a request asks for.
@Suite struct GraphQLOperationTests {
  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  private func posted(_ body: String, type: String = "application/json") throws -> GraphQLOperation?
  {
    let postData = "\"postData\": {\"mimeType\": \"\(type)\", \"text\": \"\(escaped(body))\"}"
    return try exchange(entryText(method: "\"POST\"", request: postData)).operation
  }

  private func kind(of document: String) throws -> String? {
    let operation = try posted("{\"query\": \"\(escaped(document))\"}")
    return operation.map { "\($0.kind.rawValue) \($0.name ?? "-")" }
  }

  @Test(arguments: [
    ("{ notes { id } }", "query -"), ("query { notes }", "query -"),
    ("query Notes { notes }", "query Notes"),
    ("mutation Add($n: Note! = {title: \"}\"}) @live { add(note: $n) { id } }", "mutation Add"),
    ("subscription OnNote { note }", "subscription OnNote"),
    ("# mutation X { a }\n\u{feff}, query Y{a}", "query Y"),
    ("fragment F on Note { id } mutation M { a { ...F } }", "mutation M"),
    ("query A { a } mutation B { b }", "query A"),
    ("{ a(text: \"\"\"a \" } \\\"\"\" b\"\"\", n: -1.5e3, on: [1, 2]) }", "query -"),
    ("query query { mutation }", "query query"),
  ])
  func `a document tells what it does and what it is called`(document: String, told: String) throws
  {
    #expect(try kind(of: document) == told)
  }

  @Test(arguments: [
    "shoes", "", "query", "query Notes", "{", "{ a } }", "a { b }", "{ a ",
    "fragment F on N { id }", "(a)",
    "{ a(b: \"c) }", "{ a(b: \"\"\"c) }", "type A { b: C }", "{ a } é", "?", "unknown { a }",
    "{ a(b: \"\\",
  ])
  func `what is no document is no operation`(document: String) throws {
    #expect(try kind(of: document) == nil)
  }

  @Test func `of several operations the one that is named is meant`() throws {
    let body = #"{"query": "query A { a } mutation B { b }", "operationName": "B"}"#
    let operation = try #require(try posted(body))
    #expect(operation.kind == .mutation)
    #expect(operation.name == "B")
  }

  @Test func `equal requests have equal digests, others have others`() throws {
    func digest(_ variables: String, _ document: String = "query N($a: Int) { n(a: $a) }") throws
      -> Digest?
    {
      try posted("{\"variables\": \(variables), \"query\": \"\(escaped(document))\"}")?.digest
    }
    let digest1 = try #require(try digest(#"{"a": 1, "b": {"c": [1, "x", null], "d": true}}"#))
    #expect(try digest(#"{ "b":{"d":true,"c":[1,"\u0078",null]}, "a":1 }"#) == digest1)
    let others = [
      try digest(#"{"a": 2, "b": {"c": [1, "x", null], "d": true}}"#), try digest("{}"),
      try digest("null"),
      try digest(#"{"a": 1, "b": {"c": ["x", 1, null], "d": true}}"#), try digest("[1, 1]"),
      try digest("[11]"), try digest(#"["1", 1]"#), try digest(#"{"a": {}}"#),
      try digest(#"{"a": []}"#),
      try digest("{}", "query M { m }"),
    ]
    #expect(Set(others.map { $0?.description } + [digest1.description]).count == others.count + 1)
  }

  @Test func `a batch is one operation, and with a mutation it is one`() throws {
    let batch = try #require(
      try posted(
        #"[{"query": "query A { a }"}, {"query": "mutation B { b }"}, {"query": "{ c }"}]"#
      )
    )
    #expect(batch.kind == .mutation)
    #expect(batch.name == "A,B")
    #expect(batch.count == 3)
    #expect(try posted(#"[{"query": "query A { a }"}, {"query": "{ c }"}]"#)?.kind == .query)
    #expect(try posted(#"[{"query": "query A { a }"}, {"other": 1}]"#) == nil)
    #expect(try posted("[]") == nil)
  }

  @Test func `a persisted operation is known by its hash`() throws {
    func persisted(_ hash: String) -> String {
      #"{"operationName": "Notes", "variables": {}, "extensions": {"other": 1, "persistedQuery": "#
        + "{\"version\": 1, \"sha256Hash\": \"\(hash)\"}}}"
    }
    let operation = try #require(try posted(persisted("ab")))
    #expect(operation.kind == .unknown)
    #expect(operation.name == "Notes")
    #expect(try posted(persisted("ab"))?.digest == operation.digest)
    #expect(try posted(persisted("cd"))?.digest != operation.digest)
    #expect(try posted(#"{"extensions": {"persistedQuery": 5}, "operationName": "x"}"#) == nil)
  }

  @Test func `a document alone is an operation by its media type`() throws {
    #expect(try posted("mutation M { m }", type: "application/graphql")?.name == "M")
    #expect(try posted("mutation M { m }", type: "text/plain") == nil)
    let vendor = try posted(#"{"query": "{ a }"}"#, type: "Application/Vnd.Api+JSON; charset=utf-8")
    #expect(vendor?.kind == .query)
  }

  @Test func `content that is not JSON, or not whole, is no operation`() throws {
    for body in [#"{"query": "{ a }""#, #"{"query": "{ a }"} x"#, "7", #"{"query": 7}"#, "null"] {
      #expect(try posted(body) == nil, "\(body)")
    }
    let postData =
      #""bodySize": 99, "postData": {"mimeType": "application/json", "#
      + #""text": "{\"query\": \"{ a }\"}"}"#
    #expect(try exchange(entryText(method: "\"POST\"", request: postData)).operation == nil)
    #expect(try exchange(entryText(method: "\"PUT\"", request: postData)).operation == nil)
  }

  @Test func `an operation in an address is a query`() throws {
    func asked(_ query: String) throws -> GraphQLOperation? {
      try exchange(entryText(url: "\"https://a.example/graphql?\(query)\"")).operation
    }
    let plain = try #require(try asked("query=query+Notes%7Bid%7D&variables=%7B%22a%22%3A1%7D"))
    #expect(plain.kind == .query)
    #expect(plain.name == "Notes")
    #expect(
      try asked("variables=%7B%20%22a%22:%201%7D&query=query%20Notes%7Bid%7D")?.digest
        == plain.digest
    )
    #expect(try asked("variables=x&query=query%20Notes%7Bid%7D")?.digest != plain.digest)
    let hash =
      "extensions=%7B%22persistedQuery%22:%7B%22sha256Hash%22:%22ab%22%7D%7D&operationName=N"
    #expect(try asked(hash)?.kind == .query)
    #expect(try asked(hash)?.name == "N")
    #expect(try asked("query=shoes") == nil)
    #expect(try asked("q=1") == nil)
  }

  @Test func `a request is an operation when it begins, not only when it ends`() throws {
    let postData =
      #""postData": {"mimeType": "application/json", "text": "{\"query\": \"mutation { a }\"}"}"#
    let reading = try Reading(captureText([entryText(method: "\"POST\"", request: postData)]))
    #expect(reading.events.map(\.exchange.operation?.kind) == [.mutation, .mutation])
  }
}
