import Testing

/// Texts that JSON readers disagree on, after the classes of Nicolas Seriot's JSONTestSuite.
enum JSONSuite {
  struct Text: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]

    /// Where RFC 8259 leaves it open: whether this reader takes it.
    var isTaken = true

    init(_ text: String, isTaken: Bool = true) {
      bytes = Array(text.utf8)
      self.isTaken = isTaken
    }

    init(bytes: [UInt8], isTaken: Bool = true) {
      self.bytes = bytes
      self.isTaken = isTaken
    }

    var testDescription: String { String(decoding: bytes.prefix(40), as: UTF8.self) }
  }

  static let valid: [Text] = [
    "[]", "[[]   ]", "[\"\"]", "[\"a\"]", "[false]", "[null]", "[null, 1, \"1\", {}]", "[1\n]",
    " [1]",
    "[1,null,null,null,2]", "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0]", "[-123]", "[-1]",
    "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]", "[1e+2]", "[123]",
    "[123.456789]", "[-0.000000000000000000000000000000000000000000000000000000000000000001]",
    "{\"asd\":\"sdf\"}", "{\"a\":\"b\",\"a\":\"c\"}", "{\"a\":\"b\",\"a\":\"b\"}", "{}", "{\"\":0}",
    "{\"foo\\u0000bar\": 42}", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\n\"a\": \"b\"\n}",
    "{\"x\":[{\"id\": \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"}], \"id\": \"x\"}",
    "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]", "[\"\\\"\"]", "[\"a/*b*/c/*d//e\"]",
    "[\"\\\\a\"]", "[\"\\\\n\"]", "[\"\\u0012\"]", "[\"\\uFFFF\"]", "[\"asd\"]", "[ \"asd\"]",
    "[\"\\uDBFF\\uDFFF\"]", "[\"new\\u00A0line\"]", "[\"\u{10ffff}\"]", "[\"\u{ffff}\"]",
    "[\"\\u0000\"]", "[\"\\u002c\"]", "[\"π\"]", "[\"asd \"]", "\" \"", "[\"\\u0821\"]",
    "[\"\\u0123\"]",
    "[\"\u{2028}\"]", "[\"\u{2029}\"]", "[\"\\u0061\\u30af\\u30EA\\u30b9\"]",
    "[\"new\\u000Aline\"]",
    "[\"\u{7f}\"]", "[\"\\uA66D\"]", "[\"⍂㈴⍂\"]", "false", "42", "-0.1", "null", "\"asd\"", "true",
    "\"\"",
    "[\"a\"]\n", "[true]", " [] ", "\t[\r\n]\t", "\r\n[]",
  ].map { Text($0) }

  static let invalid: [Text] =
    [
      "[1 true]", "[a\u{e5}]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]",
      "[\"\",]", "[\"x\"", "[x", "[3[4]]", "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,",
      "[1,]", "[\"\u{b}a\"\\f]", "[*]", "[\"\"", "[1,", "[1,\n1\n,1", "[{}", "[fals]", "[nul]",
      "[tru]",
      "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]",
      "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[1.0e+]",
      "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]", "[2.e+3]", "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]",
      "[NaN]", "[\u{ff11}]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]", "[-123.123foo]",
      "[-Infinity]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[1ea]", "[1.]", "[.123]", "[1.2a-3]",
      "[1.8011670033376514H-308]", "[012]", "[\"x\", truth]", "{[: \"x\"}", "{\"x\", null}",
      "{\"x\"::\"b\"}", "{🇨🇭}", "{\"a\":\"a\" 123}", "{key: 'value'}", "{\"a\" b}", "{:\"b\"}",
      "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
      "{\"id\":0,,,,,}", "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}#",
      "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }",
      "{\"a\":\"b\"}#{}", " ", "[\"\\uD800\\\"]", "[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]",
      "[\"\\uD800\\u1x\"]", "[\u{e9}]", "[\"\\\u{0}\"]", "[\"\\\"]", "[\"\\x00\"]", "[\"\\\\\\\"]",
      "[\"\\\t\"]", "[\"\\🌀\"]", "[\"\\\"]", "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]",
      "[\"\\uD800\\uD800\\x\"]", "[\"\\a\"]", "[\"\\uqqqq\"]", "[\\u0020\"asd\"]", "[\\n]", "\"",
      "['single quote']", "abc", "[\"\\", "[\"a\u{0}a\"]", "[\"new\nline\"]", "[\"\t\"]",
      "\"\\UA66D\"", "\"\"x", "<.>", "[<null>]", "[1]x", "[1]]", "]", "[][]", "aå", "[True]",
      "1]", "{\"x\": true,", "[\"asd]", "{\"asd\":\"asd\"", "å", "*", "{}}", "[,", "[{", "[\"a",
      "[\"\\u12",
      "{", "{]", "{,", "{[", "{\"a", "{'a'", "[\"\\{[\"\\{[\"\\{[\"\\{", "\u{feff}", "[\u{c}]",
      "[\u{2060}]",
      "[\u{a0}1]", "[tru", "123\u{0}", "", "--1", "\u{feff}{}", "[\n,\n]", "[1] [2]",
      "{\"a\":1 \"b\":2}",
    ].map { Text($0) }
    + [
      Text(bytes: [0x5b, 0x31, 0x65, 0x31, 0xe5, 0x5d]), Text(bytes: [0x5b, 0xff, 0x5d]),
      Text(bytes: [0x7b, 0x22, 0xb9, 0x22, 0x3a, 0x22, 0x30, 0x22, 0x2c, 0x7d]),
      Text(bytes: [0xef, 0xbb, 0x7b, 0x7d]), Text(bytes: [0x00, 0x5b, 0x00, 0x5d]),
      Text(bytes: [0x5b, 0x00, 0x5d, 0x00]),
    ]

  /// Huge numbers and bad characters in strings are taken: what is passed is not looked into.
  static let up: [Text] = [
    Text("[123.456e-789]"), Text("[0.4e00669999999999999999999999999999999999999999999999999]"),
    Text("[-1e+9999]"), Text("[1.5e+9999]"), Text("[-123123e100000]"), Text("[123123e100000]"),
    Text("[123123123123123123123123123123]"), Text("[-237462374673276894279832749832423479823246]"),
    Text("[\"\\uDADA\"]"), Text("[\"\\uD888\\u1234\"]"), Text("[\"\\uD800\\n\"]"),
    Text("[\"\\uDd1ea\"]"), Text("[\"\\uD800\\uD800\\n\"]"), Text("[\"\\ud800\"]"),
    Text("[\"\\ud800abc\"]"), Text("[\"\\uDd1e\\uD834\"]"), Text("[\"\\uDFAA\"]"),
    Text(bytes: [0x5b, 0x22, 0xff, 0x22, 0x5d]), Text(bytes: [0x5b, 0x22, 0x81, 0x22, 0x5d]),
    Text(bytes: [0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d]),
    Text(bytes: [0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d]),
    Text(bytes: [0x5b, 0x22, 0xe6, 0x97, 0x22, 0x5d]),
    Text(String(repeating: "[", count: 500) + String(repeating: "]", count: 500), isTaken: false),
    Text("\u{feff}[]", isTaken: false),
    Text(bytes: [0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00], isTaken: false),
  ]
}
