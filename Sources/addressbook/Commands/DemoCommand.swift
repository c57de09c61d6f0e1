import AddressBookModel
import ArgumentParser

/// `addressbook demo`: adds sample contacts to the book, the same ones for the same number and seed.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "demo", abstract: strings("Help/demo"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("contacts", valueName: "number"))
  var contacts = 500

  /// The old name of `--contacts`.
  @Option(name: .long, help: .hidden)
  var people: Int?

  @Option(name: .long, help: help("seed", valueName: "number"))
  var seed: UInt64 = 7

  func validate() throws {
    guard (1...2_000_000).contains(count) else { throw ValidationError(strings("Misuse/contacts", count)) }
  }

  private var count: Int { people ?? contacts }

  func run() throws {
    let book = try book.openToChange()
    defer { book.closeAfterWriting() }
    let added = try book.bulkWrite(as: StepName(.samples)) { writer in
      for person in SampleContacts(count: count, seed: seed) { try writer.write(person) }
      return writer.added
    }
    StandardError.line(strings("Demo/done", count: added))
    try book.refreshSearchIndex()
  }
}
