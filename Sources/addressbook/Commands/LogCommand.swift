import AddressBookModel
import ArgumentParser
import Contacts
import Messages

/// `addressbook log`: who changed what in a contact, and when.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "log", abstract: strings("Help/log"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("historyFormat"))
  var format: HistoryFormat = .table

  @Argument(help: help("logReference", valueName: "id"))
  var reference: String

  func run() throws {
    let book = try book.openToRead()
    defer { book.close() }
    guard let id = try ContactReference.find(reference, in: book)?.id ?? deletedID(in: book) else {
      throw CommandFailure(.nothingFound, strings("Found/noContact", reference))
    }
    let changes = try book.changes(ofContact: id)
    let output = StandardOutput()
    switch format {
    case .json: output.write(JSONHistory.text(changes))
    case .table: for line in changes.flatMap(Self.lines) { output.line(PlainText.cell(line)) }
    }
    try output.flush()
    if changes.isEmpty { throw CommandFailure(.nothingFound, strings("Log/none")) }
  }

  /// A deleted contact has a history too.
  private func deletedID(in book: AddressBook) throws -> Int64? {
    try Int64(reference).flatMap { try book.deletedContact(id: $0)?.id }
  }

  private static func lines(_ change: ContactChange) -> [String] {
    let step = change.step
    return ["\(step.localTime)  \(change.heading(in: .shared))  \(step.author)"]
      + change.differences(in: .shared).map { "    " + $0.line(in: .shared) }
  }
}

extension EditStep {
  /// Who made the step, and whether on the screen or with a command.
  var author: String {
    Localization.shared.noted(user, strings("Log/program." + (program == "screen" ? program : "command")))
  }
}
