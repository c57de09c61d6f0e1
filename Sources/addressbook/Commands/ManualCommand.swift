import AddressBookModel
import AddressBookTUI
import ArgumentParser

/// `addressbook manual`: prints a manual page, for `make install`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: strings("Help/manual"), shouldDisplay: false)

  enum Page: String, ExpressibleByArgument, CaseIterable {
    /// addressbook(1).
    case command
    /// addressbook-config(5).
    case config
  }

  @Argument(help: help("manual.page", valueName: "page"))
  var page: Page = .command

  func run() throws {
    let output = StandardOutput()
    let keys = KeyReference(localization: .shared)
    switch page {
    case .command: output.write(ManualPage(tree: try .ofProgram(), keys: keys).text)
    case .config: output.write(ConfigurationPage(keys: keys).text)
    }
    try output.flush()
  }
}
