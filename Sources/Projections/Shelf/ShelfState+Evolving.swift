internal import TidemarkEntries

// What an entry changes in one store, and of one path.
extension ShelfState.Store {
  mutating func intern(_ storage: [UInt8], _ range: Range<Int>) -> Int {
    let number = paths.intern(storage, range)
    if number == records.count { records.append(ShelfState.PathRecord()) }
    return number
  }

  mutating func intern(_ path: Path) -> Int {
    intern(path.bytes, 0..<path.bytes.count)
  }

  /// A new incarnation begins: copies and floors stay, what was in flight does not.
  mutating func restart(at opening: Seq) {
    self.opening = opening
    retired = nil
    generation = 0
    wholeFence = opening
    lastAnswer = nil
  }

  mutating func endRead() {
    openReads -= 1
    if openReads == 0, !boundFences.isEmpty { boundFences = [] }
  }

  /// `answered` is the change, if this is the first entry of its answer.
  mutating func fence(
    at seq: Seq,
    by sent: Seq,
    _ answered: ShelfState.OpenMutation?
  ) {
    if let answered { lastAnswer = (sent, answered.touches) }
    fence(at: seq, by: sent)
  }

  /// The first entry of the answer to a change that touches what `touches` say.
  mutating func fence(at seq: Seq, by sent: Seq, reaching touches: [Touch]?) {
    lastAnswer = (sent, touches)
    fence(at: seq, by: sent)
  }

  private mutating func fence(at seq: Seq, by sent: Seq) {
    if let answer = lastAnswer, answer.mutation == sent, let touches = answer.touches {
      // Only reads in flight can be late; for those that come later it is no fence.
      guard openReads > 0 else { return }
      boundFences.append(ShelfState.BoundFence(seq: seq, touches: touches))
    } else {
      wholeFence = seq
    }
  }
}

extension ShelfState.PathRecord {
  mutating func write(_ copy: ShelfState.Copy) {
    self.copy = copy
    lastWrite = copy.seq
    lastRevision = copy.revision
    if let revision = copy.revision, revision >= floor?.revision ?? 0 {
      floor = (revision, copy.seq)
    }
  }

  mutating func remove(at seq: Seq) {
    copy = nil
    lastWrite = seq
    lastRevision = nil
    // What comes under the path again is another thing, and its revisions may begin anew.
    floor = nil
    suspect = nil
  }

  /// The device forgets its copy, and with it what it knew of revisions.
  mutating func clear() {
    copy = nil
    floor = nil
    suspect = nil
  }
}
