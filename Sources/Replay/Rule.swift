package import TidemarkJournalStore

/// A rule of the judge, as the documentation numbers it, with all that must hold by it.
package struct Rule: Sendable {
  /// What one check looks for.
  package struct Part: Sendable {
    package var sentence: String

    /// The code of what breaks it.
    package var code: FindingCode
  }

  /// Its number: `F2`.
  package var name: String

  /// One or several, in the order of the catalogue.
  package var parts: [Part]
}

extension CheckCatalogue {
  /// The rules that this build judges, in the order of the catalogue.
  package static let rules: [Rule] = all.reduce(into: []) { rules, check in
    let part = Rule.Part(sentence: check.sentence, code: check.code)
    if let index = rules.firstIndex(where: { $0.name == check.rule }) {
      rules[index].parts.append(part)
    } else {
      rules.append(Rule(name: check.rule, parts: [part]))
    }
  }
}
