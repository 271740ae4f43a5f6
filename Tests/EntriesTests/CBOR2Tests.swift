import Foundation
import TestSupport
import Testing
import TidemarkEntries

/// The codec against cbor2, an implementation in Python that shares nothing with it.
@Suite(.enabled(if: OutsideTool.isPythonThereOrDue, "there is no Python with cbor2"))
struct CBOR2Tests {
  /// Sends lines to a script, and gives back its lines.
  private func ask(_ script: String, _ lines: [String], _ arguments: [String] = []) throws
    -> [String]
  {
    let input = try TemporaryFile(lines.map { $0 + "\n" }.joined())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(OutsideTool.python))
    process.arguments = ["-c", CBOR2Tests.encoder + script, input.path] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Heads, and the order of keys of RFC 8949; the items themselves are written by cbor2.
  private static let encoder = #"""
    import cbor2, collections.abc, random, struct, sys

    def head(major, number):
        for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
            if number < 24:
                return bytes([major << 5 | number])
            if number < 1 << 8 * size:
                return bytes([major << 5 | info]) + number.to_bytes(size, "big")

    def encode(value):
        if isinstance(value, collections.abc.Mapping):
            pairs = sorted((encode(key), encode(item)) for key, item in value.items())
            return head(5, len(pairs)) + b"".join(key + item for key, item in pairs)
        if isinstance(value, (list, tuple)):
            return head(4, len(value)) + b"".join(map(encode, value))
        if isinstance(value, cbor2.CBORTag):
            return head(6, value.tag) + encode(value.value)
        return cbor2.dumps(value, canonical=True)

    """#

  @Test func `cbor2 reads every entry, and writes the same bytes`() throws {
    let entries = try Samples.kinds().map { Hex.encode(try Samples.entry($0)) }
    let told = try ask(
      """
      for line in open(sys.argv[1]):
          print(encode(cbor2.loads(bytes.fromhex(line))).hex())
      """,
      entries
    )
    try #require(told.count == entries.count)
    for (told, entry) in zip(told, entries) { #expect(told == entry) }
  }

  @Test func `cbor2 reads what we write of random items, and writes the same bytes`() throws {
    var chance = SeededGenerator(seed: testSeed())
    let items = (0..<4000).map { _ in Hex.encode(item(depth: 0, &chance).encoded) }
    let told = try ask(
      """
      for line in open(sys.argv[1]):
          print(encode(cbor2.loads(bytes.fromhex(line))).hex())
      """,
      items
    )
    try #require(told.count == items.count)
    for (told, item) in zip(told, items) where told != item { Issue.record("\(item): \(told)") }
  }

  @Test func `we read what cbor2 writes of random items, and write the same bytes`() throws {
    let told = try ask(
      """
      random.seed(int(sys.argv[2]))
      def item(depth):
          kind = random.randrange(9 if depth < 4 else 7)
          if kind == 0: return random.getrandbits(random.choice([4, 8, 16, 32, 64]))
          if kind == 1: return -1 - random.getrandbits(random.choice([4, 8, 16, 32, 64]))
          if kind == 2: return random.randbytes(random.randrange(300))
          if kind == 3: return "".join(random.choice("aé水𐅑\\0") for _ in range(random.randrange(40)))
          if kind == 4: return random.choice([True, False, None, cbor2.undefined])
          if kind == 5: return struct.unpack("<d", random.randbytes(8))[0]
          if kind == 6: return struct.unpack("<e", random.randbytes(2))[0]
          if kind == 7: return [item(depth + 1) for _ in range(random.randrange(5))]
          return {random.choice(["a", "bb", "é"]) * random.randrange(20) if random.random() < .5
                  else random.getrandbits(20): item(depth + 1) for _ in range(random.randrange(5))}
      for _ in range(4000):
          print(encode(item(0)).hex())
      """,
      [],
      ["\(testSeed())"]
    )
    #expect(told.count == 4000)
    for hex in told {
      let bytes = try #require(Hex.decode(hex))
      #expect(try Hex.encode(CBORValue(bytes).encoded) == hex)
    }
  }

  /// A random item; tags that Python gives a meaning of its own are left out.
  private func item(depth: Int, _ chance: inout SeededGenerator) -> CBORValue {
    let number =
      UInt64.random(in: 0...(.max), using: &chance) >> UInt64.random(in: 0...63, using: &chance)
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &chance) {
    case 0: return .unsigned(number)
    case 1: return .negative(number)
    case 2: return .bytes((0..<(number % 300)).map { UInt8(truncatingIfNeeded: $0) })
    case 3: return .text(String(repeating: "aé水\u{10151}", count: Int(number % 30)))
    case 4: return .simple([20, 21, 22, 23, 16, 99][Int(number % 6)])
    case 5: return .float(Double(bitPattern: number))
    case 6: return .array((0..<(number % 5)).map { _ in item(depth: depth + 1, &chance) })
    case 7: return .tag(50_000 + number % 100_000, item(depth: depth + 1, &chance))
    default:
      var pairs: [CBORValue.Pair] = []
      for key in 0..<(number % 5) {
        let name: CBORValue =
          switch key % 4 {
          case 0: .unsigned(number >> key)
          case 1: .text(String(repeating: "k", count: Int(number % 30)))
          case 2: .negative(number >> (key + 20))
          default: .bytes([UInt8(key)])
          }
        pairs.append(.init(name, item(depth: depth + 1, &chance)))
      }
      return .map(pairs)
    }
  }
}
