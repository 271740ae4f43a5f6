import TidemarkEntries
import TidemarkJSON
import TidemarkJournalFormat

/// A word that reports print, and what it means there.
struct GlossaryWord: Sendable {
  /// The word, and others that mean the same.
  let names: [String]
  let meaning: String

  /// What sort of word it is: `a word of the reports`, `a kind of entry`.
  let sort: String

  /// A line is the word, others that mean the same, and behind a colon what it means.
  fileprivate init(line: Substring) {
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    names = line[..<colon].split(separator: ",").map { String($0.drop { $0 == " " }) }
    meaning = String(line[colon...].drop { ": ".contains($0) })
    sort = "a word of the reports"
  }

  fileprivate init(kind name: String, _ meaning: String) {
    (names, self.meaning, sort) = ([name], meaning, "a kind of entry")
  }
}

/// What the words of the reports mean: headings, labels, reasons and kinds.
enum Glossary {
  /// All of them, in the order in which they build on each other.
  static let words =
    [history, reads, changes, stores, judging, file, headings].flatMap { text in
      text.split(separator: "\n").map { GlossaryWord(line: $0) }
    } + kinds

  /// What an entry is, and what it says.
  private static let history = """
    journal: The file of entries: only ever added to, in one order.
    entry, entries: One thing that happened, recorded under a seq and a key.
    seq: The number of an entry: 1, 2, 3 and so on without a gap. It is the order.
    key, idempotency key: The name under which an entry was appended. What comes again under it is \
      not added again.
    kind: What sort of thing an entry records: `read-landed`, `mutation-sent`.
    scope, scopes: A server, and the account on it: copies of one are not another's.
    store, incarnation, opened: One opening of a scope, called by the seq of its `store-opened`. \
      Opened again, it is another.
    time, device time: What the clock of the device said: a label. Clocks go back; the seq is the \
      order.
    writer: The device, or the install of an app, that writes the journal.
    term: How often the journal got a new identity: 1, and one more for each time.
    cause: The entry that this one follows from, as an answer from what was sent.
    path: Where a copy lives below its server: `/notes/41`.
    mention, begin, write: What an entry does at a path: it names it, begins a read of it, or \
      writes its copy.
    cursor: A place in one history of a journal: `journal:term:seq:leaf`.
    """

  /// Reads, and why they are refused.
  private static let reads = """
    read, reads, reading: A request that changes nothing, from its begin to its reply.
    ticket: The right of a read to land, as `incarnation.generation.begin`: 3.7.211 began at entry \
      211, in the store of entry 3, under its generation 7.
    generation: How often a store was fenced. A read that began under an earlier one is late.
    bump: The generation goes up by one: what is in flight is late from here on.
    fence: An entry behind which no read lands that began before it: the answer to a change, a \
      bump, an opening, a retirement. A change that declares paths fences those alone.
    landing, landed: A reply became the copy of its path, or (in `races`) when it came.
    refused, refusal: A reply came, or did not, and the copy stayed as it was; the entry says why.
    tried: What came too late for the path, or failed, and changed nothing.
    witness: The entry that makes a refusal necessary: what came in between.
    superseded: Why a reply was refused: a later read of its path had begun.
    retired: The store had ended, or was opened anew, before the reply came.
    older: What came has a lower revision than the path has seen.
    malformed: The reply does not decode, or is something else than what was asked for.
    incomplete: The reply does not hold all that it announces.
    cancelled: The app gave the read up, or the change never left the device.
    failed: No answer was read, or one that says no.
    time to reply: From begin to end: half of the reads took up to p50, 99 of 100 to p99.
    open: Begun or sent, and not ended yet.
    """

  /// Changes, and the copies that they leave.
  private static let changes = """
    change, mutation: A request that is to change something on the server.
    sent: The change left the device; its answer is not there yet.
    touch, touches: The paths that a change declares: its answer makes late only the reads of \
      those.
    answered, answer: The server's word on a change was read.
    suppressed: The answer was read, and its copies not written: something newer stands.
    suspect: The answer to a change could not be written over the copy: not to be trusted until \
      the next read lands.
    rejected: The server read the change and said no.
    lost: No answer to the change was read: it may have happened.
    late: It began before something that came before its end, and knows nothing of it.
    copy: What a server said of a path, kept on the device.
    fixed, fixed file: A copy of bytes that never change: an image, a script, a font.
    revision: The number that a server gives to a version; a higher one is newer.
    status: What the server answered with, as HTTP numbers it.
    """

