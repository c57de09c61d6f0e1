/// The texts of one contact's line.
struct ListRow: Equatable {
  /// A text with the matched code points.
  struct Cell: Equatable {
    var text = ""
    var matches: [Range<Int>] = []
  }

  var name = Cell()
  var isFavorite = false
  var phone = Cell()
  var organization = Cell()
  var email = Cell()
  /// The cells of ``ListLayout/others``.
  var others: [Cell] = []
  /// Each match with its field's name, such as `note: …`, and the column that can show it.
  var hints: [(field: ListColumns.Field?, cell: Cell)] = []

  static func == (left: ListRow, right: ListRow) -> Bool {
    left.name == right.name && left.isFavorite == right.isFavorite && left.phone == right.phone
      && left.organization == right.organization
      && left.email == right.email && left.others == right.others
      && left.hints.elementsEqual(right.hints) { $0 == $1 }
  }

  /// The hint for a match that none of these columns shows; nil if there is none, or if one of them shows a match.
  func hint(besides columns: [ListColumns.Field]) -> Cell? {
    guard columns.allSatisfy({ cell($0).matches.isEmpty }) else { return nil }
    return hints.first { hint in hint.field.map { !columns.contains($0) } ?? true }?.cell
  }

  func cell(_ field: ListColumns.Field) -> Cell {
    switch field {
    case .name: name
    case .phone: phone
    case .organization: organization
    case .email: email
    case .other(let index): others.indices.contains(index) ? others[index] : Cell()
    }
  }
}
