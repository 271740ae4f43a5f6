internal import TidemarkEntries
internal import TidemarkJSON
internal import TidemarkJournalStore
internal import TidemarkStores

extension ScenarioRun {
  func playOutbox(_ event: ScenarioEvent, _ outbox: Outbox) async throws {
    switch event.name {
    case "enqueue": try await enqueue(event, outbox)
    case "drain": try await drain(event, outbox)
    case "send": try await send(event, outbox)
    case "answer": try await answer(key(event.text("key")), outbox)
    case "lost":
      let key = try key(event.text("key"))
      attempts[key.bytes] = nil
      await telling("in-doubt") { try await outbox.lose(key, .timeout) }
    case "localFail":
      let key = try key(event.text("key"))
      guard attempts[key.bytes] == .taken || attempts[key.bytes] == .duplicate else { return }
      await telling("answered") { try await outbox.acceptUnfinished(key) }
    case "signIn": await telling("retried") { try await outbox.signedIn() }
    default: throw ScenarioError("nobody plays it")
    }
  }

  private func enqueue(_ event: ScenarioEvent, _ outbox: Outbox) async throws {
    let name = try event.text("key")
    guard let body = event["body"] else { throw ScenarioError("'enqueue' needs a 'body'") }
    let lane = try event.optionalText("lane") ?? name
    var work = Outbox.Work("POST", try path(event.optionalText("path") ?? "/\(lane)"), lane: lane)
    work.content = body.encoded
    work.files = try event.texts("blobs").map { Outbox.File($0, Array("bytes of \($0)".utf8)) }
    work.ttl = try event["ttl"].map { _ in UInt64(clamping: try event.milliseconds("ttl")) }
    let (key, other) = (try key(name), try event.optionalText("rekey").map { try self.key($0) })
    await telling("enqueued") {
      do { try await outbox.enqueue(work, key: key) } catch let error as StoreError {
        guard case .keyReused = error else { throw error }
        told.problems.append("key-reuse:\(name)")
        if let other { try await outbox.enqueue(work, key: other) }
      }
    }
  }

  private func drain(_ event: ScenarioEvent, _ outbox: Outbox) async throws {
    let retention = try event["keyRetention"].map { _ in try event.milliseconds("keyRetention") }
    // A journal that is damaged gives nothing to be sent, and has said so before.
    let items = (try? await outbox.ready(keyRetention: retention)) ?? []
    told.drains.append(.array(items.map { .string(Self.text($0.key)) }))
  }

  static func text(_ key: IdempotencyKey) -> String { String(decoding: key.bytes, as: UTF8.self) }

  private func send(_ event: ScenarioEvent, _ outbox: Outbox) async throws {
    let key = try key(event.text("key"))
    guard let item = outbox.item(key) else { return }
    let how = try event.text("srv")
    let sent: OutboxItem
    do throws(StoreError) { sent = try await outbox.send(key) } catch {
      if case .otherScope = error { told.problems.append("wrong-server:\(Self.text(key))") }
      if case .journal = error { await telling("sent") { throw error } }
      return
    }
    guard try hasFiles(of: item, outbox) else {
      // The request cannot be made: nothing leaves the device.
      return await telling("in-doubt") { try await outbox.lose(key, .unreachable) }
    }
    count(key)
    let body = try item.body.flatMap { try outbox.content(of: $0) }
      .flatMap { JSONValue(content: $0) }
    let attempt = SimulatedServer.Attempt(
      scope: Self.name(of: outbox.shelf.scope),
      work: key.bytes,
      identity: try event.flag("byWriter") ? try await number(of: item) : sent.requestKey.bytes,
      lane: Array(item.lane.utf8),
      body: body ?? .null
    )
    attempts[key.bytes] = try server.take(attempt, how)
  }

  private func count(_ key: IdempotencyKey) {
    let name = Self.text(key)
    let place = told.sends.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    let before = place.flatMap { told.sends[$0].value.integer } ?? 0
    let member = JSONValue.Member(name, .number(Double(before + 1)))
    if let place { told.sends[place] = member } else { told.sends.append(member) }
  }

  /// Whether every file can be had: from the outbox, or else where it came from.
  private func hasFiles(of item: OutboxItem, _ outbox: Outbox) throws -> Bool {
    try item.files.allSatisfy { file in
      try outbox.content(of: file.body) != nil || !goneBlobs.contains(Array(file.name.utf8))
    }
  }

  /// Who wrote a piece of work, and its number among what that writer has written.
  private func number(of item: OutboxItem) async throws -> SimulatedServer.Name {
    guard let stores else { return [] }
    let reader = try JournalReader(device.journal)
    var (number, seq) = (0, Seq(1))
    while seq <= item.seq, let entry = try reader.entry(at: seq) {
      if entry.kind == OutboxEnqueued.number { number += 1 }
      seq = seq.next
    }
    return Array("\(Hex.encode(await stores.live.identity.writer)) \(number)".utf8)
  }

  private func answer(_ key: IdempotencyKey, _ outbox: Outbox) async throws {
    guard let item = outbox.item(key), let answer = attempts[key.bytes], answer != .none else {
      return
    }
    if case .refused(let status) = answer {
      return await telling("answered") {
        try await outbox.refuse(key, status: status)
        attempts[key.bytes] = nil
      }
    }
    let content = try item.body.flatMap { try outbox.content(of: $0) } ?? []
    var copies = [(path: item.path, reply: Shelf.Reply(content))]
    for file in item.files {
      // Not JSON, and so no part of a final state.
      let bytes = try outbox.content(of: file.body) ?? []
      copies.append((try path("\(item.path)/files/\(file.name)"), Shelf.Reply(bytes)))
    }
    do throws(StoreError) {
      if item.standing == .answered {
        try await outbox.finish(key, copies: copies)
      } else {
        try await outbox.accept(key, isDuplicate: answer == .duplicate, copies: copies)
      }
      attempts[key.bytes] = nil
    } catch {
      guard case .journal(let failure) = error, failure.code == .storage else {
        return await telling("answered") { throw error }
      }
      told.problems.append("copy-failed:\(Self.text(key))")
    }
  }

  /// The longest storm, in milliseconds: a year.
  private static let stormMax: Int64 = 31_536_000_000

  /// How often something is asked that is refused again and again.
  func storm(_ event: ScenarioEvent) throws {
    guard case .number(let every)? = event["every"], every > 0 else {
      throw ScenarioError("'every' is a number over 0")
    }
    let length = try event.milliseconds("seconds")
    guard length <= ScenarioRun.stormMax else {
      throw ScenarioError("'seconds' of 'storm' is more than a year")
    }
    let policy = RetryPolicy()
    var (time, requests): (Int64, UInt64) = (0, 0)
    while time <= length {
      requests += 1
      let wait = policy.wait(after: requests) { 1 }
      guard wait > 0 else {
        // Nothing but the time that a refusal takes lies between two requests.
        requests = UInt64(min(Double(length) / 1000 / every, 1e15))
        break
      }
      time += wait
    }
    told.results.append(.init("requests", .number(Double(requests))))
  }
}
