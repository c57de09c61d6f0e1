import AddressBookModel
import ArgumentParser
import BookInterchange
import Contacts
import Glibc
import Messages
import SystemCalls

/// `addressbook add`: adds a contact from options, or contacts from JSON to which the options also apply. Prints the
/// new ids after all contacts are stored.
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "add", abstract: strings("Help/add"))

  @OptionGroup var book: BookOptions

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue, help: help("set", valueName: "field=value"))
  var assignments: [String] = []

  @Option(
    name: .customLong("add-group"), parsing: .unconditionalSingleValue, help: help("addGroup", valueName: "name"))
  var groups: [String] = []

  @Flag(name: .customLong("editor"), help: help("editor"))
  var opensEditor = false

  @Argument(help: help("addFile", valueName: "file"), completion: .file())
  var file: String?

  func validate() throws {
    if file == nil, assignments.isEmpty, !opensEditor { throw ValidationError(strings("Misuse/nothingToAdd")) }
    _ = try FieldChanges(set: assignments, unset: [])
  }

  func run() throws {
    let changes = try FieldChanges(set: assignments, unset: [])
    // A photo has no place in a text.
    if opensEditor, file != nil { throw ValidationError(strings("Misuse/editorWithFile")) }
    var contacts = try file.map { try JSONContacts.read($0) } ?? [(Contact(), nil)]
    var warnings: [ContactIssue] = []
    for index in contacts.indices {
      let found = changes.apply(to: &contacts[index].contact)
      if warnings.isEmpty { warnings = found }
      contacts[index].contact.groups += groups.filter { !contacts[index].contact.groups.contains($0) }
    }
    let book = try book.openToChange()
    defer { book.closeAfterWriting() }
    try book.refuseSmartGroups(groups)
    if opensEditor {
      return try book.editAsText(contacts.map(\.contact))
    }
    let context = book.newContext()
    var persons: [Person] = []
    for (contact, photo) in contacts {
      if !contact.uid.isEmpty, try book.idOfContactOrDeleted(uid: contact.uid) != nil {
        throw CommandFailure(.failed, strings("Failed/uidExists", contact.uid))
      }
      let person = context.insertPerson()
      try person.apply(contact)
      if let photo { try person.setPhoto(photo) }
      persons.append(person)
    }
    try context.save()
    for issue in warnings { StandardError.say(strings("Edit/warning", issue.message(in: .shared))) }
    try StandardOutput.printStored(persons.map(\.id))
  }
}

/// `addressbook edit`: changes fields of one contact, or opens contacts in an editor. Prints the ids once the changes
/// are stored.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "edit", abstract: strings("Help/edit"))

  @OptionGroup var book: BookOptions

  @Argument(help: help("editReferences", valueName: "id"))
  var references: [String]

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue, help: help("set", valueName: "field=value"))
  var assignments: [String] = []

  @Option(name: .customLong("unset"), parsing: .unconditionalSingleValue, help: help("unset", valueName: "field"))
  var removals: [String] = []

  @Option(
    name: .customLong("add-group"), parsing: .unconditionalSingleValue, help: help("addGroup", valueName: "name"))
  var addedGroups: [String] = []

  @Option(
    name: .customLong("remove-group"), parsing: .unconditionalSingleValue, help: help("removeGroup", valueName: "name"))
  var removedGroups: [String] = []

  @Option(name: .customLong("if-version"), help: help("ifVersion", valueName: "number"))
  var version: Int?

  @Flag(name: .customLong("editor"), help: help("editor"))
  var isEditorAsked = false

  func validate() throws {
    let isEmpty = assignments.isEmpty && removals.isEmpty && addedGroups.isEmpty && removedGroups.isEmpty
    if opensEditor ? !isEmpty || version != nil : isEmpty { throw ValidationError(strings("Misuse/nothingToEdit")) }
    if !opensEditor, references.count > 1 { throw ValidationError(strings("Misuse/oneToEdit")) }
    _ = try FieldChanges(set: assignments, unset: removals)
  }

  func run() throws {
    let changes = try FieldChanges(set: assignments, unset: removals)
    let book = try book.openToEdit()
    defer { book.closeAfterWriting() }
    if opensEditor {
      let ids = try ContactReference.findAll(references, in: book)
      try book.refuseDamage(of: ids)
      return try book.editAsText(ids.compactMap { try book.contact(id: $0) })
    }
    let id = try ContactReference.one(references[0], in: book).id
    try book.refuseDamage(of: [id])
    try book.refuseSmartGroups(addedGroups)
    if let uid = changes.uid, let other = try book.idOfContactOrDeleted(uid: uid), other != id {
      throw CommandFailure(.failed, strings("Failed/uidTaken", uid))
    }
    var warnings: [ContactIssue] = []
    do throws(EditError) {
      _ = try book.newContext().edit(id, ifVersion: version) { contact in
        warnings = changes.apply(to: &contact)
        contact.groups.removeAll(where: removedGroups.contains)
        contact.groups += addedGroups.filter { !contact.groups.contains($0) }
      }
    } catch {
      throw try failure(error)
    }
    for issue in warnings { StandardError.say(strings("Edit/warning", issue.message(in: .shared))) }
    try StandardOutput.printStored([id])
  }

  /// Whether the user makes the change in an editor.
  private var opensEditor: Bool {
    isEditorAsked
      || assignments.isEmpty && removals.isEmpty && addedGroups.isEmpty && removedGroups.isEmpty && version == nil
        && isatty(STDIN_FILENO) == 1
  }

  /// Why nothing was changed. If the contact does not have the version of `--if-version`, prints its versions as JSON
  /// on standard output.
  private func failure(_ error: EditError) throws -> CommandFailure {
    switch error {
    case .missing: return .noContact(references[0])
    case .conflict(let conflict?):
      let output = StandardOutput()
      output.line(JSONContacts.text(conflict))
      try output.flush()
      let (asked, present) = (version ?? 0, conflict.theirs.version)
      return CommandFailure(.conflict, strings("Failed/otherVersion", String(asked), String(present)))
    default: return CommandFailure(error)
    }
  }
}

