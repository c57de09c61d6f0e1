import AddressBookModel
import AddressBookTUI
import ArgumentParser

/// `addressbook manual`: prints the manual page, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: strings("Help/manual"), shouldDisplay: false)

  func run() throws {
    let output = StandardOutput()
    output.write(ManualPage(tree: try .ofProgram(), keys: KeyReference(localization: .shared)).text)
    try output.flush()
  }
}
