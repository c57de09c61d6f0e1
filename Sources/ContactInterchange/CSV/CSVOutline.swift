import Contacts
import VCard

/// What the beginning of a CSV file says about its columns: what each means, its first values, and the order of day and
/// month in its dates.
public struct CSVOutline: Hashable, Sendable {
  /// A column.
  public struct Column: Hashable, Sendable {
    /// Its name in the header.
    public let name: String
    /// Where its values belong.
    public let meaning: Meaning
    /// Its first values, at most three, each once.
    public internal(set) var values: [String] = []
    /// The order of day and month in its dates; nil if no date proves it, or dates prove both.
    public internal(set) var dateOrder: DateOrder?
    /// Whether it has a date that can be read in two ways.
    public internal(set) var hasAmbiguousDate = false
  }

  /// Where the values of a column belong.
  public enum Meaning: Hashable, Sendable {
    /// The values of this field.
    case field(FieldSlot)
    /// The values are the labels of this field's values.
    case label(FieldSlot)
    /// The user left the column out.
    case leftOut
    /// A contact has no field for the column.
    case unknown
  }

  /// The order of day and month in `13/2/1990` and `2/13/1990`.
  public struct DateOrder: Hashable, Sendable {
    /// Whether the day is first.
    public let isDayFirst: Bool
    /// The date that proves it, as it is in the file.
    public let proof: String
  }

  /// The columns, in the order of the file.
  public internal(set) var columns: [Column]
  /// The character between the values.
  public let separator: Character
  /// The charset of text that is not UTF-8; nil if there is none.
  public let charset: String?

  private static let valuesShown = 3
  /// The number of rows in which the first values of columns are looked for.
  private static let rowsShown = 100

  /// - Parameter rows: the rows after the header, as far as the beginning of the file goes.
  init(_ header: CSVHeader, separator: UInt8, _ text: ForeignText, _ rows: inout CSVRows<Never>) {
    self.separator = Character(UnicodeScalar(separator))
    charset = text.charsetName
    columns = zip(header.names, header.columns).map { Column(name: $0, meaning: Meaning($1)) }
    let dates = Set(header.columns.indices.filter { header.columns[$0]?.holdsDates == true })
    var orders: [Int: Set<Bool>] = [:]
    var number = 0
    while number < Self.rowsShown || !dates.isEmpty, let row = rows.next() {
      for (index, cell) in row.cells.prefix(columns.count).enumerated() where !cell.isEmpty {
        guard number < Self.rowsShown || dates.contains(index) else { continue }
        let value = CSVFormula.bare(text.text(of: cell).text).trimmed
        guard !value.isEmpty else { continue }
        if columns[index].values.count < Self.valuesShown, !columns[index].values.contains(value) {
          columns[index].values.append(value)
        }
        guard dates.contains(index), let date = WrittenDate(value, isDayFirst: false) else { continue }
        if date.isAmbiguous { columns[index].hasAmbiguousDate = true }
        guard let isDayFirst = date.isDayFirst, orders[index, default: []].insert(isDayFirst).inserted else { continue }
        columns[index].dateOrder =
          columns[index].dateOrder == nil ? DateOrder(isDayFirst: isDayFirst, proof: value) : nil
      }
      number += 1
    }
  }
}

extension CSVOutline.Meaning {
  init(_ column: CSVColumn?) {
    switch column {
    case nil, .emailType: self = .unknown
    case .nothing: self = .leftOut
    case .slot(let slot): self = .field(slot)
    case .birthday: self = .field(.birthday)
    case .item(let list, _, let part): self = Self.item(list, part)
    }
  }

  private static func item(_ list: CSVList, _ part: CSVPart) -> Self {
    switch (list, part) {
    case (_, .text(let field)): .field(.text(field))
    case (.values(let field), .label), (.values(let field), .location): .label(.value(field, label: ""))
    case (.values(let field), _): .field(.value(field, label: ""))
    case (.addresses, .label), (.addresses, .location): .label(.address(.street, label: ""))
    case (.addresses, .address(let part)): .field(.address(part, label: ""))
    case (.addresses, _): .field(.address(.street, label: ""))
    case (.organization, _): .unknown
    }
  }
}

extension CSVColumn {
  /// Whether its values are whole dates.
  fileprivate var holdsDates: Bool {
    switch self {
    case .slot(.birthday): true
    case .slot(.value(let field, _)), .item(.values(let field), _, .value): field.rule == .date
    default: false
    }
  }
}