extension AddressBook {
  /// Opens contacts as text in the user's editor, and prints the ids of those that were changed there.
  /// - Parameter contacts: the contacts; the id of a new one is 0.
  fileprivate func editAsText(_ contacts: [Contact]) throws {
    var edit = ContactTextEdit(contacts, in: .shared)
    let ids: [Int64]?
    do throws(ContactTextFailure) {
      ids = try edit.run { (edits) throws(EditError) in
        let groups = edits.flatMap { edit in edit.mine.groups.filter { !edit.base.groups.contains($0) } }
        // If the smart groups cannot be read, the save cannot be either.
        if let group = try? smartGroup(namedOneOf: groups) { throw .exists(group.name) }
        return try newContext().save(edits)
      }
    } catch {
      var status = ExitStatus.failed
      if case .notSaved(let error, _) = error { status = CommandFailure(error).status }
      throw CommandFailure(status, error.message(in: .shared))
    }
    try StandardOutput.printStored(ids ?? [])
  }
}

/// The changes of `--set` and `--unset` to a contact; those of `--unset` come first.
///
/// In a list other than the addresses, all values that one command gives for a label replace the existing values with
/// that label; if the command gives only empty ones, the existing values are removed. In an address, only the given
/// parts change.
struct FieldChanges {
  private var texts: [(field: ContactField.Text, value: String)] = []
  private(set) var uid: String?
  private var kind: Contact.Kind?
  private var birthday: PartialDate??
  /// Lists that lose all their values before others are set.
  private var cleared: [ContactField.Values] = []
  private var clearsAddresses = false
  private var labeled: [(field: ContactField.Values, label: String, values: [TypedValues])] = []
  private var addresses: [(label: String, part: AddressPart?, value: String)] = []

  /// - Parameters:
  ///   - set: assignments such as `family=曾` and `phone[mobile]=138 0000 1111`.
  ///   - unset: paths of fields to clear: `phone` clears all phone numbers, `phone[work]` only those with that label.
  init(set: [String], unset: [String]) throws {
    for text in unset { try clear(FieldPath(argument: text), hasLabel: text.contains("[")) }
    for text in set {
      guard let equals = Self.assignment(in: text) else { throw ValidationError(strings("Misuse/noEquals", text)) }
      try add(FieldPath(argument: String(text[..<equals])), String(text[text.index(after: equals)...]))
    }
  }

