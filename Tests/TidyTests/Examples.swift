/// The code and the commands of the pages for people, and where each is really run.
enum Examples {
  /// The pages whose examples are run.
  static func isPage(_ path: String) -> Bool {
    path == "README.md" || path.hasPrefix("docs/guides/")
  }

  /// The regions of a test file that pages show: from `// README: name` to `// end`.
  static func regions(in file: TextFile) -> [(name: String, lines: [String])] {
    var regions: [(name: String, lines: [String])] = []
    var isOpen = false
    for line in file.lines {
      if let match = line.trimmed.wholeMatch(of: #/\/\/ README: (.+)/#) {
        regions.append((String(match.1), []))
        isOpen = true
      } else if line.trimmed == "// end" {
        isOpen = false
      } else if isOpen {
        regions[regions.count - 1].lines.append(String(line))
      }
    }
    return regions.map { ($0.name, unindented($0.lines)) }
  }

  /// Swift that no test compiles to the letter, and regions that no page shows.
  static func unprovenCode(on pages: [TextFile], provenBy files: [TextFile]) -> [Complaint] {
    let regions = files.flatMap { file in Examples.regions(in: file).map { (file, $0) } }
    let blocks = pages.flatMap { page in
      Markdown(page).blocks.filter { $0.language == "swift" }.map { (page, $0) }
    }
    let unproven = blocks.filter { block in !regions.contains { $0.1.lines == block.1.lines } }
    let unshown = regions.filter { region in !blocks.contains { $0.1.lines == region.1.lines } }
    return unproven.map {
      Complaint($0.0.path, $0.1.line, "no region of a test equals this code")
    }
      + unshown.map { Complaint($0.0.path, 0, "no page shows the region \($0.1.name)") }
  }

  /// Commands that neither a story nor CI runs.
  static func unprovenCommands(
    on pages: [TextFile],
    stories: [TextFile],
    script: TextFile?
  ) -> [Complaint] {
    let told = stories.flatMap { story in
      story.lines.filter { $0.trimmed.hasPrefix("$ ") }.map { $0.trimmed.dropFirst(2) }
    }
    let run = script?.lines.map { $0.trimmed.trimmingPrefix("exec ") } ?? []
    let proven = Set((told + run).map { String($0) })
    return pages.flatMap { page in
      commands(on: page).filter { !proven.contains($0.text) }.map {
        Complaint(page.path, $0.line, "no story and not .ci/run runs: \($0.text)")
      }
    }
  }

  /// The commands of ours in the blocks of shell.
  ///
  /// In a block with prompts, a line without one is output.
  static func commands(on page: TextFile) -> [(line: Int, text: String)] {
    Markdown(page).blocks.filter { $0.language == "sh" }.flatMap { block in
      let hasPrompts = block.lines.contains { $0.hasPrefix("$ ") }
      return block.lines.enumerated().compactMap { index, line -> (Int, String)? in
        guard line.hasPrefix("$ ") || !hasPrompts else { return nil }
        let text = Substring(line).drop { $0 == "$" || $0 == " " }.replacing(#/\s+# .*/#, with: "")
        let isOurs = text.prefixMatch(of: #/tidemark\b|Tools\/|\.ci\//#) != nil
        return isOurs ? (block.line + index, String(text.trimmed)) : nil
      }
    }
  }

  /// Blocks with commands of ours that do not say that they are shell, so that nothing runs them.
  static func unmarkedCommands(on page: TextFile) -> [Complaint] {
    Markdown(page).blocks.filter { $0.language.isEmpty }.flatMap { block in
      block.lines.enumerated().filter { $0.element.hasPrefix("tidemark ") }.map {
        Complaint(page.path, block.line + $0.offset, "a block with commands begins with ```sh")
      }
    }
  }

  private static func unindented(_ lines: [String]) -> [String] {
    let least = lines.filter { !$0.isEmpty }.map { Substring($0).indentation }.min() ?? 0
    return lines.map { String($0.dropFirst(least)) }
  }
}
