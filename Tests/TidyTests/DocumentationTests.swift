import Testing

@Suite struct DocumentationTests {
  @Test func `what is public is documented`() {
    let rule = Documentation(protocolsIn: Repository.sources)
    expectNone(Repository.sources.flatMap(rule.complaints))
  }

  private let kinds = TextFile(
    "Sources/Kind.swift",
    """
    public protocol Kind {
      static var number: Int { get }
      init(from payload: inout Reader) throws
      func write(to payload: inout Writer)
    }
    """
  )

  private func complaints(_ text: String) -> [String] {
    let file = TextFile("Sources/A.swift", text)
    return Documentation(protocolsIn: [kinds]).complaints(in: file).map(\.sentence)
  }

  @Test(arguments: [
    ("public struct A {}", "A"),
    ("// Not a summary.\npublic static func read(_ text: String) {}", "read(_:)"),
    ("/// Of another line.\n\npublic let size = 1", "size"),
    ("@inlinable\npublic init(size: Int) {\n  self.size = size + 1\n}", "init(size:)"),
    ("public private(set) var count = 0", "count"),
    ("public struct A: Other {\n  public static var number: Int { 1 }\n}", "number"),
    ("/// A.\npublic final class A: Kind {\n  public var other: Int { 1 }\n}", "other"),
  ])
  func `a public declaration without a word is named`(text: String, name: String) {
    #expect(complaints(text).contains("nothing is said about `\(name)`, which is public"))
  }

  @Test(arguments: [
    "/// One.\n@inlinable\npublic func one() {}",
    "package func inner() {}\nlet \(name) = 1",
    "/// A.\npublic struct A: Sendable, Kind {\n  public static let number = 1\n\n"
      + "  public init(from payload: inout Reader) throws {\n    size = try payload.size()\n  }\n\n"
      + "  public func write(to payload: inout Writer) {}\n}",
    "/// A.\npublic struct A: Hashable {\n  public static func == (a: A, b: A) -> Bool { true }\n}",
    "public init(\n  a: Int,\n  b: Int\n) {\n  self.a = a\n  self.b = b\n}",
    "/// A.\npublic enum A {\n  case one\n}",
  ])
  func `a witness, a plain initializer and what is not public are left alone`(text: String) {
    #expect(complaints(text) == [])
  }

  private static let name = "value"
}
