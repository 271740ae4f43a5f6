import Foundation
import TestSupport
import Testing
import TidemarkEntries
import TidemarkJournalStore

@testable import TidemarkTool

@Suite struct FailureTests {
  private func said(_ failure: Failure, json: Bool = false, quiet: Bool = false) throws -> String {
    let folder = try TemporaryFolder()
    let path = folder.file("messages")
    var messages = Messages(
      quiet: quiet,
      colored: false,
      json: json,
      to: try System.create(path)
    )
    messages.fail(failure)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func `a failure says what happened, where, and what to do`() throws {
    let failure = Failure(.bodyDiffers, "the body of '\u{1b}' differs", at: Seq(2040))
    #expect(
      try said(failure)
        == """
        tidemark: the body of '\\u{1b}' differs at entry 2,040 (J106)
        A copy: read it again from the server. Authored: take it from an older copy.

        """
    )
    #expect(try said(.interrupted, quiet: true) == "tidemark: stopped by a signal\n")
  }

  @Test func `a failure is one object for scripts`() throws {
    let failure = Failure(.bodyDiffers, "a \"body\"", at: Seq(2040))
    #expect(
      try said(failure, json: true)
        == #"{"schema":"tidemark.error/1","code":"J106","exit":4,"message":"a \"body\"","#
        + "\"seq\":2040}\n"
    )
    #expect(
      try said(.usage("no", advice: "See."), json: true)
        == #"{"schema":"tidemark.error/1","code":"usage","exit":64,"message":"no","seq":null}"#
        + "\n"
    )
  }

  @Test(arguments: FindingCode.allCases)
  func `every finding has an exit code that is known`(code: FindingCode) {
    #expect(ExitCode(code).rawValue == code.exitStatus)
  }

  @Test func `errors of the journal end with the code that says what to do`() throws {
    let folder = try TemporaryFolder()
    do {
      _ = try JournalReader(folder.file("none"))
    } catch {
      let failure = Failure(mapping: error)
      #expect(failure.exit == .noJournal)
      #expect(failure.code == "J001")
      #expect(failure.advice == FindingCode.noSuchJournal.remedy)
    }
    let expected: [JournalError.Code: ExitCode] = [
      .missing: .noJournal, .foreign: .noJournal, .newer: .newer, .busy: .busy, .damaged: .bytes,
      .storage: .failure, .invalid: .failure, .stale: .failure,
    ]
    for (code, exit) in expected {
      let failure = Failure(mapping: JournalError(code, "why", at: Seq(7)))
      #expect(failure.exit == exit)
      #expect(failure.code == code.rawValue)
      #expect(failure.message == "why")
      #expect(failure.seq == Seq(7))
    }
  }

  @Test func `an error that nobody knows is a fault of the tool`() {
    struct Unknown: Error, CustomStringConvertible {
      let description = "odd"
    }
    let failure = Failure(mapping: Unknown())
    #expect(failure.exit == .failure)
    #expect(failure.message == "odd")
  }
}

@Suite struct ExitCodeTests {
  @Test func `the lowest layer wins`() {
    #expect(ExitCode.lowestLayer(of: []) == .done)
    #expect(ExitCode.lowestLayer(of: [.done, .partial]) == .partial)
    let layers: [ExitCode] = [.bytes, .meaning, .replay, .keyConflict, .partial, .done]
    for index in layers.indices {
      #expect(ExitCode.lowestLayer(of: layers[index...].reversed()) == layers[index])
    }
    #expect(ExitCode.lowestLayer(of: [.bytes, .failure]) == .failure)
  }

  @Test func `every code but the first has its place in the order`() {
    for code in ExitCode.allCases { #expect(ExitCode.lowestLayer(of: [code, .done]) == code) }
  }
}
