import Testing
import TidemarkHashing

/// The examples of FIPS 180-4, and bytes that come in parts.
@Suite struct SHA256Tests {
  private func hex(_ words: SHA256Hash.Words) -> String {
    [words.0, words.1, words.2, words.3].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  private func hash(_ parts: [[UInt8]]) -> String {
    var hash = SHA256Hash()
    for part in parts { hash.update(part) }
    return hex(hash.finish())
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `a text has the digest that the standard gives`(text: String, digest: String) {
    #expect(hash([Array(text.utf8)]) == digest)
  }

  @Test func `a million of one letter have the digest that the standard gives`() {
    let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
    let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    #expect(hash([[UInt8]](repeating: part, count: 1000)) == digest)
  }

  @Test func `bytes in parts have the digest of the whole`() {
    let bytes = (0..<200).map { UInt8($0) }
    let whole = hash([bytes])
    for split in 0...bytes.count {
      #expect(hash([Array(bytes[..<split]), [], Array(bytes[split...])]) == whole)
    }
    var single = SHA256Hash()
    for byte in bytes { single.update(byte) }
    #expect(hex(single.finish()) == whole)
  }

  @Test(arguments: [0, 1, 54, 55, 56, 62, 63, 64, 65, 1000])
  func `a first byte and the rest have the digest of both`(count: Int) {
    let rest = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    for first: UInt8 in [0, 1, 255] {
      let digest = rest.withUnsafeBytes { SHA256Hash.hash(first, $0) }
      #expect(hex(digest) == hash([[first] + rest]))
    }
  }
}