  /// Changes a contact.
  /// - Returns: the warnings about the new values.
  func apply(to contact: inout Contact) -> [ContactIssue] {
    let base = contact
    for (field, value) in texts { contact[field] = value }
    if let uid { contact.uid = uid }
    if let kind { contact.kind = kind }
    if !texts.contains(where: { $0.field.role == .fullName && !$0.value.isEmpty }) {
      contact.dropOutdatedFullName(since: base)
    }
    if let birthday { contact.birthday = birthday }
    for field in cleared { contact[keyPath: field.property] = [] }
    if clearsAddresses { contact.addresses = [] }
    for (field, label, values) in labeled {
      let texts = values.flatMap(\.values).filter { !$0.isEmpty }
      Self.replace(&contact[keyPath: field.property], label: label, usual: field.labels, with: texts)
      for value in values { contact.takeName(of: value) }
    }
    for change in addresses { Self.apply(change, to: &contact.addresses) }
    return ContactRules.warnings(in: contact, since: base)
  }

  private mutating func clear(_ path: FieldPath, hasLabel: Bool) throws {
    switch path {
    case .labeled(let field, _) where !hasLabel: cleared.append(field)
    case .address(_, nil) where !hasLabel: clearsAddresses = true
    default: try add(path, "")
    }
  }

  private mutating func add(_ path: FieldPath, _ value: String) throws {
    switch path {
    case .text(let field): texts.append((field, value))
    case .uid: uid = value
    case .kind:
      switch value {
      case "person", "": kind = .person
      case "organization", "organisation": kind = .organization
      default: throw ValidationError(strings("Misuse/kind", value))
      }
    case .birthday:
      let day = TypedDate.english.day(value.trimmed)
      guard value.isEmpty || day != nil else { throw ValidationError(strings("Misuse/birthday", value)) }
      birthday = .some(day)
    case .labeled(let field, let label):
      let value = TypedValues(value, in: field)
      if let position = labeled.firstIndex(where: { $0.field == field && $0.label == label }) {
        labeled[position].values.append(value)
      } else {
        labeled.append((field, label, [value]))
      }
    case .address(let label, let part): addresses.append((label, part, value))
    }
  }

  private static func replace(_ list: inout [LabeledValue], label: String, usual: [String], with values: [String]) {
    let label = FieldPath.label(label, present: list.map(\.label), usual: usual)
    var rest = values[...]
    var result: [LabeledValue] = []
    var last: Int?
    for old in list {
      guard old.label == label else {
        result.append(old)
        continue
      }
      guard let value = rest.popFirst() else { continue }
      result.append(LabeledValue(label: label, value: value))
      last = result.count
    }
    result.insert(contentsOf: rest.map { LabeledValue(label: label, value: $0) }, at: last ?? result.count)
    list = result
  }

  private static func apply(
    _ change: (label: String, part: AddressPart?, value: String), to addresses: inout [PostalAddress]
  ) {
    let label = FieldPath.label(change.label, present: addresses.map(\.label), usual: PostalAddress.labels)
    let position = addresses.firstIndex { $0.label == label }
    if change.part == nil, change.value.isEmpty {
      addresses.removeAll { $0.label == label }
      return
    }
    var address = position.map { addresses[$0] } ?? PostalAddress(label: label)
    address[change.part ?? .street] = change.value
    if let position {
      if address.isEmpty { addresses.remove(at: position) } else { addresses[position] = address }
    } else if !address.isEmpty {
      addresses.append(address)
    }
  }

  /// The `=` between the path and the value: the first one, or the one after the closing bracket if there is a label in
  /// brackets, which may contain `=`.
  private static func assignment(in text: String) -> String.Index? {
    let bracket = text.firstIndex(of: "[")
    let equals = text.firstIndex(of: "=")
    guard let bracket, let equals, bracket < equals, let close = text[bracket...].range(of: "]=") else { return equals }
    return text.index(before: close.upperBound)
  }
}

extension Substring {
  /// The range of the first occurrence of a text, without Foundation.
  fileprivate func range(of text: String) -> Range<Index>? {
    var position = startIndex
    while position < endIndex {
      if self[position...].hasPrefix(text) { return position..<index(position, offsetBy: text.count) }
      position = index(after: position)
    }
    return nil
  }
}

extension FieldPath {
  /// Parses a field that the user named, such as the left side of `--set`.
  /// - Throws: `ValidationError` that lists the valid fields.
  init(argument text: String) throws {
    guard let path = FieldPath(text) else {
      throw ValidationError(strings("Misuse/unknownField", text, Localization.shared.list(FieldPath.allNames)))
    }
    self = path
  }
}
