import Testing
import TidemarkEntries

@Suite struct TouchTests {
  @Test(arguments: [
    ("/notes", "/notes", true), ("/notes", "/notes?a", false), ("/notes?a", "/notes?a", true),
    ("/notes?a", "/notes", false), ("/notes", "/notes/1", false), ("/", "/", true),
  ])
  func `an exact rule covers its path alone`(rule: String, path: String, covers: Bool) throws {
    #expect(try Touch(.exact, Path(rule)).covers(Path(path)) == covers)
  }

  @Test(arguments: [
    ("/notes", "/notes", true), ("/notes", "/notes?a", true), ("/notes", "/notes?", true),
    ("/notes", "/note", false), ("/notes", "/notes/1", false), ("/", "/?a", true),
  ])
  func `a resource rule covers its path with any query`(
    rule: String,
    path: String,
    covers: Bool
  ) throws {
    #expect(try Touch(.resource, Path(rule)).covers(Path(path)) == covers)
  }

  @Test(arguments: [
    ("/notes", "/notes/1", true), ("/notes", "/notes/1/x?q", true), ("/notes", "/notes", false),
    ("/notes", "/notes?a=/b", false), ("/notes", "/notes2", false), ("/notes", "/notes2/1", false),
    ("/notes", "/other/notes/1", false), ("/", "/notes", true), ("/", "/a/b", true),
    ("/", "/", false), ("/", "/?a", false),
  ])
  func `an under rule covers what lies below its path`(
    rule: String,
    path: String,
    covers: Bool
  ) throws {
    #expect(try Touch(.under, Path(rule)).covers(Path(path)) == covers)
  }
}
