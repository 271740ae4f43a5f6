package import TidemarkJSON

/// An HTTP capture (HAR 1.1 to 1.3), read from a file that is never held as a whole.
///
///     let capture = try HARCapture(reading: InputFile(path: "capture.har"))
///     var events = capture.events()
///     while let event = try events.next() { … }
///
/// The first pass, here, checks the structure and finds every entry. The events then read one entry
/// at a time, so memory is bounded by the longest entry and 56 bytes for each of them.
package struct HARCapture: Sendable {
  /// Who made the capture.
  package let about: HARAbout

  /// How many elements `log.entries` has.
  package let entryCount: Int

  /// What could not be taken, each a finding J702; everything else was taken.
  package let problems: HARProblems

  /// What is odd, and how often.
  package let notes: [HARNote: Int]

  let limits: HARLimits
  let elements: [HARElement]
  let resourceTypes: [String]
  let file: InputFile

  /// Checks a capture and finds its entries.
  ///
  /// - Throws: ``HARError`` if the file cannot be read, or is no capture.
  /// - Complexity: O(*n*) in the length of the file.
  package init(reading file: InputFile, limits: HARLimits = HARLimits()) throws(HARError) {
    let index = try HARIndex(reading: file, limits: limits)
    about = index.about
    entryCount = index.entryCount
    problems = index.problems
    notes = index.notes
    elements = index.elements
    resourceTypes = index.resourceTypes
    self.file = file
    self.limits = limits
  }

  /// How many exchanges were found: the entries without those that were left out.
  package var exchangeCount: Int { elements.count }

  /// The beginnings and ends of all exchanges, in order of time.
  package func events() -> HAREvents {
    HAREvents(of: self)
  }
}
