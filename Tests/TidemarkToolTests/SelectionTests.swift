import Testing
import TidemarkEntries
import TidemarkJournalStore

@testable import TidemarkTool

@Suite struct SelectionTests {
  private func filter(_ words: String...) throws -> EntryFilter { try Selection.filter(words) }

  private func refusal(_ words: String...) -> String? {
    do throws(Failure) {
      _ = try Selection.filter(words)
      return nil
    } catch { return error.message }
  }

  private func text(_ pattern: EntryFilter.Pattern?) -> String? {
    pattern.map { String(decoding: $0.bytes, as: UTF8.self) + ($0.isPrefix ? "…" : "") }
  }

  @Test func `values are brought to the form that a journal has`() throws {
    #expect(text(try filter("path=/a%7eb/./c/").paths.first) == "/a~b/c")
    #expect(text(try filter("path=/a/*").paths.first) == "/a/…")
    #expect(text(try filter("path=/a?q=*").paths.first) == "/a?q=…")
    #expect(text(try filter("path=/*").paths.first) == "/…")
    #expect(try filter("path=0x2fff").paths == [.init([0x2f, 0xff])])
    #expect(text(try filter("key=m-88").keys.first) == "m-88")
    #expect(text(try filter("key=m-*").keys.first) == "m-…")
    #expect(try filter("key=0x00ff").keys == [.init([0, 0xff])])
    #expect(try filter("key=a=b").keys == [.init(Array("a=b".utf8))])
    #expect(try filter("scope=HTTPS://A.example:443/").scopes == ["https://a.example"])
    #expect(try filter("scope=https://a.example#ada").scopes == ["https://a.example#ada"])
    #expect(try filter("kind=read-began", "kind=kind-77").kinds == [ReadBegan.number, 77])
    #expect(try filter("writer=AB1").writers == ["ab1"])
  }

  @Test func `what is none is refused, with what is near`() {
    #expect(refusal("kind=read-bega") == "there is no kind 'read-bega'; the nearest is read-began")
    #expect(refusal("kind=kind-70000")?.hasPrefix("there is no kind 'kind-70000'") == true)
    #expect(refusal("sope=x") == "no filter is called 'sope'; the nearest is scope")
    #expect(refusal("zzzzz=x") == "no filter is called 'zzzzz'")
    #expect(refusal("path=") == "path= needs a value")
    #expect(refusal("path=notes")?.hasPrefix("path=notes: ") == true)
    #expect(refusal("writer=xyz")?.hasPrefix("writer= takes") == true)
    #expect(refusal("notes") == "'notes' is no filter; write FIELD=VALUE")
  }
}
