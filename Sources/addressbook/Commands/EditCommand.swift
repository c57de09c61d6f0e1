import AddressBookModel
import ArgumentParser

/// `addressbook edit`: changes fields of one contact. Prints its id once the change is stored.
struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "edit", abstract: strings("Help/edit"))

  @OptionGroup var book: BookOptions

  @Argument(help: help("reference", valueName: "id"))
  var reference: String

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

  func validate() throws {
    if assignments.isEmpty, removals.isEmpty, addedGroups.isEmpty, removedGroups.isEmpty {
      throw ValidationError(strings("Misuse/nothingToEdit"))
    }
  }

  func run() throws {
    let changes = try FieldChanges(set: assignments, unset: removals)
    let book = try book.openToChange()
    defer { book.closeAfterWriting() }
    let context = book.newContext()
    guard let id = try ContactReference.find(reference, in: book)?.id, let person = try context.person(id) else {
      throw CommandFailure(.nothingFound, strings("Found/noContact", reference))
    }
    try book.refuseDamage(of: [id])
    var contact = try person.contact
    changes.apply(to: &contact)
    contact.groups.removeAll(where: removedGroups.contains)
    contact.groups += addedGroups.filter { !contact.groups.contains($0) }
    try person.apply(contact)
    try book.removePhotoMetadata(of: person)
    try context.saveOrFail()
    try StandardOutput.printStored([id])
  }
}
