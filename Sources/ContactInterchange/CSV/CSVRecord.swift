import Contacts

/// The values of one row of a CSV file, collected into a contact.
struct CSVRecord {
  private struct Item {
    var texts: [CSVPart: String] = [:]
    /// The indexes of the columns with these texts.
    var columns: [CSVPart: Int] = [:]

    func text(_ part: CSVPart) -> String { texts[part]?.trimmed ?? "" }
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
  private var birthday = BirthdayParts()
  private var birthdayColumns: [Int] = []
  private let isDayFirst: Bool

  init(isDayFirst: Bool) {
    self.isDayFirst = isDayFirst
    assembler = ContactAssembler(isDayFirst: isDayFirst)
  }

  /// Stores a value that is not empty.
  /// - Parameter index: that of its column.
  mutating func store(_ text: String, as column: CSVColumn, at index: Int) -> ContactAssembler.Outcome {
    switch column {
    case .nothing: return .stored
    case .emailType: return text.trimmed.lowercased() == "smtp" ? .stored : .noField
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
    case .item(let list, let number, let part): return store(text, Key(list: list, number: number), part, index)
    case .birthday(let part):
      birthdayColumns.append(index)
      return birthday.add(text, as: part)
    }
  }

  private mutating func store(
    _ text: String, _ key: Key, _ part: CSVPart, _ index: Int
  ) -> ContactAssembler.Outcome {
    var item = items[key] ?? Item()
    if items[key] == nil { order.append(key) }
    guard item.texts[part] == nil || item.texts[part] == text else { return .noField }
    item.texts[part] = text
    item.columns[part] = index
    items[key] = item
    return .stored
  }

  /// A record that was read.
  struct Finished {
    var contact = Contact()
    var problems: [RecordProblem] = []
    /// The indexes of columns with a value that was not imported.
    var unused: [Int] = []
  }

  /// Returns the contact, problems with dates, and what only shows at the end to be left out, such as a label without a
  /// value.
  /// - Parameter names: those of the columns.
  mutating func finish(_ names: [String]) -> Finished {
    var result = Finished()
    for key in order {
      guard let item = items[key] else { continue }
      func leaveOut(_ part: CSVPart) {
        if !item.text(part).isEmpty, let index = item.columns[part] { result.unused.append(index) }
      }
      func note(_ outcome: ContactAssembler.Outcome, _ text: String, _ part: CSVPart) {
        let name = item.columns[part].map { names[$0] } ?? ""
        switch outcome {
        case .stored: break
        case .noField: leaveOut(part)
        case .notADate: result.problems.append(.notADate(name: name, text: text))
        case .ambiguousDate: result.problems.append(.ambiguousDate(name: name, text: text, isDayFirst: isDayFirst))
        }
      }
      switch key.list {
      case .organization: break
      case .addresses:
        let label = Self.label(item.text(.label), among: ["home", "work", "other"])
        let joined = PostalAddress { item.text(.address($0)) }
        for (number, var address) in Self.addresses(joined).enumerated() {
          address.label = label
          let texts = Self.pieces(item.text(.formatted), at: Self.valueSeparator).map(\.trimmed)
          let formatted = number < texts.count ? texts[number] : ""
          if address.isEmpty {
            address.street = formatted
            if formatted.isEmpty { leaveOut(.label) }
          } else if !address.hasWords(of: formatted) {
            leaveOut(.formatted)
          }
          assembler.add(address)
        }
      case .values(let field):
        let isLocated = item.text(.label).isEmpty
        let label = Self.label(item.text(isLocated ? .location : .label), among: field.labels)
        let values = Self.values(item.texts[.value] ?? "")
        for value in values { note(assembler.add(value, to: .value(field, label: label)), value, .value) }
        if values.isEmpty { leaveOut(.label) }
        // Google writes `Other` where nobody chose anything.
        if values.isEmpty || !isLocated && item.text(.location).lowercased() != "other" { leaveOut(.location) }
      }
    }
    switch assembler.add(birthday: birthday) {
    case .stored, .ambiguousDate: break
    case .noField: result.unused += birthdayColumns
    case .notADate:
      let columns = birthdayColumns.map { names[$0] }.joined(separator: ", ")
      result.problems.append(.notADate(name: columns, text: birthday.text))
    }
    result.contact = assembler.finish()
    return result
  }

  /// Returns a label as the book stores it: Google marks the preferred value with an asterisk and capitalizes standard
  /// labels.
  private static func label(_ text: String, among standard: [String]) -> String {
    // Without the blank at the end, the mark of a value without a label.
    let bare = text + " " == mark ? "" : text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : text
    let small = bare.lowercased()
    return standard.contains(small) || ["fax", "home fax", "work fax", "other fax", "other"].contains(small)
      ? small : bare
  }

  /// Returns the addresses of a numbered item: Google joins several of one label, part by part.
  private static func addresses(_ joined: PostalAddress) -> [PostalAddress] {
    let parts = AddressPart.allCases.map { (part: $0, pieces: pieces(joined[$0], at: valueSeparator)) }
    return (0..<(parts.map(\.pieces.count).max() ?? 1)).map { number in
      var address = PostalAddress()
      for (part, pieces) in parts where number < pieces.count { address[part] = pieces[number].trimmed }
      return address
    }
  }

  private static func values(_ text: String) -> [String] {
    pieces(text, at: valueSeparator).map(\.trimmed).filter { !$0.isEmpty }
  }

  /// Returns the names of groups, without the `* ` of Google's own groups, and without `* myContacts`, its group of all
  /// contacts.
  private static func groups(_ text: String) -> [String] {
    let parts = text.contains(":::") ? pieces(text, at: ":::") : text.split(separator: ";").map(String.init)
    return parts.map(\.trimmed).compactMap { name in
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
  static func escaped(_ name: String) -> String { (name + " ").hasPrefix(mark) ? mark + name : name }

  private static func pieces(_ text: String, at separator: String) -> [String] {
    text.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
