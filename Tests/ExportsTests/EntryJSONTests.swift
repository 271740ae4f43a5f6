import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJSON
import TidemarkJournalStore

@testable import TidemarkExports

@Suite struct EntryJSONTests {
  /// The last entry of a journal that holds an opening and this draft, as JSON.
  private func written(_ draft: Draft) throws -> String {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), draft])
    try journal.close()
    let reader = try place.read()
    let entry = try #require(try reader.entry(at: Seq(2)))
    var json = JSONWriter(pretty: false)
    EntryJSON(EntryContext(reader)).write(entry, to: &json)
    let text = String(decoding: json.drain(), as: UTF8.self)
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return text
  }

  private func draft(
    _ number: UInt16,
    _ payload: CBORValue?,
    key: [UInt8] = Array("k".utf8),
    paths: [(path: Path, role: PathLink.Role)] = []
  ) throws -> Draft {
    Draft(
      number: number,
      payload: payload?.encoded ?? [],
      key: try IdempotencyKey(key),
      store: .opened(Seq(1)),
      time: DeviceTime(milliseconds: 0),
      paths: paths
    )
  }

  private func fields(_ draft: Draft) throws -> String {
    let text = try written(draft)
    let start = try #require(text.range(of: "\"paths\":["))
    let end = try #require(text[start.upperBound...].range(of: "]"))
    return String(text[end.upperBound...].drop { $0 == "," }.dropLast())
  }

  @Test func `an entry has its envelope first, then its fields by their names`() throws {
    let text = try written(.begin("/notes", key: "r1", time: 1_778_594_580_120))
    #expect(
      text == """
        {"schema":"tidemark.entry/1","seq":2,"kind":"read-began","key":"r1",\
        "scope":"https://a.example","account":null,"store":1,"time":"2026-05-12T14:03:00.120Z",\
        "cause":null,"previousFence":1,"ticket":"1.0.2","path":"/notes",\
        "paths":[{"path":"/notes","role":"begin","previous":null,"previousMention":null}],\
        "generation":0}
        """
    )
  }

  @Test func `keys and paths that are no text stand as digits, and escapes are shown`() throws {
    let odd = try written(
      draft(10, nil, key: [0xff, 0x00], paths: [(Path(canonical: [0x2f, 0xfe]), .mention)])
    )
    #expect(odd.contains(#""key":"0xff00""#) && odd.contains(#""path":"0x2ffe""#))
    let like = try written(draft(10, nil, key: Array("0xff".utf8)))
    #expect(like.contains(#""key":"0x30786666""#), "a text that looks like digits is no text")
    let escape = try written(draft(10, nil, key: Array("a\u{202e}\"\\".utf8)))
    #expect(escape.contains(#""key":"a\u202e\"\\""#))
  }

  @Test func `what this build does not know is shown by number`() throws {
    let payload = CBORValue.map([
      .init(.unsigned(1), .unsigned(1 << 60)), .init(.unsigned(2), .negative(4)),
      .init(.unsigned(3), .bytes([1, 2, 3])), .init(.unsigned(4), .float(1.5)),
      .init(.unsigned(5), .float(.infinity)), .init(.unsigned(6), .tag(1, .text("t"))),
      .init(.unsigned(7), .simple(99)), .init(.unsigned(8), .simple(22)),
      .init(.unsigned(9), .array([.simple(20), .simple(21)])),
      .init(.unsigned(10), .map([.init(.text("a"), .unsigned(1))])),
      .init(
        .unsigned(11),
        .map([.init(.unsigned(1), .unsigned(2)), .init(.text("b"), .simple(22))])
      ),
      .init(.unsigned(12), .negative(.max)),
    ])
    #expect(
      try fields(draft(900, payload)) == """
        "payload":{"1":{"integer":"1152921504606846976"},"2":-5,"3":{"base64":"AQID"},"4":1.5,\
        "5":{"float":"Infinity"},"6":{"tag":1,"value":"t"},"7":{"simple":99},"8":null,\
        "9":[false,true],"10":{"a":1},"11":{"map":[[1,2],["b",null]]},\
        "12":{"integer":"-18446744073709551616"}}
        """
    )
    #expect(try written(draft(900, payload)).contains(#""kind":"kind-900""#))
    let known = CBORValue.map([.init(.unsigned(1), .unsigned(3)), .init(.unsigned(77), .text("x"))])
    #expect(try fields(draft(10, known)) == #""generation":3,"otherFields":{"77":"x"}"#)
  }

  @Test func `a payload that is not that of its kind is shown as it is`() throws {
    let wrong = CBORValue.map([.init(.unsigned(1), .text("no number"))])
    #expect(try fields(draft(10, wrong)) == #""generation":"no number""#)
    let body = CBORValue.map([.init(.unsigned(2), .array([.unsigned(1)]))])
    #expect(try fields(draft(11, body)) == #""body":[1]"#)
    let digest = CBORValue.map([.init(.unsigned(2), .text("x"))])
    #expect(try fields(draft(120, digest)) == #""digest":"x""#)
    let copies = CBORValue.map([
      .init(.unsigned(3), .array([.array([.unsigned(7), .array([])]), .unsigned(1)])),
      .init(.unsigned(4), .array([.unsigned(0), .unsigned(5)])),
    ])
    let written = try fields(draft(21, copies, paths: [(try Path("/a"), .write)]))
    #expect(
      written
        == #""copies":[{"path":null,"body":[],"revision":null},1],"removals":["/a",null]"#
    )
  }

  @Test func `a payload that is no map of fields is shown as its bytes`() throws {
    let place = try TemporaryJournal()
    let journal = try place.open()
    try journal.append([.opening(), .begin(key: "r1")])
    try journal.close()
    for bytes in [[0x01], [0xff], [0xa1, 0x01]] as [[UInt8]] {
      let forged = try place.copy()
      try forged.forge { entries in
        // The payload of the entry is a map of one field, three bytes at its end.
        entries[1] = entries[1].dropLast(3) + bytes
      }
      let reader = try forged.read()
      let entry = try #require(try reader.entry(at: Seq(2)))
      let fields = EntryJSON(EntryContext(reader)).fields(of: entry)
      #expect(fields == "{\"malformed\":\"\(Data(bytes).base64EncodedString())\"}")
    }
  }

  // MARK: Base64

  @Test func `bytes are spelled as Foundation spells them, and back`() {
    var chance = SeededGenerator(seed: testSeed())
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      var json = JSONWriter(pretty: false)
      json.array { $0.element(Base64Text(bytes)) }
      let text = Data(bytes).base64EncodedString()
      #expect(json.drain() == Array("[\"\(text)\"]".utf8))
      #expect(Base64Text(spelling: Array(text.utf8)[...])?.bytes == bytes)
    }
  }

  @Test(arguments: [
    "A", "AA", "AAA", "A===", "AA=A", "=AAA", "AB==", "AAB=", "AA==AA==", "AA-_", "A A=",
  ])
  func `another spelling is none`(text: String) {
    #expect(Base64Text(spelling: Array(text.utf8)[...]) == nil)
  }
}
