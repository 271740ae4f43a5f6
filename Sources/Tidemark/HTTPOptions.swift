extension HTTPTransport {
  /// What an app can say about how it speaks with its server.
  public struct Options: Sendable {
    /// Asked before each request, for what proves who is asking: `["Authorization": "Bearer …"]`.
    public var headers: @Sendable () async -> [String: String] = { [:] }

    /// The media type of what the outbox sends; with files, that of the part `content`.
    public var contentType = "application/json"

    /// How long an answer may be.
    public var answerBytesMax = 16 << 20

    /// How long nothing may come, in seconds; at least 1.
    public var idleSeconds = 60

    /// How long an exchange may take in all, in seconds.
    public var totalSeconds = 600

    /// Where the page of a list with an index is, counted from 0; by default `?page=INDEX`.
    public var page: @Sendable (_ list: Path, _ index: Int) throws -> Path = { list, index in
      let text = String(decoding: list.bytes, as: UTF8.self)
      return try Path(text + (text.contains("?") ? "&" : "?") + "page=\(index)")
    }

    /// Where the request of an item goes, if not to its own path.
    ///
    /// So the copy of something new can stand under a name of the device, while it is sent to the
    /// list that it belongs to. If this throws nothing is sent, and the item waits as it does
    /// without a network.
    public var target: @Sendable (OutboxItem) throws -> Path = { $0.path }

    /// The server's revision of what it answered, if it numbers them so that later is higher.
    ///
    /// By default there is none; see ``HTTPAnswer/numberedTag``.
    public var revision: @Sendable (HTTPAnswer) -> UInt64? = { _ in nil }

    /// Whether the answer is one of the app's server, and not of the hotel's; by default it is.
    public var isOurs: @Sendable (HTTPAnswer) -> Bool = { _ in true }

    /// Whether the server says with it that it had taken the work before; by default it does not.
    public var isDuplicate: @Sendable (HTTPAnswer) -> Bool = { _ in false }

    /// What is to stand on the shelf once the server has an item; by default its answer.
    ///
    /// That stands under the item's own path. If this throws, the item is to be finished later.
    public var copies:
      @Sendable (
        _ item: OutboxItem,
        _ status: UInt64,
        _ content: [UInt8]
      ) throws -> [(path: Path, reply: Shelf.Reply)] = { item, status, content in
        [(item.path, Shelf.Reply(content, status: status))]
      }

    /// What tells the time, where a server says until when to wait and not what time it has.
    public var clock: DeviceClock = .system

    /// What fits a server that speaks JSON and needs no proof of who is asking.
    public init() {}
  }
}

/// An answer that was read to its end.
public struct HTTPAnswer: Sendable {
  /// Such as 200.
  public let status: UInt64

  /// As it was meant: what was packed for the way is unpacked.
  public let content: [UInt8]
  let headers: [String: String]

  /// The value of a header, whatever the case of its name.
  public func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// The number of an `ETag` that is nothing but one: 41 of `"41"` and of `W/"41"`.
  public var numberedTag: UInt64? {
    guard var tag = header("ETag")?[...] else { return nil }
    if tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
    guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { return nil }
    let digits = tag.dropFirst().dropLast()
    return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(digits) : nil
  }

  /// How long the server asks to wait, in milliseconds.
  func retryAfter(_ clock: DeviceClock) -> Int64? {
    header("Retry-After").flatMap { text in
      RetryAfter.milliseconds(text, date: header("Date")) { clock.now().milliseconds / 1000 }
    }
  }
}
