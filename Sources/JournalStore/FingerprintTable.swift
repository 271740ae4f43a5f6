/// Numbers by fingerprint, in memory.
///
/// Two things may have one fingerprint.
///
/// Fingerprints are as good as random, so each is its own hash.
struct FingerprintTable {
  private struct Slot {
    var fingerprint: UInt64 = 0

    /// 0 if the slot is free.
    var value: UInt64 = 0
  }

  private var slots: [Slot]
  private(set) var count = 0

  /// - Parameter capacity: so many values find room without growing.
  init(capacity: Int = 0) {
    let slotCount = capacity == 0 ? 0 : 1 << (Int.bitWidth - (capacity * 2).leadingZeroBitCount)
    slots = [Slot](repeating: Slot(), count: slotCount)
  }

  /// Adds a value, which is not 0.
  mutating func insert(_ fingerprint: UInt64, _ value: UInt64) {
    precondition(value > 0, "0 stands for no value")
    if count * 2 >= slots.count { grow() }
    put(Slot(fingerprint: fingerprint, value: value))
    count += 1
  }

  private mutating func put(_ slot: Slot) {
    var place = start(of: slot.fingerprint)
    while slots[place].value != 0 { place = (place + 1) & (slots.count - 1) }
    slots[place] = slot
  }

  private mutating func grow() {
    let full = slots
    slots = [Slot](repeating: Slot(), count: max(16, full.count * 2))
    for slot in full where slot.value != 0 { put(slot) }
  }

  /// The first bits choose the slot, so that the slots are nearly in the order of fingerprints.
  private func start(of fingerprint: UInt64) -> Int {
    Int(fingerprint.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  /// A value under `fingerprint` for which `isIt` says yes.
  func value<Failure: Error>(
    of fingerprint: UInt64,
    where isIt: (UInt64) throws(Failure) -> Bool
  ) throws(Failure) -> UInt64? {
    guard count > 0 else { return nil }
    var place = start(of: fingerprint)
    while slots[place].value != 0 {
      if slots[place].fingerprint == fingerprint, try isIt(slots[place].value) {
        return slots[place].value
      }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  func holds(_ fingerprint: UInt64) -> Bool {
    value(of: fingerprint) { _ in true } != nil
  }

  static func holdsOneTwice(_ fingerprints: [UInt64]) -> Bool {
    var seen = FingerprintTable(capacity: fingerprints.count)
    for fingerprint in fingerprints {
      if seen.holds(fingerprint) { return true }
      seen.insert(fingerprint, 1)
    }
    return false
  }

  /// All that is in the table, nearly in order.
  var items: [IndexItem] {
    slots.filter { $0.value != 0 }
      .map { IndexItem(fingerprint: $0.fingerprint, value: $0.value) }
  }
}
