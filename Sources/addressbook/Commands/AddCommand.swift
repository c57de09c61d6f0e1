import AddressBookModel
import ArgumentParser
import Contacts

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

  @Argument(help: help("addFile", valueName: "file"), completion: .file())
  var file: String?

  func validate() throws {
    if file == nil, assignments.isEmpty { throw ValidationError(strings("Misuse/nothingToAdd")) }
    _ = try FieldChanges(set: assignments, unset: [])
  }

  func run() throws {
    let changes = try FieldChanges(set: assignments, unset: [])
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
