import AddressBookModel
import BookInterchange
import Contacts

/// The columns of the list: those of the configuration, and one for the value that the list is sorted by.
struct ListLayout: Equatable {
  /// The columns of the configuration; nil for the standard ones, which depend on the width.
  var chosen: [ContactColumn]? {
    didSet { update() }
  }
  /// What the list is sorted by.
  var order = ContactSortOrder.name {
    didSet { update() }
  }
  /// The day from which the list counts birthdays, for a list of those that come next.
  var firstDay: CalendarDay?
  /// Whether the column of the last change also says what was changed.
  var showsChanges = false
  /// The columns other than the name, the first phone number, the organization and the first email address. Their texts
  /// are made from the whole contact.
  private(set) var others: [ContactColumn] = []

  /// The width of a column in cells.
  enum Width: Equatable {
    case fixed(Int)
    case atLeast(Int)
  }

  private static let standard: [ContactColumn] = [.name, column("phone"), column("organization"), column("email")]

  private static func column(_ name: String) -> ContactColumn { ContactColumn(name) ?? .name }

  private mutating func update() {
    others = []
    let columns = (chosen ?? []) + (key.map { [$0] } ?? [])
    for column in columns where Self.field(column) == nil && !others.contains(column) { others.append(column) }
  }

  /// The column with the value that the list is sorted by; nil if it is sorted by name.
  private var key: ContactColumn? {
    switch order {
    case .name: nil
    case .organization: Self.column("organization")
    case .added: .created
    case .changed: .modified
    case .birthday: .field(.birthday)
    case .contacted: .contacted
    }
  }

  /// The columns for a list of that width. The column that the list is sorted by is next to the name, unless the
  /// configuration puts it elsewhere and it has room there; it is missing only if it has no room next to the name.
  func columns(width: Int) -> ListColumns {
    if chosen == nil, key == nil { return ListColumns(width: width) }
    var requested = chosen ?? Self.standard
    if let key, chosen == nil || !requested.contains(key) { moveAfterName(key, in: &requested) }
    let columns = columns(requested, in: width)
    guard let key, !columns.columns.contains(where: { $0.field == field(key) }) else { return columns }
    moveAfterName(key, in: &requested)
    return self.columns(requested, in: width, keeping: key)
  }

  /// - Parameter kept: the column that is dropped last.
  private func columns(
    _ requested: [ContactColumn], in width: Int, keeping kept: ContactColumn? = nil
  ) -> ListColumns {
    ListColumns(
      width: width, requested.map { (field($0), self.width(of: $0, isNarrow: width < 58)) }, keeping: kept.map(field))
  }

  private func moveAfterName(_ key: ContactColumn, in columns: inout [ContactColumn]) {
    columns.removeAll { $0 == key }
    columns.insert(key, at: (columns.firstIndex(of: .name) ?? -1) + 1)
  }

  private func field(_ column: ContactColumn) -> ListColumns.Field {
    Self.field(column) ?? .other(others.firstIndex(of: column) ?? 0)
  }

  /// The field of a column; nil for one of ``others``.
  private static func field(_ column: ContactColumn) -> ListColumns.Field? {
    switch column {
    case .name: .name
    case .field(.text(let text)) where text.name == "organization": .organization
    case .field(.labeled(let values, label: "")) where values.name == "phones": .phone
    case .field(.labeled(let values, label: "")) where values.name == "emails": .email
    default: nil
    }
  }

  private func width(of column: ContactColumn, isNarrow: Bool) -> Width {
    switch column {
    // `27 September, turns 100`, `2026-03-01 10:30  phone, email`
    case .field(.birthday) where firstDay != nil: isNarrow ? .atLeast(17) : .fixed(23)
    case .modified where showsChanges: .atLeast(isNarrow ? 18 : 30)
    case .name: .atLeast(16)
    case .id, .version: .fixed(8)
    case .section: .fixed(3)
    // `27 September 1940`, `2026-03-01 10:30`
    case .field(.birthday): .fixed(17)
    case .created, .modified, .contacted: .fixed(16)
    case .field(.labeled(let values, _)) where values.name == "phones": .fixed(isNarrow ? 17 : 20)
    case .field(.labeled(let values, _)) where values.name == "emails": .atLeast(20)
    default: .atLeast(14)
    }
  }
}

