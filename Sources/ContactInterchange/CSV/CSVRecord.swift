import Contacts

/// The values of one row of a CSV file, collected into a contact.
struct CSVRecord {
  private struct Item {
    var label = ""
    var location = ""
    var value = ""
    var formatted = ""
    var address = PostalAddress()
  }

  private struct Key: Hashable {
    let list: CSVList
    let number: Int
  }

  /// The separator of several values in one cell, as in Google's export.
  static let valueSeparator = " ::: "
  /// Google's mark of its own groups and of preferred values, which is not part of the name or label.
  private static let mark = "* "

  private var assembler: ContactAssembler
  private var items: [Key: Item] = [:]
  private var order: [Key] = []
  private var birthday: [CSVColumn.DatePart: Int] = [:]
  private let isDayFirst: Bool

  init(isDayFirst: Bool) {
    self.isDayFirst = isDayFirst
    assembler = ContactAssembler(isDayFirst: isDayFirst)
  }

  /// Stores a value that is not empty.
  mutating func store(_ text: String, as column: CSVColumn) -> ContactAssembler.Outcome {
    switch column {
    case .nothing: return .stored
    case .slot(.groups):
      for name in Self.groups(text) { _ = assembler.add(name, to: .groups) }
      return .stored
    case .slot(let slot):
      guard slot.isMultiValued else { return assembler.add(text, to: slot) }
      var outcome = ContactAssembler.Outcome.stored
      for value in Self.values(text) {
        let next = assembler.add(value, to: slot)
        if next != .stored { outcome = next }
      }
      return outcome
    case .item(.organization, let number, .text(let field)):
      return number == 1 ? assembler.add(text, to: .text(field)) : .noField
    case .item(let list, let number, let part): return store(text, Key(list: list, number: number), part)
    case .birthday(let part):
      guard let number = Int(text.trimmedBlanks) else { return .notADate }
      birthday[part] = number
      return .stored
    }
  }

  private mutating func store(_ text: String, _ key: Key, _ part: CSVPart) -> ContactAssembler.Outcome {
    var item = items[key] ?? Item()
    if items[key] == nil { order.append(key) }
    switch part {
    case .label: item.label = text.trimmedBlanks
    case .location: item.location = text.trimmedBlanks
    case .value: item.value = text
    case .formatted: item.formatted = text
    case .address(let part): item.address[part] = text.trimmedBlanks
    case .text: return .noField
    }
    items[key] = item
    return .stored
  }

  /// Returns the contact, and problems with the dates in its numbered items and in the parts of its birthday.
  mutating func finish() -> (Contact, [RecordProblem]) {
    var problems: [RecordProblem] = []
    for key in order {
      guard var item = items[key] else { continue }
      switch key.list {
      case .organization: break
      case .addresses:
        if item.address.isEmpty { item.address.street = item.formatted.trimmedBlanks }
        item.address.label = Self.label(item.label, among: ["home", "work", "other"])
        assembler.add(item.address)
      case .values(let field):
        let label = Self.label(item.label.isEmpty ? item.location : item.label, among: field.labels)
        for value in Self.values(item.value) {
          switch assembler.add(value, to: .value(field, label: label)) {
          case .stored, .noField: break
          case .notADate: problems.append(.notADate(name: field.singular, text: value))
          case .ambiguousDate:
            problems.append(.ambiguousDate(name: field.singular, text: value, isDayFirst: isDayFirst))
          }
        }
      }
    }
    if let month = birthday[.month], let day = birthday[.day] {
      let year = birthday[.year].flatMap { $0 > 0 ? $0 : nil }
      if let date = PartialDate(year: year, month: month, day: day) {
        _ = assembler.add(birthday: date)
      } else if month != 0 || day != 0 {
        problems.append(.notADate(name: "birthday", text: "\(year.map(String.init) ?? "-")-\(month)-\(day)"))
      }
    } else if let part = birthday.first {
      problems.append(.notADate(name: "birthday", text: String(part.value)))
    }
    return (assembler.finish(), problems)
  }

  /// Returns a label as the book stores it: Google marks the preferred value with an asterisk and capitalizes standard
  /// labels.
  private static func label(_ text: String, among standard: [String]) -> String {
    let bare = text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : text
    let small = bare.lowercased()
    return standard.contains(small) || ["fax", "home fax", "work fax", "other fax", "other"].contains(small)
      ? small : bare
  }

  private static func values(_ text: String) -> [String] {
    pieces(text, at: valueSeparator).map(\.trimmedBlanks).filter { !$0.isEmpty }
  }

  /// Returns the names of groups, without the `* ` of Google's own groups, and without `* myContacts`, its group of all
  /// contacts.
  private static func groups(_ text: String) -> [String] {
    let parts = text.contains(":::") ? pieces(text, at: ":::") : text.split(separator: ";").map(String.init)
    return parts.map(\.trimmedBlanks).compactMap { name in
      if name.lowercased() == "* mycontacts" { return nil }
      return name.hasPrefix(mark) ? String(name.dropFirst(mark.count)) : name
    }.filter { !$0.isEmpty }
  }

  /// Returns the cell of a contact's groups, which is read as the same groups unless a name contains `:::`.
  static func cell(groups: [String]) -> String {
    let cell = groups.map(escaped).joined(separator: valueSeparator)
    // Without a separator, Outlook's `;` would separate the names.
    return cell.contains(";") && !cell.contains(":::") ? cell + valueSeparator : cell
  }

  /// Returns a name or label that is read as the same: the mark is doubled if it begins with one.
  static func escaped(_ name: String) -> String { name.hasPrefix(mark) ? mark + name : name }

  private static func pieces(_ text: String, at separator: String) -> [String] {
    guard text.contains(separator) else { return [text] }
    var pieces: [String] = []
    var piece = ""
    var rest = text[...]
    while !rest.isEmpty {
      if rest.hasPrefix(separator) {
        pieces.append(piece)
        piece = ""
        rest = rest.dropFirst(separator.count)
      } else {
        piece.append(rest.removeFirst())
      }
    }
    return pieces + [piece]
  }
}
