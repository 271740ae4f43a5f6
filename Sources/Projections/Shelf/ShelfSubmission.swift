package import TidemarkEntries

extension Shelf {
  /// What may be asked of the shelf.
  ///
  /// Each carries the key that it is known by.
  package enum Submission: Sendable {
    /// Open a scope anew: a new incarnation.
    case open(Scope, software: String?)

    /// Turn from the store to another scope: retire it, then open that one.
    case turn(from: Seq, to: Scope, software: String?)

    /// End the store.
    case retire(Seq, StoreRetired.Reason)

    /// Begin a read of a path in a store.
    case begin(Path, in: Seq, label: String?)

    /// The reply to the read that began at a seq.
    case reply(to: Seq, Reply)

    /// The read that began at a seq ended without a reply that could be a copy.
    ///
    /// The status counts where no reply was kept.
    case endRead(Seq, ReadRefused.Reason, Reply?, status: UInt64? = nil)

    /// A page of the list whose read began at a seq.
    case page(of: Seq, Page)

    /// All pages of the list are there: this is the whole.
    case assemble(of: Seq, Reply, pageSize: UInt64?)

    /// Send a change of a path in a store.
    case send(Change, in: Seq)

    /// The answer to the change that was sent at a seq.
    case answer(to: Seq, Answer)

    /// The change that was sent at a seq did not happen, or nobody knows.
    case endChange(Seq, MutationFailed.Reason, status: UInt64?, answer: BodyReference?)

    /// What the answer to an entry of the outbox says, in a store that is open.
    case copy(in: Seq, Delivery, Answer)

    /// Raise the generation of a store.
    case bump(Seq, GenerationBumped.Reason)

    /// Keep bytes that never change.
    case keep(Path, in: Seq, BodyReference, mediaType: String?)

    /// Remove the copy of a path.
    case remove(Path, in: Seq, CopyRemoved.Reason)
  }

  /// What a server sent to a read.
  package struct Reply: Sendable {
    package var body: BodyReference
    package var status: UInt64
    package var revision: UInt64?

    package init(body: BodyReference, status: UInt64 = 200, revision: UInt64? = nil) {
      self.body = body
      self.status = status
      self.revision = revision
    }
  }

  /// The most rows of one page: an entry holds the names of so many.
  package static let pageRowsMax = 3072

  /// The most pages of one list: whoever sends more sends them without end.
  package static let pagesMax = 1024

  /// One page of a list.
  package struct Page: Sendable {
    package var body: BodyReference
    package var status: UInt64

    /// How many rows came with it.
    package var count: UInt64

    /// Names of the rows, 16 bytes each; see ``PageReceived/rowKeys``.
    package var rowKeys: [RowName]

    package init(body: BodyReference, status: UInt64 = 200, rowKeys: [RowName]) {
      self.body = body
      self.status = status
      self.count = UInt64(rowKeys.count)
      self.rowKeys = rowKeys
    }
  }

  /// An entry of the outbox whose answer was read.
  package struct Delivery: Sendable {
    /// The `outbox-enqueued` entry.
    package var enqueued: Seq

    /// Its first attempt.
    package var sent: Seq

    /// Where its own copy stands.
    package var path: Path
    package var touches: [Touch]?

    package init(enqueued: Seq, sent: Seq, path: Path, touches: [Touch]?) {
      self.enqueued = enqueued
      self.sent = sent
      self.path = path
      self.touches = touches
    }
  }

  /// A change that is about to be sent.
  package struct Change: Sendable {
    package var path: Path
    package var method: String

    /// What it touches; nothing declared means everything in the store.
    package var touches: [Touch]?
    package var body: BodyReference?
    package var label: String?

    package init(
      path: Path,
      method: String,
      touches: [Touch]? = nil,
      body: BodyReference? = nil,
      label: String? = nil
    ) {
      self.path = path
      self.method = method
      self.touches = touches
      self.body = body
      self.label = label
    }
  }

  /// What a server answered to a change that it took.
  package struct Answer: Sendable {
    /// A copy that the answer holds.
    package struct Copy: Sendable {
      package var path: Path
      package var body: BodyReference
      package var revision: UInt64?

      package init(path: Path, body: BodyReference, revision: UInt64? = nil) {
        self.path = path
        self.body = body
        self.revision = revision
      }
    }

    package var status: UInt64
    package var copies: [Copy]

    /// Paths that have nothing any more.
    package var removals: [Path]

    /// The answer as it came, where it is not a copy.
    package var body: BodyReference?

    package init(
      status: UInt64 = 200,
      copies: [Copy] = [],
      removals: [Path] = [],
      body: BodyReference? = nil
    ) {
      self.status = status
      self.copies = copies
      self.removals = removals
      self.body = body
    }
  }

  /// Why nothing can be decided: what was submitted names what is not there.
  package struct Unknown: Error, Sendable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
  }
}