/// The columns of the list at a width, and their positions.
struct ListColumns: Equatable {
  /// The content of a column.
  enum Field: Equatable {
    case name, phone, organization, email
    /// One of ``ListLayout/others``, by its index.
    case other(Int)
  }

  /// A column: its field, its first cell counted from the left edge of the list, and its width in cells.
  struct Column: Equatable {
    var field: Field
    var start: Int
    var width: Int
  }

  /// Cells before the first column: the selection's arrow or a mark, and a blank.
  static let gutter = 2
  /// Blank cells between columns.
  static let gap = 2
  /// Enough for `+86 138 0000 1111`.
  private static let narrowPhone = 17
  /// Enough for `+44 20 7946 0958 123`.
  private static let phone = 20

  let columns: [Column]

  /// The columns for a list of that width: first the name, then whatever there is room for.
  init(width: Int) {
    let room = max(0, width - Self.gutter)
    let fields: [(Field, Int)]
    switch room {
    case ..<34:
      fields = [(.name, room)]
    case ..<56:
      fields = [(.name, room - Self.narrowPhone - Self.gap), (.phone, Self.narrowPhone)]
    case ..<92:
      let rest = room - Self.phone - 2 * Self.gap
      let name = max(20, rest * 11 / 20)
      fields = [(.name, name), (.phone, Self.phone), (.organization, rest - name)]
    default:
      let rest = room - Self.phone - 3 * Self.gap
      let name = min(36, rest * 8 / 20)
      let organization = (rest - name) / 2
      fields = [
        (.name, name), (.phone, Self.phone), (.organization, organization), (.email, rest - name - organization),
      ]
    }
    var start = Self.gutter
    columns = fields.map { field, width in
      defer { start += width + Self.gap }
      return Column(field: field, start: start, width: width)
    }
  }

  /// The given columns, in their order: as many of the first ones as there is room for, and always the name.
  /// - Parameter kept: the field of a column that is dropped only when no other column but the name is left.
  init(width: Int, _ requested: [(field: Field, width: ListLayout.Width)], keeping kept: Field? = nil) {
    func least(_ width: ListLayout.Width) -> Int {
      switch width {
      case .fixed(let cells), .atLeast(let cells): cells
      }
    }
    var room = max(0, width - Self.gutter)
    var shown = requested
    // The last columns are dropped first.
    while shown.count > 1, shown.map({ least($0.width) + Self.gap }).reduce(-Self.gap, +) > room {
      let dropped = shown.lastIndex { $0.field != .name && $0.field != kept } ?? shown.lastIndex { $0.field != .name }
      shown.remove(at: dropped ?? shown.count - 1)
    }
    var widths = shown.map { least($0.width) }
    if shown.count == 1 { widths = [room] }
    room -= widths.reduce(0, +) + Self.gap * (shown.count - 1)
    // The remaining room goes to the columns that can use it; a name seldom needs more than 36 cells.
    var growing = shown.indices.filter { if case .atLeast = shown[$0].width { true } else { false } }
    while room > 0, !growing.isEmpty {
      let share = max(1, room / growing.count)
      for index in growing where room > 0 {
        let limit = shown[index].field == .name && growing.count > 1 ? 36 - widths[index] : room
        let added = min(share, room, max(0, limit))
        widths[index] += added
        room -= added
        if added < share { growing.removeAll { $0 == index } }
      }
    }
    var start = Self.gutter
    columns = zip(shown, widths).map { column, width in
      defer { start += width + Self.gap }
      return Column(field: column.field, start: start, width: width)
    }
  }

  /// The columns of a row with their texts. Columns other than the name are left out if they are empty in this row; the
  /// name extends over the empty ones directly after it.
  func cells(of row: ListRow) -> [(column: Column, cell: ListRow.Cell)] {
    let hint = row.hint(besides: columns.map(\.field))
    var cells = columns.map { column in
      let isHint = hint != nil && column == columns.last && column.field != .name
      return (column: column, cell: isHint ? hint ?? ListRow.Cell() : row.cell(column.field))
    }
    guard let last = columns.last, let name = cells.firstIndex(where: { $0.column.field == .name }) else {
      return cells
    }
    let next = cells[(name + 1)...].first { !$0.cell.text.isEmpty }
    let end = next.map { $0.column.start - Self.gap } ?? last.start + last.width
    cells[name].column.width = end - cells[name].column.start
    return cells.filter { $0.column.field == .name || !$0.cell.text.isEmpty }
  }
}
