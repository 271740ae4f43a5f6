import Testing
import TidemarkJournalFormat

@Suite struct RegistryTests {
  @Test func `the registry and the code agree`() throws {
    let registered = try RegisteredKind.registered(in: JournalFormat.kinds)
    expectNone(RegisteredKind.differences(registered, RegisteredKind.built))
    expectNone(RegisteredKind.repetitions(in: registered))
    #expect(registered.map(\.number) == RegisteredKind.built.map(\.number), "one order")
  }

  @Test func `a field that means something else is named`() throws {
    let registered = try RegisteredKind.registered(in: JournalFormat.kinds)
    let text = JournalFormat.kinds.replacing(
      #""label", "form": "text""#,
      with: #""label", "form": "bytes""#
    )
    let changed = try RegisteredKind.registered(in: text)
    #expect(
      RegisteredKind.differences(changed, registered).map(\.sentence).contains(
        "the code has 10 read-began (1 generation: integer, 2 label: text): "
          + "this changes what old journals mean"
      )
    )
  }

  @Test func `a kind that only one side knows is named`() throws {
    let registered = try RegisteredKind.registered(in: JournalFormat.kinds)
    #expect(RegisteredKind.differences(registered, Array(registered.dropLast())).count == 1)
    #expect(RegisteredKind.differences(Array(registered.dropLast()), registered).count == 1)
  }

  @Test(arguments: [
    (
      #"[{"number": 1, "name": "a", "fields": []}, {"number": 1, "name": "b", "fields": []}]"#,
      "number 1 is used twice"
    ),
    (
      #"[{"number": 1, "name": "a", "fields": []}, {"number": 2, "name": "a", "fields": []}]"#,
      "name a is used twice"
    ),
    (
      #"""
      [{"number": 1, "name": "a", "fields": [{"number": 1, "name": "b", "form": "seq"},
        {"number": 1, "name": "c", "form": "seq"}]}]
      """#, "fields of a: order"
    ),
  ])
  func `a number that is used twice is named`(json: String, says: String) throws {
    let kinds = try RegisteredKind.registered(in: json)
    #expect(RegisteredKind.repetitions(in: kinds).map(\.sentence) == [says])
  }
}
