/// A store began: one incarnation of one scope.
///
/// Its seq is the name of the incarnation.
///
/// A fence: a reply to a read that began before it belongs to another incarnation. `Shelf` reads
/// it, and so does every judge. An earlier incarnation of the scope that was not retired ends here.
public struct StoreOpened: EntryKind {
  public static let number: UInt16 = 1
  public static let name = "store-opened"
  public static let fields = [
    KindField(1, "address", .text), KindField(2, "account", .text),
    KindField(3, "previous", .seq), KindField(4, "software", .text),
  ]

  /// Whose copies the store holds.
  public var scope: Scope

  /// The incarnation of the scope before this one, if there was one.
  public var previous: Seq?

  /// What opened it, with its version; a label.
  public var software: String?

  public init(scope: Scope, previous: Seq? = nil, software: String? = nil) {
    self.scope = scope
    self.previous = previous
    self.software = software
  }

  public init(from payload: inout PayloadReader) throws(EntryError) {
    let address = try payload.text(1)
    scope = Scope(canonical: address, account: try payload.optionalText(2))
    previous = try payload.optionalSeq(3)
    software = try payload.optionalText(4)
  }

  public func write(to payload: inout PayloadWriter) {
    payload.text(1, scope.address)
    payload.text(2, scope.account)
    payload.seq(3, previous)
    payload.text(4, software)
  }
}
