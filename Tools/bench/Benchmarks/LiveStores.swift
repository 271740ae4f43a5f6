import TidemarkEntries
import TidemarkJournalStore
import TidemarkStores

/// What an app does all day, against the same by hand.
enum LiveStores {
  private static let peer = "SQLite by hand: tables, and no journal"

  static let all: [Benchmark] = [read, landing, delivery, pins]

  /// 4 KiB of JSON, of which no two are the same.
  private static func body(_ number: Int) -> [UInt8] {
    var text = #"{"id":\#(number),"rows":["#
    var value = UInt64(truncatingIfNeeded: number)
    while text.utf8.count < 4080 {
      value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += "\(value >> 40),"
    }
    return Array((text.dropLast() + "]}").utf8)
  }

  private struct Sides {
    let stores: Stores
    let shelf: Shelf
    let hand: HandMade

    init(_ setting: Setting) async throws {
      stores = try await Stores.open(setting.file("app.tidemark"))
      shelf = try await stores.open(Scope("https://api.example.org"))
      hand = try HandMade(setting.file("hand.sqlite"))
    }

    /// Both sides get the same copies, without waiting for the disk.
    func fill(_ count: Int) async throws {
      try hand.setDurable(false)
      for number in 0..<count {
        let body = LiveStores.body(number)
        let ticket = try await shelf.begin(Path("/notes/\(number)"))
        try await shelf.land(ticket, Shelf.Reply(body))
        try hand.write("/notes/\(number)", body)
      }
      try hand.setDurable(true)
    }
  }

  private static let read = Benchmark(
    name: "shelf-read",
    work: "read a copy of 4 KiB by its path",
    peer: peer,
    goal: .speed(atLeast: 0.5)
  ) { setting in
    let sides = try await Sides(setting)
    let count = setting.scaled(2000, least: 50)
    try await sides.fill(count)
    let paths = try (0..<count).map { try Path("/notes/\($0 * 7919 % count)") }
    return Contest(
      product: {
        var (stopwatch, byteCount) = (Stopwatch(), 0)
        try stopwatch.measure {
          for path in paths {
            guard let copy = sides.shelf.copy(of: path) else { continue }
            byteCount += try sides.shelf.content(of: copy)?.count ?? 0
          }
        }
        guard byteCount > count * 4000 else { throw BenchmarkFailure("\(byteCount) bytes read") }
        return stopwatch.lap(count)
      },
      peer: {
        var (stopwatch, byteCount) = (Stopwatch(), 0)
        try stopwatch.measure {
          for path in paths { byteCount += try sides.hand.read(path.description).count }
        }
        guard byteCount > count * 4000 else { throw BenchmarkFailure("\(byteCount) bytes read") }
        return stopwatch.lap(count)
      },
      finish: { try await sides.stores.close() }
    )
  }

  private static let landing = Benchmark(
    name: "begin-land",
    work: "begin and land one read of 4 KiB",
    peer: peer + ", one commit a reply",
    goal: .speed(atLeast: 0.5)
  ) { setting in
    let sides = try await Sides(setting)
    let count = setting.scaled(2000, least: 50)
    try sides.hand.setDurable(false)
    var round = 0
    return Contest(
      product: {
        round += 1
        let bodies = (0..<count).map { body($0 + round * count) }
        var stopwatch = Stopwatch()
        try await stopwatch.measure {
          for (number, body) in bodies.enumerated() {
            let ticket = try await sides.shelf.begin(Path("/notes/\(number)"))
            try await sides.shelf.land(ticket, Shelf.Reply(body))
          }
        }
        return stopwatch.lap(count)
      },
      peer: {
        let bodies = (0..<count).map { body($0 + round * count) }
        var stopwatch = Stopwatch()
        try stopwatch.measure {
          for (number, body) in bodies.enumerated() {
            try sides.hand.write("/notes/\(number)", body)
          }
        }
        return stopwatch.lap(count)
      },
      finish: {
        try require(sides.shelf.paths.count, equals: count, "copies")
        try require(try sides.hand.count("copies"), equals: count, "rows")
        try await sides.stores.close()
      }
    )
  }

  private static let delivery = Benchmark(
    name: "enqueue-retire",
    work: "enqueue, send, answer and retire one item of the outbox, each on disk",
    peer: peer + ": enqueue and retire, each on disk",
    goal: .speed(atLeast: 0.5)
  ) { setting in
    let sides = try await Sides(setting)
    let count = setting.scaled(400, least: 20)
    var next = 0
    return Contest(
      product: {
        var stopwatch = Stopwatch()
        let first = next
        next += count
        try await stopwatch.measure {
          for number in first..<(first + count) {
            let path = try Path("/new/\(number)")
            let work = Outbox.Work("POST", path, content: body(number))
            let key = try await sides.shelf.outbox.enqueue(work)
            try await sides.shelf.outbox.send(key)
            try await sides.shelf.outbox.accept(key, copies: [(path, .init(body(number)))])
          }
        }
        try require(sides.shelf.outbox.items.count, equals: 0, "items that wait")
        return stopwatch.lap(count)
      },
      peer: {
        var stopwatch = Stopwatch()
        try stopwatch.measure {
          for number in 0..<count {
            try sides.hand.enqueue("key-\(number)", body(number))
            try sides.hand.retire("key-\(number)", "/new/\(number)", body(number))
          }
        }
        try require(try sides.hand.count("queue"), equals: 0, "rows that wait")
        return stopwatch.lap(count)
      },
      finish: { try await sides.stores.close() }
    )
  }

  private static let pins = Benchmark(
    name: "pins-receive",
    work: "receive a list of 1,000 pins",
    peer: peer + ": 1,000 rows replaced in one commit",
    goal: .speed(atLeast: 0.5)
  ) { setting in
    let sides = try await Sides(setting)
    let pins = sides.shelf.pins()
    var round = 0
    func rows() -> [(id: String, body: [UInt8])] {
      (0..<1000).map { number in
        let text = #"{"id":"pin-\#(number)","name":"Quay \#(number) of \#(round)","lat":54.1}"#
        return ("pin-\(number)", Array(text.utf8))
      }
    }
    return Contest(
      product: {
        round += 1
        let list =
          "["
          + rows().map { String(decoding: $0.body, as: UTF8.self) }
          .joined(separator: ",") + "]"
        let reply = Shelf.Reply(Array(list.utf8))
        var stopwatch = Stopwatch()
        try await stopwatch.measure {
          let pass = try await pins.start()
          guard case .taken(1000) = try await pins.receive(pass, reply) else {
            throw BenchmarkFailure("the list was refused")
          }
        }
        return stopwatch.lap(1000)
      },
      peer: {
        let rows = rows()
        var stopwatch = Stopwatch()
        try stopwatch.measure { try sides.hand.replacePins(rows) }
        try require(try sides.hand.count("pins"), equals: 1000, "pins")
        return stopwatch.lap(1000)
      },
      finish: { try await sides.stores.close() }
    )
  }
}
