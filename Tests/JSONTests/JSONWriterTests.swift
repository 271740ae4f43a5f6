import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJSON

@Suite struct JSONWriterTests {
  private func written(pretty: Bool = false, _ body: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter(pretty: pretty)
    body(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func document(_ json: inout JSONWriter) {
    json.object { json in
      json.field("schema", "tidemark.state/1")
      json.field("at", Seq(4121))
      json.field("time", DeviceTime(milliseconds: 0))
      json.field("whole", true)
      json.field("left", Optional<Int>.none)
      json.array("entries") { json in
        json.object { $0.field("key", "k-301") }
        json.element(-1)
        json.element(UInt64.max)
      }
      json.object("none") { _ in }
      json.array("nothing") { _ in }
    }
  }

  @Test func `a line holds a whole object, in the order in which it is written`() {
    #expect(
      written(document)
        == #"{"schema":"tidemark.state/1","at":4121,"time":"1970-01-01T00:00:00.000Z","#
        + #""whole":true,"left":null,"entries":[{"key":"k-301"},-1,18446744073709551615],"#
        + #""none":{},"nothing":[]}"#
    )
  }

  @Test func `a document is indented for people`() {
    #expect(
      written(pretty: true, document)
        == """
        {
          "schema": "tidemark.state/1",
          "at": 4121,
          "time": "1970-01-01T00:00:00.000Z",
          "whole": true,
          "left": null,
          "entries": [
            {
              "key": "k-301"
            },
            -1,
            18446744073709551615
          ],
          "none": {},
          "nothing": []
        }
        """
    )
  }

  @Test func `strings are escaped, and safe to look at`() {
    let text = "\" \\ / \n \r \t \u{0} \u{1b}[1m \u{7f} \u{9b} \u{202e} ü 😀"
    #expect(
      written { $0.element(text) }
        == #""\" \\ / \n \r \t \u0000 \u001b[1m \u007f \u009b \u202e ü 😀""#
    )
  }

  @Test func `bytes that are not UTF-8 become replacement characters`() {
    #expect(written { $0.element([0x61, 0xff, 0x62]) } == "\"a\u{fffd}b\"")
    let surrogate = written { $0.element([0xed, 0xa0, 0x80]) }
    #expect(surrogate == "\"\u{fffd}\u{fffd}\u{fffd}\"")
  }

  @Test func `another reader finds the same strings`() throws {
    var chance = SeededGenerator(seed: testSeed())
    for _ in 0..<500 {
      let scalars = (0..<20).map { _ in
        Unicode.Scalar(UInt32.random(in: 0...0xfff, using: &chance)) ?? "x"
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      let json = written { $0.object { $0.field("a", text) } }
      let read = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
      #expect(read?["a"]?.unicodeScalars.elementsEqual(scalars) == true, "\(scalars)")
    }
  }

  @Test func `what was cut short can be closed`() throws {
    var json = JSONWriter(pretty: true)
    json.beginObject()
    json.beginArray("entries")
    json.beginObject()
    json.field("seq", 1)
    #expect(!json.isComplete)
    json.endAll()
    #expect(json.isComplete)
    let text = String(decoding: json.drain(), as: UTF8.self)
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    #expect(json.bytes.isEmpty)
  }

  @Test func `a field outside an object is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter(pretty: false)
      json.beginArray()
      json.field("name", 1)
    }
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter(pretty: false)
      json.beginArray()
      json.endObject()
    }
  }
}
