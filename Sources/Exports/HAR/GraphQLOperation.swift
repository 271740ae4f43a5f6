package import TidemarkEntries
internal import TidemarkHashing
internal import TidemarkJSON

/// What a GraphQL request asks for.
///
/// All requests of an API go to one path; this tells them apart.
package struct GraphQLOperation: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    case query, mutation, subscription

    /// A persisted operation that was sent without its document.
    case unknown
  }

  /// What it does; for a batch, the strongest: a batch with a mutation is one.
  package var kind: Kind

  /// The name, or all names of a batch, joined by commas; nothing if it has none.
  package var name: String?

  /// A digest of document, name and variables: equal if they ask for the same.
  package var digest: Digest

  /// How many operations were sent together.
  package var count = 1
}

extension GraphQLOperation {
  /// The operation in the content of a request, if it is one.
  init?(body: [UInt8], mediaType: String) {
    let type = mediaType.prefix { $0 != ";" }.lowercased()
    if type == "application/graphql" {
      self.init([GraphQLRequest(document: body)])
    } else if type == "application/json" || type.hasSuffix("+json") {
      self.init(GraphQLRequest.all(inJSON: body))
    } else {
      return nil
    }
  }

  /// The operation in the query of an address, if it is one.
  init?(query: ArraySlice<UInt8>) {
    guard let request = GraphQLRequest(query: query) else { return nil }
    self.init([request])
    // By GET nothing but a query may be asked for.
    if kind == .unknown { kind = .query }
  }

  private init?(_ requests: [GraphQLRequest]) {
    let operations = requests.compactMap(\.operation)
    guard let first = operations.first, operations.count == requests.count else { return nil }
    let kinds = operations.map(\.kind)
    kind = [.mutation, .unknown, .subscription].first { kinds.contains($0) } ?? first.kind
    let names = operations.compactMap(\.name)
    name = names.isEmpty ? nil : names.joined(separator: ",")
    count = requests.count
    var hash = SHA256Hash()
    for request in requests { request.hash(into: &hash) }
    digest = Digest(words: hash.finish())
  }
}

/// One operation as it is sent.
private struct GraphQLRequest {
  var document: [UInt8]?
  var name: String?
  var variables: [UInt8] = []
  var persistedHash: [UInt8]?

  init(document: [UInt8]) {
    self.document = document
  }

  /// What it does and what it is called; nothing if it is no GraphQL.
  var operation: (kind: GraphQLOperation.Kind, name: String?)? {
    guard let document else { return persistedHash == nil ? nil : (.unknown, name) }
    guard let definitions = GraphQLDocument(document)?.definitions else { return nil }
    let chosen = definitions.first { $0.name == name } ?? definitions.first
    return chosen.map { ($0.kind, $0.name) }
  }

  func hash(into hash: inout SHA256Hash) {
    for part in [document ?? persistedHash ?? [], Array((name ?? "").utf8), variables] {
      hash.update(Array("\(part.count):".utf8))
      hash.update(part)
    }
  }
}

extension GraphQLRequest {
  /// The operations of a JSON text, one object or an array of them; empty if it holds none.
  static func all(inJSON text: [UInt8]) -> [GraphQLRequest] {
    var scanner = JSONScanner(text)
    do throws(JSONError) {
      var requests: [GraphQLRequest] = []
      if try scanner.kind() == .array {
        try scanner.enter()
        while try scanner.nextElement() { requests.append(try GraphQLRequest(from: &scanner)) }
      } else {
        requests.append(try GraphQLRequest(from: &scanner))
      }
      try scanner.finish()
      return requests
    } catch {
      return []
    }
  }

  private init(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    while try scanner.nextMember() {
      if scanner.isNamed("query") {
        document = try scanner.string()?.bytes
      } else if scanner.isNamed("operationName") {
        name = try scanner.string()?.description
      } else if scanner.isNamed("variables") {
        variables = []
        try scanner.appendCanonical(to: &variables)
      } else if scanner.isNamed("extensions") {
        try readExtensions(from: &scanner)
      } else {
        try scanner.skip()
      }
    }
  }

  private mutating func readExtensions(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    while try scanner.nextMember() {
      if scanner.isNamed("persistedQuery") {
        try readPersistedQuery(from: &scanner)
      } else {
        try scanner.skip()
      }
    }
  }

  private mutating func readPersistedQuery(from scanner: inout JSONScanner) throws(JSONError) {
    guard try scanner.enter(.object) else { return }
    while try scanner.nextMember() {
      if scanner.isNamed("sha256Hash") {
        persistedHash = try scanner.string()?.bytes
      } else {
        try scanner.skip()
      }
    }
  }

  /// The operation that the parameters of an address give.
  init?(query: ArraySlice<UInt8>) {
    for parameter in query.split(separator: UInt8(ascii: "&")) {
      let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard parts.count == 2 else { continue }
      read(String(decoding: parts[0], as: UTF8.self), FormEncoding.decode(parts[1]))
    }
    if document == nil, persistedHash == nil { return nil }
  }

  private mutating func read(_ parameter: String, _ value: [UInt8]) {
    var scanner = JSONScanner(value)
    switch parameter {
    case "query": document = value
    case "operationName": name = String(decoding: value, as: UTF8.self)
    case "variables":
      var canonical: [UInt8] = []
      // What is no JSON is taken as it is: it tells requests apart as well.
      do { try scanner.appendCanonical(to: &canonical) } catch { canonical = value }
      variables = canonical
    case "extensions": try? readExtensions(from: &scanner)
    default: break
    }
  }
}
