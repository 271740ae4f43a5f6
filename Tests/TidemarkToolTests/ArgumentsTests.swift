import Testing
import TidemarkEntries

@testable import TidemarkTool

@Suite struct ArgumentsTests {
  @Test func `a value stands behind its option, behind an equals sign, or at its letter`() throws {
    for words in [["--limit", "5"], ["--limit=5"], ["-n", "5"], ["-n5"]] {
      let environment = Environment(now: DeviceTime(milliseconds: 0))
      let request = try Arguments.parse(words, for: Probe.self, in: environment)
      guard case .run(let input) = request else { throw Failure.usage("\(words)") }
      #expect(try input.number("--limit") == 5)
    }
  }

  @Test func `an equals sign in a value stays`() throws {
    #expect(try input("--skip=a=b").values("--skip") == ["a=b"])
    #expect(try input("--skip=").values("--skip") == [""])
  }

  @Test func `flags are given or not`() throws {
    #expect(try input("--bodies", "-f").has("--bodies"))
    #expect(try input("-f").has("--follow"))
    #expect(try !input("-f").has("--bodies"))
  }

  @Test func `an option that may repeat keeps its order, another may not come twice`() throws {
    #expect(try input("--skip", "J2", "--skip=J1").values("--skip") == ["J2", "J1"])
    #expect(message { _ = try input("--from=1", "--from", "2") } == "--from is given twice")
  }

  @Test func `two dashes end the options, one is an operand`() throws {
    let input = try input("--bodies", "a.tidemark", "-", "--", "--limit", "-n")
    #expect(input.operands == ["-", "--limit", "-n"])
    #expect(try input.journalPath == "a.tidemark")
  }

  @Test func `a value may begin with a dash, but a forgotten one is noticed`() throws {
    #expect(try input("--since", "-2h").value("--since") == "-2h")
    #expect(try input("--skip", "-").values("--skip") == ["-"])
    for words in [["--from"], ["--from", "--to", "5"], ["--from", "-n"], ["--from", "--"]] {
      let environment = Environment(now: DeviceTime(milliseconds: 0))
      #expect(
        message { _ = try Arguments.parse(words, for: Probe.self, in: environment) }
          == "--from needs a value: --from SEQ"
      )
    }
  }

  @Test func `a flag takes no value`() {
    #expect(
      message { _ = try input("--bodies=yes") } == "--bodies takes no value, but is given 'yes'"
    )
    #expect(message { _ = try input("-fx") } == "--follow takes no value, but is given 'x'")
  }

  @Test func `an unknown option names the nearest one`() {
    #expect(
      message { _ = try input("--bodeis") }
        == "probe has no option '--bodeis'; the nearest is --bodies"
    )
    #expect(
      message { _ = try input("--form=json") }
        == "probe has no option '--form'; the nearest is --format"
    )
    #expect(message { _ = try input("-x") } == "probe has no option '-x'")
    #expect(message { _ = try input("--zzzzzzzzz") } == "probe has no option '--zzzzzzzzz'")
  }

  @Test func `a word that is none of those possible is refused`() {
    #expect(
      message { _ = try input("--format", "yaml") } == "--format is text, json; not 'yaml'"
    )
    #expect(
      message { _ = try input("tcsh", for: Completions.self) }
        == "SHELL is bash, zsh, fish; not 'tcsh'"
    )
  }

  @Test func `help and version win as soon as they are seen`() throws {
    let environment = Environment(now: DeviceTime(milliseconds: 0))
    let help = try Arguments.parse(["-h", "--wrong"], for: Probe.self, in: environment)
    guard case .help = help else { throw Failure.usage("no help") }
    let version = try Arguments.parse(["--version"], for: Probe.self, in: environment)
    guard case .version = version else { throw Failure.usage("no version") }
    #expect(message { _ = try input("--wrong", "-h") } != nil)
  }

  @Test func `every misuse ends with 64 and points to the page of the verb`() {
    #expect(throws: Failure.self) { try input("--wrong") }
    do {
      _ = try input("--wrong")
    } catch {
      let failure = Failure(mapping: error)
      #expect(failure.exit == .usage)
      #expect(failure.advice == "See tidemark probe --help.")
    }
  }

  @Test func `errors are JSON if the words ask for it, wherever they are wrong`() {
    #expect(Arguments.wantJSON(["log", "--wrong", "--format", "json"]))
    #expect(Arguments.wantJSON(["log", "--format=jsonl", "--wrong"]))
    #expect(!Arguments.wantJSON(["log", "--format", "text"]))
    #expect(!Arguments.wantJSON(["log", "json", "--format"]))
    #expect(!Arguments.wantJSON(["log", "--", "--format", "json"]))
  }
}

