import Foundation

/// Chance that can be had again: SplitMix64 (Steele, Lea, Flood, 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// Whether a test that takes minutes goes through everything, and not through a part by its seed.
///
/// So it does where `CI` or `THOROUGH` is set.
package var isThorough: Bool {
  let environment = ProcessInfo.processInfo.environment
  return environment["CI"] != nil || environment["THOROUGH"] != nil
}

/// The seed of a random test: `SEED` of the environment, or one of its own; it is printed.
package func testSeed(_ name: String = #function) -> UInt64 {
  let given = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
  let seed = given ?? UInt64.random(in: 0..<1_000_000_000)
  print("\(name): SEED=\(seed)")
  return seed
}
