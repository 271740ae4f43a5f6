import Foundation
import TestSupport
import Testing
import TidemarkEntries

/// Our CBOR against that of others: `cbor2` of Python.
@Suite(.enabled(if: OutsideTool.isPythonThereOrDue, "there is no Python with cbor2"))
struct CBORPeerTests {
  @Test func `cbor2 reads what we write, and writes the same bytes`() throws {
    let seed = testSeed()
    var chance = SeededGenerator(seed: seed)
    let values = (0..<3000).map { _ in RandomCBOR.value(&chance, depth: 0) }
    let told = try Peer.ask(Peer.reading, values.map { Hex.encode($0.encoded) })
    try #require(told.count == values.count)
    for (value, told) in zip(values, told) {
      let hex = Hex.encode(value.encoded)
      #expect(told == "\(RandomCBOR.text(value)) \(hex)", "(seed \(seed))")
    }
  }

  @Test func `we read what cbor2 writes, and write the same bytes`() throws {
    let seed = testSeed()
    let told = try Peer.ask(Peer.writing, ["\(seed)"])
    try #require(told.count == 3000)
    for line in told {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      let bytes = try #require(Hex.decode(parts[1]))
      let value = try CBORValue(bytes)
      #expect(RandomCBOR.text(value) == parts[0], "\(line) (seed \(seed))")
      #expect(value.encoded == bytes, "\(line) (seed \(seed))")
    }
  }

  @Test func `cbor2 finds the fields of the envelope in entries of all kinds`() throws {
    let kinds = KindSamples.full + KindSamples.least
    let fullCount = KindSamples.full.count
    let entries = kinds.enumerated().map {
      Hex.encode(KindSamples.encoded($1, isFull: $0 < fullCount))
    }
    let told = try Peer.ask(Peer.envelopes, entries)
    try #require(told.count == kinds.count)
    for (index, kind) in kinds.enumerated() {
      let fields = index < fullCount ? "0,1,2,3,4,5,6,15" : "0,1,3,15"
      let number = type(of: kind).number
      #expect(told[index] == "\(number) \(fields) 00ff -1 \(entries[index])")
    }
  }
}

/// Items made by chance, and as text.
private enum RandomCBOR {
  static func value(_ chance: inout SeededGenerator, depth: Int) -> CBORValue {
    switch Int.random(in: 0..<(depth < 5 ? 11 : 7), using: &chance) {
    case 0: return .unsigned(number(&chance))
    case 1: return .negative(number(&chance))
    case 2: return .bytes(bytes(&chance))
    case 3: return .text(text(&chance))
    case 4: return .float(float(&chance))
    case 5, 6:
      let simple = UInt8.random(in: 0..<248, using: &chance)
      return .simple(simple < 24 ? simple : simple + 8)
    case 7: return .tag(70_000 + number(&chance) / 2, value(&chance, depth: depth + 1))
    case 8, 9:
      let count = Int.random(in: 0...5, using: &chance)
      return .array((0..<count).map { _ in value(&chance, depth: depth + 1) })
    default:
      let pairs = keys(&chance).map { CBORValue.Pair($0, value(&chance, depth: depth + 1)) }
      return .map(pairs)
    }
  }

  /// Keys of one length, which go by their bytes; of several, cbor2 puts the shorter first.
  private static func keys(_ chance: inout SeededGenerator) -> [CBORValue] {
    let small: [CBORValue] = (0..<24).flatMap { [.unsigned($0), .negative($0)] }
    let wide: [CBORValue] = (24..<UInt64(100)).flatMap { number -> [CBORValue] in
      let letter = String(UnicodeScalar(UInt8(number)))
      return [.unsigned(number), .negative(number), .text(letter), .bytes([UInt8(number)])]
    }
    let all = Bool.random(using: &chance) ? small + [.text(""), .bytes([])] : wide
    return Array(all.shuffled(using: &chance).prefix(Int.random(in: 0...6, using: &chance)))
  }

  private static func number(_ chance: inout SeededGenerator) -> UInt64 {
    UInt64.random(in: 0...UInt64.max, using: &chance) >> UInt64.random(in: 0...63, using: &chance)
  }

  private static func bytes(_ chance: inout SeededGenerator) -> [UInt8] {
    let count = [0, 1, 23, 24, 255, 256, 300].randomElement(using: &chance) ?? 0
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
  }

  private static func text(_ chance: inout SeededGenerator) -> String {
    let parts = ["a", "é", "e\u{301}", "東京", "😀", "\u{0}", "\"\\", "a longer piece of plain text"]
    let count = Int.random(in: 0..<12, using: &chance)
    return (0..<count).map { _ in parts.randomElement(using: &chance) ?? "" }.joined()
  }

