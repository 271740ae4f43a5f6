import Testing

@Suite struct LayerTests {
  @Test func `projections and checks keep apart`() {
    expectNone(Layers.mixedProjections(in: Repository.sources))
    expectNone(Layers.biasedChecks(in: Repository.sources))
  }

  private let shelf = TextFile(
    "Sources/Projections/Shelf/Shelf.swift",
    "package enum Shelf: Projection {\n  struct Inner {}\n}\nprivate struct Hidden {}"
  )

  @Test func `a projection that names a type of another one is named`() {
    let outbox = TextFile(
      "Sources/Projections/Outbox/Outbox.swift",
      "// not a Shelf\npackage struct Outbox { let shelf: Shelf, inner: Inner, hidden: Hidden }"
    )
    #expect(
      Layers.mixedProjections(in: [shelf, outbox]).map(\.description) == [
        """
        Sources/Projections/Outbox/Outbox.swift:2: Sources/Projections/Outbox does not know Shelf \
        of Sources/Projections/Shelf/Shelf.swift
        """
      ]
    )
  }

  @Test func `a check that knows what it judges is named`() {
    let check = TextFile(
      "Sources/Replay/Checks/NoLateLanding.swift",
      "import TidemarkProjections\nlet state = Shelf.empty"
    )
    #expect(Layers.biasedChecks(in: [shelf, check]).map(\.line) == [1, 2])
    let replay = TextFile("Sources/Replay/Replay.swift", "let state = Shelf.empty")
    #expect(Layers.biasedChecks(in: [shelf, replay]).isEmpty)
  }
}