  /// The outbox, pins, the inbox, and the projections that they are.
  private static let stores = """
    outbox, waiting: What users did that no server has confirmed; nothing drops it but an answer \
      or a person.
    request: The method and the path of what waits to be sent.
    lane: What keeps its order: of a lane, one item is under way at a time.
    attempt, attempts: A time that an item was sent, or was about to be.
    authored: When a user did it, by the clock of the device.
    about: The label of an item, its files, its link, and when it may go next.
    pending: It waits to be sent.
    inFlight: An attempt is under way.
    inDoubt: No answer to an attempt was read: the server may have it, or not.
    held: The server wants somebody to sign in first.
    parked: A person must decide: the server said no, or the attempts are spent.
    discarded: A person gave it up; what it held stays in the journal.
    pin: One of a list, by the id that the server gave it.
    pins, taken off: A list that the server and this device both write; what is taken off is not \
      shown, and the server is told.
    share, items: What another process left in the inbox, and of how many parts it is.
    received: When, or by which entry, something came.
    version: Which version of a fold made a projection, or which one of a pin was seen.
    position: The last entry that is in a projection.
    derived: The states that an app keeps beside its journal; they can be made anew of the entries.
    digest: One hash that stands for the whole state of a projection.
    live: How the projection that an app keeps stands to what the entries give.
    differs: It is another state than the entries give.
    outdated: Another version of the fold made it; the app makes it anew when it opens.
    """

  /// What `check`, `races` and `explain` say.
  private static let judging = """
    stale: Whether what came late was old: certain, possible, or harmless.
    certain, stale for certain: The late reply contradicts what the change answered, or what the \
      newer read had.
    possible, possibly, possibly stale: The late reply began before, and the contents do not tell \
      whether it is old.
    harmless, without harm: The late reply says what the newer one says.
    unrelated: The late reply holds nothing of what was changed.
    finding, findings: Something wrong, under a code that `explain` knows: `J201`.
    code: What a finding is called by: J, the digit of a layer, two more.
    exit: The number that the tool ends with if it finds this.
    rule, what holds: What a journal must keep, as `check` numbers it: `F2`.
    instances: How often a rule was tried on this journal.
    vacuous: The journal holds nothing by which the rule could be broken.
    projection: What is made of the entries and can be made anew: the shelf is one.
    shelf: The copies of what servers said, as a fold of the journal.
    standing: Whether a copy is fixed or suspect.
    """

  /// The file: tree, anchor, contents.
  private static let file = """
    leaf: The hash of an entry's bytes: a leaf of the tree.
    tree: The Merkle tree over all entries, as RFC 9162 has it.
    root: One hash that stands for all entries up to the head.
    head: How many entries there are, with their root.
    anchor, acknowledged: A small file beside the journal with the last head that was \
      acknowledged: on the medium, and said to be there.
    equal: The anchor names the last entry of the journal.
    behind: The journal goes on behind the anchor: a crash came between, nothing is lost.
    ahead: The anchor names entries that the journal does not have any more.
    missing: There is no anchor: the journal was copied without it.
    foreign: The anchor is another journal's.
    diverged: The anchor names another root for entries that the journal has.
    set aside, aside: A torn tail that a writer took out of the way and kept.
    block: The entries of one commit, as they stand in the file: stored or zstd.
    body, bodies: Content that a server said or a user wrote, kept apart from entries.
    commitment: The hash of a body with its salt: what the entry holds of it.
    bytes, size: How much there is; kB and MB are powers of ten.
    closed: Whether the last writer closed the journal; else some is in another file.
    library: The versions of what the tool was built with.
    fields: What an entry says besides its path, by the names of its kind.
    """

  /// Headings that stand for more than they say.
  private static let headings = """
    now: What stands at the path: the copy and its size.
    gave, by: The entry that gave the copy that stands there.
    before: What stood there before, and which entry gave it.
    saved: When the copy was written, by the clock of the device.
    because: Why the entry is a refusal, in plain words.
    rests on: The entries that this one names.
    held by: The later entries that name this one.
    over, late over: What the late reply came behind: a change, or a newer read.
    evidence: What the contents of the late reply and the newer one say.
    stood: How long an app without a fence shows the late reply.
    look, shown, kept: Commands that show the story, the late reply, what a fence kept.
    same: A fence would have kept the same content, and asked for a new read.
    name: What a code or a rule is called besides its number.
    hour: The hour of the device time, in UTC.
    word, meaning: A word that reports print, and what `explain` says of it.
    """

  /// The kinds of entries, in the words of their registry.
  private static let kinds: [GlossaryWord] = {
    guard case .array(let kinds) = JSONValue(Array(JournalFormat.kinds.utf8)) else { return [] }
    return kinds.compactMap { kind in
      guard case .string(let name) = kind["name"], case .string(let meaning) = kind["means"] else {
        return nil
      }
      return GlossaryWord(kind: name, meaning)
    }
  }()
}
