import TidemarkJournalStore

extension JournalReader {
  /// Opens a journal for a verb that ends when somebody asks the process to stop.
  convenience init(stoppableAt path: String) throws(JournalError) {
    try self.init(path)
    isStopped = { Interruption.isRequested }
  }
}

extension Input {
  /// Opens the journal that is named.
  ///
  /// - Throws: ``Failure``; if something else stands there, it says what, and what to do with it.
  func reader() throws(Failure) -> JournalReader {
    let path = try journalPath
    do throws(JournalError) { return try JournalReader(stoppableAt: path) } catch {
      var failure = Failure(mapping: error)
      switch error.code {
      case .foreign: tell(FileNature(at: path), at: path, in: &failure)
      case .missing: failure.advice = swapped(with: path) ?? failure.advice
      default: break
      }
      throw failure
    }
  }

  /// Opens the journal that is named, and tells what is wrong with it as a whole.
  ///
  /// Verbs that list findings as their data open it by ``reader()``, and list these as well.
  func openJournal(telling output: inout Output) throws -> JournalReader {
    let reader = try reader()
    output.tell(try reader.findings())
    return reader
  }

  private func tell(_ nature: FileNature?, at path: String, in failure: inout Failure) {
    guard let nature else { return }
    failure.advice = Suggestion.opening(path, nature)
    switch nature {
    // The journal says it better.
    case .folder, .journal, .binary, .text: break
    default: failure.message = "\(path) is \(nature.words), no journal"
    }
  }

  /// The command line in the right order, if another word names a file.
  private func swapped(with path: String) -> String? {
    guard let word = operands.last, System.fileType(at: word) == .regular else { return nil }
    let words = ["tidemark", command.name, Words.quoted(word), Words.quoted(path)]
    return "The journal comes first: \(words.joined(separator: " "))"
  }
}
