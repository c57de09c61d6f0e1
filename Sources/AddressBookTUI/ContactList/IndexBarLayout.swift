/// Which section titles the index bar shows at a height, as the bar of a phone's list does.
///
/// All titles when there is room; else the first, the last and evenly spread ones between, with a dot for those left out.
struct IndexBarLayout: Equatable {
  /// One line of the bar.
  enum Mark: Equatable {
    /// The title with that ordinal among all titles.
    case title(Int)
    /// Stands for the titles from the first to the second ordinal.
    case dot(ClosedRange<Int>)

    /// The titles that this line stands for.
    var titles: ClosedRange<Int> {
      switch self {
      case .title(let ordinal): ordinal...ordinal
      case .dot(let range): range
      }
    }
  }

  /// From the top; at most as many as there are lines.
  let marks: [Mark]

  /// The bar for so many titles on so many lines.
  init(titleCount: Int, height: Int) {
    guard titleCount > 0, height > 0 else {
      marks = []
      return
    }
    if titleCount <= height {
      marks = (0..<titleCount).map(Mark.title)
      return
    }
    // Titles and dots alternate, so an odd number of lines is used.
    let shown = (height + 1) / 2
    guard shown > 1 else {
      marks = [.title(0)]
      return
    }
    let chosen = (0..<shown).map { $0 * (titleCount - 1) / (shown - 1) }
    var marks: [Mark] = [.title(chosen[0])]
    for (previous, next) in zip(chosen, chosen.dropFirst()) {
      if previous + 1 <= next - 1 { marks.append(.dot(previous + 1...next - 1)) }
      marks.append(.title(next))
    }
    self.marks = marks
  }

  /// The line that stands for a title, by its ordinal.
  func line(ofTitle ordinal: Int) -> Int? {
    marks.firstIndex { $0.titles.contains(ordinal) }
  }
}
