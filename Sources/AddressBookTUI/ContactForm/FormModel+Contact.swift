import AddressBookModel
import Contacts
import TerminalKit

/// The contact that results from the input.
extension FormModel {
  /// The contact with the current input. Values that were emptied, or added and left empty, are left out.
  var contact: Contact {
    var contact = original
    let stored = storedSerials
    for field in ContactFields.standard.values { contact[keyPath: field.property] = [] }
    var typed: [TypedValues] = []
    var addresses: [(serial: Int, address: PostalAddress)] = []
    for row in rows {
      switch row.identity {
      case .kind:
        if case .choice(let chosen, _) = row.editor { contact.kind = Contact.Kind(rawValue: chosen) ?? .person }
      case .single(.birthday): contact.birthday = day(in: row)
      case .single(.groups):
        contact.groups = row.text == initialGroups.text ? initialGroups.names : typedGroups(in: row.text)
      case .single(.text(let field)): contact[field] = storedText(of: row)
      case .value(let field, let serial):
        if let values = field.values, stored.contains(serial) {
          guard row.isEdited else {
            contact[keyPath: values.property].append(LabeledValue(label: row.label, value: storedText(of: row)))
            continue
          }
          typed.append(TypedValues(storedText(of: row), in: values))
          contact[keyPath: values.property] += (typed.last?.values ?? []).filter { !$0.isEmpty }.map {
            LabeledValue(label: row.label, value: $0)
          }
        }
      case .address(let part, let serial):
        guard stored.contains(serial) else { continue }
        if addresses.last?.serial != serial { addresses.append((serial, PostalAddress(label: row.label))) }
        addresses[addresses.count - 1].address[part] = storedText(of: row)
      case .adder, .photo, .moreNames: break
      }
    }
    contact.addresses = addresses.map(\.address)
    for texts in typed { contact.takeName(of: texts) }
    contact.dropOutdatedFullName(since: original)
    return contact
  }

  /// True if a birthday was typed that is not a valid date.
  var hasUnreadableBirthday: Bool {
    rows.contains { row in
      row.identity == .single(.birthday) && !row.text.trimmed.isEmpty && day(in: row) == nil
    }
  }

  /// The text to store for a row: the stored one if the row was not edited, even if it could not be typed; otherwise
  /// free text as it is, a date in ISO format, and any other text without white space at its ends.
  private func storedText(of row: FormRow) -> String {
    let text = row.text
    if let initial = row.initial, initial.text == text { return initial.stored }
    return row.isProse ? text : day(in: row)?.iso ?? text.trimmed
  }

  /// The serial numbers of the values to store: those that have text, and those that were not edited.
  var storedSerials: Set<Int> {
    let values = rows.compactMap { row in row.serial.map { (serial: $0, row: row) } }
    let edited = values.filter { $0.row.isEdited }
    let filled = values.filter { !storedText(of: $0.row).isEmpty }
    return Set(values.map(\.serial)).subtracting(edited.map(\.serial)).union(filled.map(\.serial))
  }

  /// The date in a row for dates; nil for any other row, and if the text is not a date.
  func day(in row: FormRow) -> PartialDate? {
    switch row.identity {
    case .single(.birthday): dates.day(row.text.trimmed)
    case .value(let field, _) where field.isDate: dates.day(row.text.trimmed)
    default: nil
    }
  }
}

/// The groups field: completing, adding and removing the contact's groups.
extension FormModel {
  /// True if the groups are focused.
  var isInGroups: Bool { rows[focus].identity == .single(.groups) }

  /// The known group that completes the typed text; nil if there is none.
  var completion: GroupNames.Completion? {
    guard isInGroups, case .field(let field) = rows[focus].editor else { return nil }
    return GroupNames.completion(of: field.text, cursor: field.cursor, from: shownGroups)
  }

  /// The known groups with their displayed names, the favorites always first; empty until the groups have been read.
  private var shownGroups: [String] {
    guard let knownGroups else { return [] }
    return [favorites] + knownGroups.filter { $0 != Favorites.group }
  }

  /// Returns the groups in a text. The displayed name of the favorites, in capital or small letters, means
  /// `Favorites.group`. Typed without its star, it does so only if no other group has exactly that name.
  func typedGroups(in text: String) -> [String] {
    let word = favorites.trimmingPrefix("★ ").lowercased()
    let others = Set((knownGroups ?? []) + original.groups)
    var seen: Set<String> = []
    return GroupNames.names(in: text).map { name in
      let small = name.lowercased()
      let isFavorites = small == favorites.lowercased() || small == word && !others.contains(name)
      return isFavorites ? Favorites.group : name
    }.filter { seen.insert($0).inserted }
  }

  /// Completes the name of the group that is being typed; false if there is nothing to complete.
  mutating func complete() -> Bool {
    guard let completion else { return false }
    let (text, cursor) = GroupNames.completing(rows[focus].text, with: completion)
    setField(text, cursor: cursor)
    return true
  }

  /// Removes the name of the group at the cursor; false if there is none.
  mutating func removeGroup() -> Bool {
    guard isInGroups, case .field(let field) = rows[focus].editor,
      let (text, cursor) = GroupNames.removing(from: field.text, at: field.cursor)
    else { return false }
    setField(text, cursor: cursor)
    return true
  }

  /// Adds a group after the typed ones, unless it is one of them.
  mutating func addGroup(_ name: String) {
    guard isInGroups else { return }
    let names = GroupNames.names(in: rows[focus].text)
    guard !names.contains(name) else { return }
    let text = GroupNames.text(of: names + [name])
    setField(text, cursor: text.count)
  }

  /// The known groups that the contact is not in.
  var otherGroups: [String] {
    let names = Set(contact.groups)
    return shownGroups.filter { !names.contains($0 == favorites ? Favorites.group : $0) }
  }

  /// The typed groups that will be created; empty until the known groups have been read.
  var newGroups: [String] {
    guard let knownGroups else { return [] }
    let known = Set(knownGroups + original.groups + [Favorites.group])
    return contact.groups.filter { !known.contains($0) }
  }

  private mutating func setField(_ text: String, cursor: Int) {
    var field = TextField(text)
    field.moveCursor(to: cursor)
    setEditor(.field(field))
  }
}

/// The key paths of the form's rows in validation issues.
extension FormModel {
  /// The index of each value among the values of its kind that are stored, by serial number.
  var valueIndexes: [Int: Int] {
    let stored = storedSerials
    var counters: [MultiField: Int] = [:]
    var indexes: [Int: Int] = [:]
    for row in rows {
      guard let serial = row.serial, let field = row.multiField, indexes[serial] == nil, stored.contains(serial) else {
        continue
      }
      indexes[serial] = counters[field, default: 0]
      counters[field, default: 0] += 1
    }
    return indexes
  }

  /// The key paths whose messages a row can show; of several messages, it shows that of the first key path.
  /// - Parameter indexes: ``valueIndexes``.
  func keyPaths(of row: FormRow, _ indexes: [Int: Int]) -> [String] {
    switch row.identity {
    case .kind: return ["kind"]
    case .single(let field): return field.isText("family") ? [field.name, "name", ""] : [field.name]
    case .value(let field, let serial):
      guard let index = indexes[serial] else { return [] }
      let base = "\(field.collectionName)[\(index)]"
      return [base + ".value", base, base + ".label"]
    case .address(let part, let serial):
      guard let index = indexes[serial] else { return [] }
      let base = "addresses[\(index)]"
      return part == .street ? [base + "." + part.rawValue, base, base + ".label"] : [base + "." + part.rawValue]
    case .adder, .photo, .moreNames: return []
    }
  }
}
