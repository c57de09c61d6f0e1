/// The section titles in an index bar of a given height, chosen as in the index bars of phones.
///
/// All titles if there is room; otherwise those of sections with contacts, if they fit; otherwise the first, the last
/// and evenly spaced ones between, or only the first on fewer than three lines. Where there is room, a dot represents
/// omitted titles.
struct IndexBarLayout: Equatable {
  /// One line of the bar.
  enum Mark: Equatable {
    /// The title with that ordinal among all titles.
    case title(Int)
    /// A dot that represents the titles with these ordinals.
    case dot(ClosedRange<Int>)

    /// The titles that this line represents.
    var titles: ClosedRange<Int> {
      switch self {
      case .title(let ordinal): ordinal...ordinal
      case .dot(let range): range
      }
    }
  }

  /// From the top; at most as many as there are lines.
  let marks: [Mark]

  /// The bar for that many titles on that many lines.
  /// - Parameter present: ordinals of the titles of sections with contacts, ascending.
  init(titleCount: Int, height: Int, present: [Int] = []) {
    guard titleCount > 0, height > 0 else {
      marks = []
      return
    }
    if titleCount <= height {
      marks = (0..<titleCount).map(Mark.title)
      return
    }
    if !present.isEmpty, present.count <= height {
      marks = Self.marks(of: present, spare: height - present.count)
      return
    }
    // Titles and dots alternate, so use an odd number of lines.
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

  /// These titles, with dots in the widest gaps between them as far as there are spare lines.
  private static func marks(of titles: [Int], spare: Int) -> [Mark] {
    let gaps = zip(titles, titles.dropFirst()).filter { $0 + 1 < $1 }.map { $0 + 1...$1 - 1 }
    let shown = Set(gaps.sorted { ($0.count, $1.lowerBound) > ($1.count, $0.lowerBound) }.prefix(spare))
    var marks: [Mark] = []
    for title in titles {
      marks.append(.title(title))
      if let gap = shown.first(where: { $0.lowerBound == title + 1 }) { marks.append(.dot(gap)) }
    }
    return marks
  }
}
