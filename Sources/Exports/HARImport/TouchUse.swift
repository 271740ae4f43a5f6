package import TidemarkEntries

/// Which rules of the app's own found something in a capture.
///
/// A misspelled rule is no error: it says nothing of any change, or names what no request reads.
package struct TouchUse {
  private let rules: [TouchRule]

  /// The rules that spoke of no change so far.
  private var silent: Set<Int>

  /// The paths behind the colons that no read was of so far.
  private var unread: [(rule: Int, target: [String])]

  package init(of policy: TouchPolicy) {
    rules = policy.rules
    silent = Set(rules.indices)
    unread = rules.indices.flatMap { index in
      policy.rules[index].targets.map { (index, $0) }
    }
  }

  package mutating func change(_ method: String, _ path: Path) {
    guard !silent.isEmpty else { return }
    let resource = Path(canonical: Array(path.resource))
    guard let used = rules.firstIndex(where: { $0.targets(method, resource) != nil }) else {
      return
    }
    silent.remove(used)
  }

  package mutating func read(_ path: Path) {
    unread.removeAll { TouchUse.isNamed(path, by: $0.target) }
  }

  /// Whether `target` may cover `path`; its stars stand for any segment here.
  private static func isNamed(_ path: Path, by target: [String]) -> Bool {
    let depth = path.resource.split(separator: UInt8(ascii: "/")).count
    return depth >= target.count && TouchRule.match(target, path) != nil
  }

  /// What found nothing, a sentence each, in the order of the rules.
  package var remarks: [String] {
    rules.indices.flatMap { index -> [String] in
      let text = rules[index].text
      guard !silent.contains(index) else {
        return ["--touches '\(text)' speaks of no change of the capture"]
      }
      return unread.filter { $0.rule == index }.map {
        "--touches '\(text)': no read of the capture is of /\($0.target.joined(separator: "/"))"
      }
    }
  }
}
