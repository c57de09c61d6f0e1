import AddressBookModel
import ArgumentParser
import Contacts

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

  @Option(name: .customLong("if-version"), help: help("ifVersion", valueName: "number"))
  var version: Int?

  func validate() throws {
    if assignments.isEmpty, removals.isEmpty, addedGroups.isEmpty, removedGroups.isEmpty {
      throw ValidationError(strings("Misuse/nothingToEdit"))
    }
    _ = try FieldChanges(set: assignments, unset: removals)
  }

  func run() throws {
    let changes = try FieldChanges(set: assignments, unset: removals)
    let book = try book.openToEdit()
    defer { book.closeAfterWriting() }
    guard let id = try ContactReference.find(reference, in: book)?.id else { throw notFound }
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

  private var notFound: CommandFailure { CommandFailure(.nothingFound, strings("Found/noContact", reference)) }

  /// Why nothing was changed. If the contact does not have the version of `--if-version`, prints its versions as JSON
  /// on standard output.
  private func failure(_ error: EditError) throws -> CommandFailure {
    switch error {
    case .missing: return notFound
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
