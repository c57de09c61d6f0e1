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
    case .created, .modified: .fixed(16)
    case .field(.labeled(let values, _)) where values.name == "phones": .fixed(isNarrow ? 17 : 20)
    case .field(.labeled(let values, _)) where values.name == "emails": .atLeast(20)
    default: .atLeast(14)
    }
  }
}
