/// Rows in columns that stand below each other, two places apart.
struct Table {
  enum Alignment: Sendable {
    case left
    /// For numbers.
    case right
  }

  struct Column: Sendable {
    var title: String
    var alignment: Alignment

    static func left(_ title: String) -> Column { Column(title: title, alignment: .left) }
    static func right(_ title: String) -> Column { Column(title: title, alignment: .right) }
  }

  private let columns: [Column]
  private var rows: [[Line]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ cells: Line...) {
    precondition(cells.count == columns.count, "a row has a cell for each column")
    rows.append(cells)
  }

  /// The rows, below their titles if `titled` (as `--format table` shows them).
  func lines(titled: Bool) -> [Line] {
    let titles = columns.map { Line($0.title, .bold) }
    let all = titled ? [titles] + rows : rows
    let widths = columns.indices.map { index in all.map { $0[index].width }.max() ?? 0 }
    return all.map { cells in line(of: cells, widths) }
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
