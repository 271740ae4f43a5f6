import Testing

@Suite struct SwiftCodeTests {
  @Test(arguments: [
    ("a // b!", "a "),
    ("a /* b /* c */ d */ e", "a e"),
    (#"f("try! x")"#, "f( )"),
    (#"f("a \(b!) c \" d")"#, "f( (b!) )"),
    (##"f(#"a \(b) "c" \#(d)"#)"##, "f( (d) )"),
    (#"f("a \("b") c")!"#, "f( ( ) )!"),
    ("f(\"\"\"\n  try! \"x\" \\(b)\n  \"\"\")\nc", "f( \n (b)\n )\nc"),
    ("@Test func `no try! here`() {", "@Test func () {"),
    (##"m(#/a"b/#)"##, "m( )"),
    ("let open = \"a\nb", "let open = \nb"),
  ])
  func `comments, texts and names in backticks are blanks, interpolations are code`(
    source: String,
    code: String
  ) {
    let blanked = SwiftCode.blanking(source)
    #expect(blanked.replacing(#/ +/#, with: " ") == code)
    #expect(blanked.utf8.count == source.utf8.count, "nothing moves")
  }
}
