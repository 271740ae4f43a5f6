import TidemarkJSON

/// The file that an import reads.
struct ImportSource {
  let file: InputFile

  /// As it was given; `-` is standard input.
  private let name: String

  init(_ name: String) throws(InputError) {
    self.name = name
    let isStopped: @Sendable () -> Bool = { Interruption.isRequested }
    file =
      name == "-"
      ? try InputFile.standardInput(isStopped: isStopped)
      : try InputFile(path: name, isStopped: isStopped)
  }

  /// Why `format` does not read the file, and which command line does.
  ///
  /// The `reason` is what it stumbled on, told if nothing better is known.
  func refusal(
    by format: any ImportFormat.Type,
    _ reason: String,
    _ target: ImportTarget
  ) -> Failure {
    let nature = nature
    let isTold = nature.format == format.name || [.json, .text].contains(nature)
    let shown = name == "-" ? "standard input" : name
    return .input(
      "\(shown) is no \(format.noun): \(isTold ? reason : "it is " + nature.words)",
      advice: advice(format, target)
    )
  }

  private func advice(
    _ format: any ImportFormat.Type,
    _ target: ImportTarget
  ) -> String? {
    let nature = nature
    if let other = nature.format, other != format.name {
      return "Try: " + importing(other, name, target)
    }
    switch nature {
    case .empty: return nil
    case .packed(let packer) where name == "-": return "Unpack it on its way: \(packer.unpack)"
    case .packed(let packer):
      let rest = importing(format.name, "-", target)
      return "Try: \(packer.unpack) \(Words.quoted(name)) | \(rest)"
    case .journal where name != "-": return "Try: tidemark info \(Words.quoted(name))"
    default: return format.advice
    }
  }

  private func importing(_ format: String, _ file: String, _ target: ImportTarget) -> String {
    Suggestion.importing(format, file, into: target.name, isDryRun: target.isDryRun)
  }

  /// What the file is, as far as its first bytes tell.
  var nature: FileNature {
    var bytes = [UInt8](repeating: 0, count: FileNature.bytesMax)
    let count = (try? file.take(bytes.count, at: 0, into: &bytes, from: 0)) ?? 0
    return FileNature(Array(bytes.prefix(count)))
  }
}
