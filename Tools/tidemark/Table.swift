/// Rows in columns that stand below each other, two places apart.
///
/// Where a terminal is narrower than the rows, one column is cut: the one that yields.
struct Table {
  enum Alignment: Sendable {
    case left
    /// For numbers.
    case right
  }

  struct Column: Sendable {
    var title: String
    var alignment: Alignment
    var isYielding = false

    static func left(_ title: String) -> Column { Column(title: title, alignment: .left) }
    static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }

    /// The least important one, which is cut where there is no room for all.
    static func yielding(_ title: String) -> Column {
      Column(title: title, alignment: .left, isYielding: true)
    }
  }

  /// What shows the whole of what was cut.
  let whole: String
  private let columns: [Column]
  private var rows: [[Line]] = []

  /// A column is not cut to less: then the lines are wider than the terminal.
  private static let yieldingMin = 24

  init(_ columns: [Column], whole: String = "a pipe or -o FILE") {
    precondition(columns.count(where: \.isYielding) <= 1, "one column yields")
    self.columns = columns
    self.whole = whole
  }

  mutating func add(_ cells: Line...) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// The rows, below their titles if `titled` (as `--format table` shows them).
  ///
  /// - Parameters:
  ///   - titled: whether the titles stand above.
  ///   - width: how many places a line has; any number if none is given.
  /// - Returns: the lines, and whether something was cut to make them fit.
  func lines(titled: Bool, width: Int? = nil) -> (lines: [Line], isCut: Bool) {
    let titles = columns.map { Line($0.title, .bold) }
    let all = titled ? [titles] + rows : rows
    var widths = columns.indices.map { index in all.map { $0[index].width }.max() ?? 0 }
    let needed = widths.reduce(0, +) + 2 * (columns.count - 1)
    guard let width, needed > width, let index = columns.firstIndex(where: \.isYielding),
      widths[index] > Table.yieldingMin
    else { return (all.map { line(of: $0, widths) }, false) }
    widths[index] = max(Table.yieldingMin, widths[index] - (needed - width))
    let lines = all.map { cells in
      var cells = cells
      cells[index] = cells[index].cut(to: widths[index])
      return line(of: cells, widths)
    }
    return (lines, true)
  }

  private func line(of cells: [Line], _ widths: [Int]) -> Line {
    var line = Line("")
    var owed = 0
    for (index, cell) in cells.enumerated() {
      let space = widths[index] - cell.width
      let isRight = columns[index].alignment == .right
      let before = isRight ? space : 0
      // Spaces are written only before something, so that no line ends in them.
      if cell.width > 0 {
        line.append(String(repeating: " ", count: owed + before))
        line.append(cell)
        owed = 2 + (isRight ? 0 : space)
      } else {
        owed += widths[index] + 2
      }
    }
    return line
  }
}
