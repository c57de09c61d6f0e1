import AddressBookModel
import ArgumentParser
import ContactInterchange
import Contacts

/// `addressbook merge`: merges contacts into the first one, which gets the values of all of them, and prints its id.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "merge", abstract: strings("Help/merge"))

  @OptionGroup var book: BookOptions

  @Flag(name: .customLong("dry-run"), help: help("mergeDryRun"))
  var isDryRun = false

  @Argument(help: help("references", valueName: "id"))
  var references: [String]

  func validate() throws {
    if Set(references).count < references.count || references.count < 2 {
      throw ValidationError(strings("Misuse/nothingToMerge"))
    }
  }

  func run() throws {
    let book = try isDryRun ? book.openToRead() : book.openToEdit()
    defer { book.close(isDryRun: isDryRun) }
    let ids = try ContactReference.findAll(references, in: book)
    guard ids.count == references.count else { throw CommandFailure(.misuse, strings("Misuse/nothingToMerge")) }
    do {
      if isDryRun {
        try show(try book.mergePreview(ids))
      } else {
        try book.merge(ids)
        try StandardOutput.printStored(ids.prefix(1))
      }
    } catch EditError.missing(let id) {
      throw CommandFailure(.nothingFound, strings("Found/noContact", id))
    }
  }

  private func show(_ merge: DuplicateMerge) throws {
    let conflicts = merge.conflicts.map { conflict in
      let values = [("kept", conflict.kept), ("other", conflict.other)].map { "\"\($0)\": \(ContactJSON.encode($1))" }
      return "{\"field\": \(ContactJSON.encode(conflict.fieldName)), \(values.joined(separator: ", "))}"
    }
    let output = StandardOutput()
    output.line(
      ContactJSON.encode(
        merge.merged, section: merge.merged.sectionTitle,
        additions: [("conflicts", "[" + conflicts.joined(separator: ", ") + "]")]))
    try output.flush()
  }
}
