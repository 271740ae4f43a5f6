import TidemarkEntries
import TidemarkExports
import TidemarkJSON

/// What a file holds, by its first bytes: who names the wrong file is told the right command.
enum FileNature: Equatable {
  case empty
  case folder
  case journal
  case capture
  case export
  case packed(Packer)
  case json
  case binary
  case text

  /// A form in which files are kept that has to be taken off, and what does that.
  struct Packer: Equatable, Sendable {
    /// The rest of a sentence that begins with `it is`.
    var words: String

    /// Writes what was packed to standard output.
    var unpack: String

    /// Leaves it as a file beside the packed one.
    var unpackFile: String?
    fileprivate var mark: [UInt8]

    private init(_ words: String, _ mark: [UInt8], _ unpack: String, file: String? = nil) {
      self.words = words
      self.mark = mark
      self.unpack = unpack
      unpackFile = file
    }

    fileprivate static let all = [
      Packer("packed with gzip", [0x1f, 0x8b], "gunzip -c", file: "gunzip -k"),
      Packer("packed with zstd", [0x28, 0xb5, 0x2f, 0xfd], "zstd -dc", file: "zstd -d"),
      Packer("packed with zip", Array("PK\u{3}\u{4}".utf8), "unzip -p", file: "unzip"),
      Packer("packed with bzip2", Array("BZh".utf8), "bunzip2 -c", file: "bunzip2 -k"),
      Packer("packed with xz", [0xfd] + Array("7zXZ".utf8), "xz -dc", file: "xz -dk"),
      Packer("text in UTF-16", [0xff, 0xfe], "iconv -f UTF-16 -t UTF-8"),
      Packer("text in UTF-16", [0xfe, 0xff], "iconv -f UTF-16 -t UTF-8"),
    ]
  }

  /// So many bytes are looked at.
  static let bytesMax = 512

  /// What stands at `path`; nothing if that is no file and no folder.
  init?(at path: String) {
    switch System.fileType(at: path) {
    case .missing, .other: return nil
    case .folder: self = .folder
    case .regular: self.init(System.firstBytes(FileNature.bytesMax, of: path))
    }
  }

  /// What a file holds that begins with `bytes`.
  init(_ bytes: [UInt8]) {
    let packer = Packer.all.first { bytes.starts(with: $0.mark) }
    let text = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
    // A name in double quotes does not hold one, so the bytes without blanks tell enough.
    let dense = text.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
    if bytes.isEmpty {
      self = .empty
    } else if let packer {
      self = .packed(packer)
    } else if bytes.starts(with: "SQLite format 3\u{0}".utf8) {
      self = bytes.dropFirst(68).starts(with: "Tide".utf8) ? .journal : .binary
    } else if bytes.contains(0) {
      self = .binary
    } else if dense.starts(with: #"{"schema":"tidemark."#.utf8) {
      self = .export
    } else if dense.starts(with: #"{"log":{"#.utf8) {
      self = .capture
    } else {
      self = [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(dense.first) ? .json : .text
    }
  }

  /// The rest of a sentence that begins with `it is`.
  var words: String {
    switch self {
    case .empty: "an empty file"
    case .folder: "a folder"
    case .journal: "a journal"
    case .capture: "an HTTP capture (HAR)"
    case .export: "a Tidemark export (JSON Lines)"
    case .packed(let packer): packer.words
    case .json: "JSON of another kind"
    case .binary: "no text"
    case .text: "text"
    }
  }

  /// The format by which `import` reads it.
  var format: String? {
    switch self {
    case .capture: HARFormat.name
    case .export: JSONLinesFormat.name
    default: nil
    }
  }
}

/// Command lines that are told as a way on, each word quoted as the shell wants it.
enum Suggestion {
  static func importing(
    _ format: String,
    _ file: String,
    into journal: String? = nil,
    isDryRun: Bool = false
  ) -> String {
    let journal = Words.quoted(journal ?? journalName(for: file))
    let file = file == "-" ? "-" : Words.quoted(file)
    return "tidemark import \(format) \(file) --into \(journal) \(isDryRun ? "--dry-run" : "--yes")"
  }

  /// `shop.tidemark` for `captures/shop.har.gz`.
  static func journalName(for file: String) -> String {
    var name = file.split(separator: "/").last ?? "capture"
    for end in [".gz", ".zst", ".zip", ".har", ".json", ".jsonl"] where name.hasSuffix(end) {
      name = name.dropLast(end.count)
    }
    return name.isEmpty || name == "-" ? "capture.tidemark" : "\(name).tidemark"
  }

  /// What shows a late reply, refused at `seq`, and what the fence kept, each behind its title.
  static func comparing(
    _ seq: Seq,
    _ path: Path,
    in journal: String
  ) -> [String] {
    let journal = Words.quoted(journal)
    let path = Words.quoted(PathJSON.text(of: path), always: true)
    return [
      "shown     tidemark show \(journal) \(seq) --bodies",
      "kept      tidemark state \(journal) --at \(seq) --path \(path) --bodies",
    ]
  }

  /// What to do with a file that is no journal.
  static func opening(_ file: String, _ nature: FileNature) -> String {
    if let format = nature.format { return "Import it first: \(importing(format, file))" }
    switch nature {
    case .packed(let packer):
      let command = packer.unpackFile.map { "\($0) \(Words.quoted(file))" }
      return "Unpack it first: \(command ?? packer.unpack)"
    case .folder: return "A journal is one file: name the file in it."
    default: return "A journal is what an app with Tidemark writes, or tidemark import makes."
    }
  }
}
