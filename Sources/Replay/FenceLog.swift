package import TidemarkEntries

/// The fences of one store that reads in flight may have been overtaken by.
package struct FenceLog {
  /// Which reads a fence makes late.
  package enum Reach {
    /// All of the store.
    case whole

    /// Those of the paths that the change declared.
    case declared([Touch])

    /// Nobody can say: the change that was answered is not in what could be read.
    case unknown
  }

  /// An answer to a change, or a bump.
  package struct Fence {
    package var seq: Seq
    package var reach: Reach
  }

  private var fences: [Fence] = []
  private var lastWhole = Seq(0)

  package var isEmpty: Bool { fences.isEmpty }

  mutating func append(_ fence: Fence) {
    fences.append(fence)
    if case .whole = fence.reach { lastWhole = fence.seq }
  }

  mutating func forget() { fences.removeAll(keepingCapacity: true) }

  /// The fence that stands at `seq`.
  ///
  /// - Complexity: O(log *n*)
  package func fence(at seq: Seq) -> Fence? {
    let index = place(after: Seq(seq.value - 1))
    return index < fences.count && fences[index].seq == seq ? fences[index] : nil
  }

  /// The first fence behind `begin` that makes every read of the store late.
  ///
  /// - Complexity: O(1) if there is none; else O(*f*) in the fences behind `begin`.
  package func firstWhole(after begin: Seq) -> Seq? {
    guard lastWhole > begin else { return nil }
    return fences[place(after: begin)...]
      .first { if case .whole = $0.reach { true } else { false } }?.seq
  }

  /// The fences behind `begin` that bound themselves to declared paths.
  package func declared(after begin: Seq) -> [(seq: Seq, touches: [Touch])] {
    fences[place(after: begin)...].compactMap {
      if case .declared(let touches) = $0.reach { ($0.seq, touches) } else { nil }
    }
  }

  /// How many fences stand at or before `seq`.
  private func place(after seq: Seq) -> Int {
    fences.firstPlace { $0.seq > seq }
  }
}
