import TestSupport
import Testing
import TidemarkJSON

@Suite struct EscapingTests {
  @Test func `what a terminal would obey is shown instead`() {
    #expect(Escaping.visible("a\u{1b}[31mb") == #"a\u{1b}[31mb"#)
    #expect(Escaping.visible("\r\n\t\u{0}\u{7f}") == #"\u{d}\u{a}\u{9}\u{0}\u{7f}"#)
    #expect(Escaping.visible("\u{9b}31m") == #"\u{9b}31m"#)
    #expect(Escaping.visible("\u{202e}cod\u{2066}\u{200f}") == #"\u{202e}cod\u{2066}\u{200f}"#)
    #expect(Escaping.visible("a\u{2028}b\u{feff}") == #"a\u{2028}b\u{feff}"#)
  }

  @Test func `what is safe stays, and is not escaped twice`() {
    let safe = "plain, grüß, 日本語, 👩‍👩‍👧, e\u{301}, a\\b"
    #expect(Escaping.visible(safe).unicodeScalars.elementsEqual(safe.unicodeScalars))
    let once = Escaping.visible("\u{1b}")
    #expect(Escaping.visible(once) == once)
  }

  @Test func `bytes that are not UTF-8 are shown one by one`() {
    #expect(Escaping.visible(bytes: Array("plain".utf8)) == "plain")
    #expect(Escaping.visible(bytes: [0x61, 0xff, 0x62, 0x0a, 0xc3]) == #"a\xffb\u{a}\xc3"#)
    #expect(Escaping.visible(bytes: [0xed, 0xa0, 0x80]) == #"\xed\xa0\x80"#)
    #expect(Escaping.visible(bytes: [0xc0, 0xaf, 0xc3, 0xbc]) == #"\xc0\xafü"#)
    #expect(Escaping.visible(bytes: [0x01]) == #"\u{1}"#)
  }

  @Test func `no bytes, however they are, give a control character`() {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let length = Int.random(in: 0...24, using: &chance)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &chance) }
      let shown = Escaping.visible(bytes: bytes)
      #expect(!shown.unicodeScalars.contains(where: Escaping.isUnsafe), "\(bytes)")
    }
  }
}
