public import TidemarkEntries
internal import TidemarkHashing

/// Leaves a share in the inbox of an app, from another process such as a share extension.
///
/// Neither the journal nor the network is opened. Each item goes to the file as it is added, so
/// memory holds one at a time; the share is there for the app when ``finish()`` returns, whole and
/// on the medium, or not at all.
public final class ShareWriter {
  private let file: PlainFile
  private let folder: String
  private let part: String
  private var hash = SHA256Hash()
  private var count = 0
  private var isFinished = false

  /// The id of the share, which its items derive theirs from.
  public let id: String

  /// When the share was made: what its items are said to be of.
  public let time: DeviceTime

  /// Begins a share in the inbox at `folder`, which is made if it is not there.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the device refuses.
  public init(
    inbox folder: String,
    clock: DeviceClock = .system,
    chance: some RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(StoreError) {
    var chance = chance
    let draws = (chance.next(), chance.next())
    id = withUnsafeBytes(of: draws) { Hex.encode($0) }
    time = clock.now()
    self.folder = folder
    part = folder + "/" + id + ShareFile.partEnding
    do throws(Platform.Failure) {
      try Platform.makeFolder(folder)
      file = try PlainFile(new: part)
    } catch { throw .invalid(error.description) }
    try write(ShareFile.magic)
  }

  deinit {
    // What cannot be removed is a part, which no import takes.
    if !isFinished { try? Platform.remove(part) }
  }

  /// Adds an item.
  ///
  /// It takes no ``Outbox/Work/touches`` and no ``Outbox/Work/ttl`` along, so its answer makes
  /// every read in flight late.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the device refuses, or it is beyond a limit.
  public func add(_ work: Outbox.Work) throws(StoreError) {
    guard Outbox.Work.isMethod(work.method) else { throw .invalid(Outbox.Work.noMethod) }
    guard count < ShareFile.itemsMax else {
      throw .invalid("a share has at most \(ShareFile.itemsMax) items")
    }
    let contents = [work.content].compactMap { $0 } + work.files.map(\.content)
    guard contents.allSatisfy({ $0.count <= ShareFile.contentBytesMax }) else {
      throw .invalid("a content has at most \(ShareFile.contentBytesMax) bytes")
    }
    let head = ShareWriter.head(of: work)
    guard head.count <= ShareFile.headBytesMax else {
      throw .invalid("the words of an item have at most \(ShareFile.headBytesMax) bytes")
    }
    try write(ShareFile.length(head.count))
    try write(head)
    for content in contents { try write(content) }
    count += 1
  }

  /// Makes the share visible to the app.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` if the device refuses: nothing is there then.
  public func finish() throws(StoreError) {
    var tail = CBORWriter()
    tail.array(count: 3)
    tail.text(id)
    tail.integer(time.milliseconds)
    tail.unsigned(UInt64(count))
    try write(ShareFile.length(0))
    try write(ShareFile.length(tail.bytes.count))
    try write(tail.bytes)
    do throws(Platform.Failure) {
      try file.append(Digest(words: hash.finish()).bytes)
      try file.sync()
      try Platform.rename(part, to: folder + "/" + id + ShareFile.ending, in: folder)
    } catch { throw .invalid(error.description) }
    isFinished = true
  }

  private func write(_ bytes: [UInt8]) throws(StoreError) {
    hash.update(bytes)
    do throws(Platform.Failure) { try file.append(bytes) } catch {
      throw .invalid(error.description)
    }
  }

  private static func head(of work: Outbox.Work) -> [UInt8] {
    var head = CBORWriter()
    head.array(count: 7)
    head.text(work.method)
    head.text(work.path.description)
    head.optionalText(work.lane)
    head.optionalText(work.label)
    head.optionalText(work.link)
    if let content = work.content { head.unsigned(UInt64(content.count)) } else { head.null() }
    head.array(count: work.files.count)
    for file in work.files {
      head.array(count: 3)
      head.text(file.name)
      head.optionalText(file.mediaType)
      head.unsigned(UInt64(file.content.count))
    }
    return head.bytes
  }
}
