/// The kinds that this build knows, one line a kind, by number.
///
/// `Journal/kinds/kinds.json` registers the same; a test compares the two.
public enum KindRegistry {
  /// All kinds, in the order of their numbers.
  public static let kinds: [any EntryKind.Type] = [
    StoreOpened.self,
    StoreRetired.self,
    ScopeSwitched.self,
    StoreUnreadable.self,
    StoreRestored.self,
    ReadBegan.self,
    ReadLanded.self,
    ReadRefused.self,
    PageReceived.self,
    ListAssembled.self,
    MutationSent.self,
    MutationAnswered.self,
    MutationSuppressed.self,
    MutationFailed.self,
    GenerationBumped.self,
    CopyStored.self,
    CopyRemoved.self,
    OutboxEnqueued.self,
    OutboxSent.self,
    OutboxAnswered.self,
    OutboxInDoubt.self,
    OutboxCopied.self,
    OutboxRetired.self,
    OutboxParked.self,
    OutboxRetried.self,
    OutboxDiscarded.self,
    PinsRemoved.self,
    PinsSent.self,
    PinsReceived.self,
    PinsListed.self,
    PinsRefused.self,
    SyncBegan.self,
    SyncEnded.self,
    ShareReceived.self,
    ShareImported.self,
    ShareUnreadable.self,
    ShareDiscarded.self,
    Imported.self,
    KeyConflicted.self,
    Checkpointed.self,
    IdentityRenewed.self,
  ]

  /// By number: numbers are small, and each entry that is read asks here.
  private static let byNumber: [(any EntryKind.Type)?] = {
    let last = kinds.map { Int($0.number) }.max() ?? 0
    var byNumber = [(any EntryKind.Type)?](repeating: nil, count: last + 1)
    for kind in kinds { byNumber[Int(kind.number)] = kind }
    return byNumber
  }()

  /// The kind with this number, if this build knows it.
  public static func type(of number: UInt16) -> (any EntryKind.Type)? {
    number < byNumber.count ? byNumber[Int(number)] : nil
  }

  /// The kind with this name, if this build knows it.
  public static func type(named name: String) -> (any EntryKind.Type)? {
    kinds.first { $0.name == name }
  }

  /// The name of the kind with this number, if this build knows it.
  public static func name(of number: UInt16) -> String? { type(of: number)?.name }

  /// Whether an entry of this kind makes reads of its store that began before it late.
  ///
  /// `Journal/FORMAT.md`, Fences, lists the same kinds.
  package static func isFence(_ number: UInt16) -> Bool {
    switch number {
    case StoreOpened.number, StoreRetired.number, MutationAnswered.number,
      MutationSuppressed.number, GenerationBumped.number, OutboxCopied.number:
      true
    default: false
    }
  }
}
