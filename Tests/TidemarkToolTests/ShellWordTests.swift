import Foundation
import TestSupport
import Testing

@testable import TidemarkTool

@Suite struct ShellWordTests {
  static let words = [
    "plain.tidemark", "", " ", "a b", "it's", "\"", "$HOME", "$(id)", "`id`", "a;b", "a&b|c", "*",
    "~", "-n", "--yes", "!x", "\\", "\\n", "a\nb", "a\n\nb\u{1b}[31m", "\t", "#a", "{a,b}", "é ñ",
    "a'b\"c$d`e\\f\ng", "%s%d", "\u{202e}'", "=a", "(", "\u{7f}",
  ]

  @Test(arguments: words, ["sh", "bash"])
  func `a quoted word is one word of the shell, and the one that was meant`(
    word: String,
    shell: String
  ) throws {
    let folder = try TemporaryFolder()
    let script = "printf '<%s>' \(Words.quoted(word))"
    try script.write(toFile: folder.file("script"), atomically: true, encoding: .utf8)
    let result = try Shell(folder: folder.path).run("\(shell) script")
    let meant = word.hasPrefix("-") ? "./" + word : word
    #expect(result == Shell.Result(output: "<\(meant)>", errors: "", exit: 0))
  }

  @Test(arguments: words)
  func `a quoted word is on the screen as it is`(word: String) {
    let quoted = Words.quoted(word)
    #expect(Line(quoted).visible == quoted)
  }
}