@Suite struct InputTests {
  @Test func `the journal is the first word, or comes from the environment`() throws {
    #expect(try input("a.tidemark").journalPath == "a.tidemark")
    #expect(try input(journal: "e.tidemark").journalPath == "e.tidemark")
    #expect(try input("a.tidemark", journal: "e.tidemark").journalPath == "a.tidemark")
    #expect(message { _ = try input().journalPath } == "probe needs a JOURNAL")
  }

  @Test func `a filter is not taken for the journal, a path with an equals sign is`() throws {
    let filtered = try input("kind=read-refused", "path=/a", journal: "e.tidemark")
    #expect(try filtered.journalPath == "e.tidemark")
    #expect(filtered.operands == ["kind=read-refused", "path=/a"])
    let both = try input("./a=b", "kind=x")
    #expect(try both.journalPath == "./a=b")
    #expect(both.operands == ["kind=x"])
  }

  @Test func `a word that the verb needs comes before the journal that it may do without`() throws {
    let alone = try input("4122", for: ProbeOne.self, journal: "e.tidemark")
    #expect(try alone.journalPath == "e.tidemark")
    #expect(alone.operands == ["4122"])
    let both = try input("a.tidemark", "4122", for: ProbeOne.self)
    #expect(try both.journalPath == "a.tidemark")
    #expect(both.operands == ["4122"])
  }

  @Test func `words that are missing or too many are told`() {
    #expect(message { _ = try input(for: ProbeOne.self) } == "probe-one needs SEQ|KEY")
    #expect(
      message { _ = try input("a.tidemark", "1", "2", for: ProbeOne.self) }
        == "probe-one takes no '2'"
    )
  }

  @Test func `numbers are whole and not negative`() throws {
    #expect(try input("--from", "18446744073709551615").number("--from") == .max)
    #expect(try input().number("--from") == nil)
    for wrong in ["", "x", "-1", "+1", "1.5", "1,000", "18446744073709551616"] {
      #expect(
        message { _ = try input("--from=\(wrong)").number("--from") }
          == "--from takes a whole number, not '\(wrong)'"
      )
    }
  }

  @Test func `the first declared format is taken unless one is named`() throws {
    #expect(try input().format == .text)
    #expect(try input("--format", "json").format == .json)
    #expect(try input("4122", for: ProbeOne.self).format == .text)
  }

  @Test func `a verb that asks for an option it does not declare is stopped`() async {
    await #expect(processExitsWith: .failure) {
      _ = try input().has("--undeclared")
    }
  }
}

@Suite struct NearestTests {
  @Test func `a distance counts letters missing, too many, wrong and swapped`() {
    #expect(Nearest.distance("verify", "verify") == 0)
    #expect(Nearest.distance("verfy", "verify") == 1)
    #expect(Nearest.distance("verrify", "verify") == 1)
    #expect(Nearest.distance("verifx", "verify") == 1)
    #expect(Nearest.distance("evrify", "verify") == 1)
    #expect(Nearest.distance("", "verify") == 6)
    #expect(Nearest.distance("kitten", "sitting") == 3)
  }

  @Test func `the nearest name is named, unless none is near`() {
    #expect(Nearest.name(to: "chekc", among: ["check", "checks"]) == "check")
    #expect(Nearest.name(to: "--max", among: ["--any", "--max-examples"]) == "--max-examples")
    #expect(Nearest.name(to: "zebra", among: ["log", "info"]) == nil)
    #expect(Nearest.name(to: "log", among: []) == nil)
    #expect(Nearest.name(to: String(repeating: "l", count: 65), among: ["log"]) == nil)
  }
}
