internal import TidemarkEntries
package import TidemarkJSON
internal import TidemarkJournalStore

/// What of a capture could not be taken: finding J702, input-malformed.
package struct HARProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where in the file, in bytes.
  package var offset: Int

  /// The place in `log.entries` of the element that it is about, from 0; nothing outside of them.
  package var index: Int?

  /// What is wrong, and what was done about it.
  package var reason: String

  package var description: String {
    index.map { "entry \($0) at byte \(offset): \(reason)" } ?? "byte \(offset): \(reason)"
  }
}

/// The problems of a capture: all counted, the first ones listed.
package struct HARProblems: Sendable {
  package private(set) var count = 0
  package private(set) var listed: [HARProblem] = []

  package mutating func add(_ problem: HARProblem) {
    count += 1
    if listed.count < HARLimits.problemsListedMax { listed.append(problem) }
  }

  /// Counts those of `other` too, and lists what there is room for.
  mutating func add(_ other: HARProblems) {
    count += other.count
    listed += other.listed.prefix(max(0, HARLimits.problemsListedMax - listed.count))
  }

  mutating func add(_ reason: String, at offset: Int, index: Int? = nil) {
    add(HARProblem(offset: offset, index: index, reason: reason))
  }
}

/// What is odd about a capture, and was taken all the same.
package enum HARNote: String, Sendable, Hashable, CaseIterable {
  /// A start has no time zone and was taken as UTC.
  case withoutZone

  /// A start lies before 1995 or after 2099: the clock was wrong.
  case clockSkewed

  /// A member stands twice in one object; the last one was taken, as browsers do.
  case repeatedName
}

/// Why a capture could not be read at all.
package enum HARError: Error, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable(InputError)

  /// There is no capture in it; the problem says where that shows.
  case notACapture(HARProblem)

  /// The file is another one than when it was opened.
  case changed(String)

  package var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .notACapture(let problem): "no HTTP capture (HAR): \(problem)"
    case .changed(let what): "the capture changed while it was read: \(what)"
    }
  }
}
