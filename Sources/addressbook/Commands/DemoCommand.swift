import AddressBookModel
import ArgumentParser

/// `addressbook demo`: fills the book with sample contacts, the same ones for the same seed.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "demo", abstract: strings("Help/demo"))

  @OptionGroup var book: BookOptions

  @Option(name: .long, help: help("people", valueName: "number"))
  var people = 500

  @Option(name: .long, help: help("seed", valueName: "number"))
  var seed: UInt64 = 7

  func validate() throws {
    guard (1...2_000_000).contains(people) else { throw ValidationError(strings("Misuse/people", people)) }
  }

  func run() throws {
    let book = try book.openToChange()
    defer { book.closeAfterWriting() }
    let added = try book.bulkWrite(as: StepName(.samples)) { writer in
      for person in SampleContacts(count: people, seed: seed) { try writer.write(person) }
      return writer.added
    }
    StandardError.line(strings("Demo/done", count: added))
    try book.refreshSearchIndex()
  }
}