  // No half float from 32768 on: cbor2 5.6 writes those in four bytes, against RFC 8949, 4.2.1.
  private static func float(_ chance: inout SeededGenerator) -> Double {
    let bits = UInt64.random(in: 0...UInt64.max, using: &chance)
    switch Int.random(in: 0..<5, using: &chance) {
    case 0: return Double(bitPattern: bits)
    case 1: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 2: return Double(Int16(truncatingIfNeeded: bits)) * 0x1p-24
    case 3: return Double(Int16(truncatingIfNeeded: bits) / 16) * 8
    default: return [0, -0.0, .infinity, -.infinity, .nan, 32_752, 65_520][Int(bits % 7)]
    }
  }

  static func text(_ value: CBORValue) -> String {
    switch value {
    case .unsigned(let number): "\(number)"
    case .negative(let number): "n\(number)"
    case .bytes(let bytes): "h\(Hex.encode(bytes))"
    case .text(let text): "t\(Hex.encode(text.utf8))"
    case .array(let items): "[" + items.map(text).joined(separator: ",") + "]"
    case .map(let pairs):
      "{" + pairs.map { "\(text($0.key)):\(text($0.value))" }.sorted().joined(separator: ",") + "}"
    case .tag(let number, let item): "\(number)(\(text(item)))"
    case .float(let number): number.isNaN ? "nan" : "f\(hex(number.bitPattern))"
    case .simple(let number): "s\(number)"
    }
  }

  private static func hex(_ bits: UInt64) -> String {
    Hex.encode(withUnsafeBytes(of: bits.bigEndian) { Array($0) })
  }
}

private enum Peer {
  /// What a script says of lines that it is given, line by line.
  static func ask(_ script: String, _ lines: [String]) throws -> [String] {
    let input = try TemporaryFile(lines.map { $0 + "\n" }.joined())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(OutsideTool.python))
    process.arguments = ["-c", rendering + script, input.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  static let rendering = #"""
    import cbor2, math, random, struct, sys
    SIMPLE = {False: 20, True: 21, None: 22, cbor2.undefined: 23}

    def text(value):
        if value is None or value is cbor2.undefined or isinstance(value, bool):
            return "s%d" % SIMPLE[value]
        if isinstance(value, cbor2.CBORSimpleValue):
            return "s%d" % value.value
        if isinstance(value, int):
            return str(value) if value >= 0 else "n%d" % (-1 - value)
        if isinstance(value, float):
            return "nan" if math.isnan(value) else "f" + struct.pack(">d", value).hex()
        if isinstance(value, bytes):
            return "h" + value.hex()
        if isinstance(value, str):
            return "t" + value.encode().hex()
        if isinstance(value, list):
            return "[" + ",".join(text(item) for item in value) + "]"
        if isinstance(value, cbor2.CBORTag):
            return "%d(%s)" % (value.tag, text(value.value))
        pairs = sorted(text(key) + ":" + text(item) for key, item in value.items())
        return "{" + ",".join(pairs) + "}"

    lines = [line.strip() for line in open(sys.argv[1])]

    """#

  static let reading = #"""
    for line in lines:
        value = cbor2.loads(bytes.fromhex(line))
        print(text(value), cbor2.dumps(value, canonical=True).hex())
    """#

  static let envelopes = #"""
    for line in lines:
        entry = cbor2.loads(bytes.fromhex(line))
        fields = ",".join(str(field) for field in entry)
        again = cbor2.dumps(entry, canonical=True).hex()
        print(entry[0], fields, entry[1].hex(), entry[3], again)
    """#

  static let writing = #"""
    chance = random.Random(int(lines[0]))

    def number():
        return chance.getrandbits(64) >> chance.randrange(64)

    def make(depth):
        kind = chance.randrange(9 if depth < 5 else 6)
        if kind == 0:
            return number()
        if kind == 1:
            return -1 - number()
        if kind == 2:
            return chance.randbytes(chance.choice([0, 1, 23, 24, 255, 256]))
        if kind == 3:
            return "".join(chance.choice("aé東😀\0") for _ in range(chance.randrange(30)))
        if kind == 4:
            bits = struct.pack(">Q", chance.getrandbits(64))
            form = chance.choice([">e", ">f", ">d"])
            value = struct.unpack(form, bits[: struct.calcsize(form)])[0]
            return 0.5 if 32768 <= abs(value) <= 65504 else value
        if kind == 5:
            return chance.choice([False, True, None, cbor2.undefined, cbor2.CBORSimpleValue(99)])
        if kind == 6:
            return cbor2.CBORTag(70000 + number() // 2, make(depth + 1))
        if kind == 7:
            return [make(depth + 1) for _ in range(chance.randrange(6))]
        keys = chance.sample(range(24), chance.randrange(6))
        return {key: make(depth + 1) for key in keys}

    for _ in range(3000):
        value = make(0)
        print(text(value), cbor2.dumps(value, canonical=True).hex())
    """#
}
