import AddressBookModel
import AddressBookTUI
import ArgumentParser

/// `addressbook completions`: prints a shell's completion script, generated from the commands.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "completions", abstract: strings("Help/completions"))

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash
    case zsh
    case fish
  }

  @Argument(help: help("shell", valueName: "shell"))
  var shell: Shell

  func run() throws {
    let output = StandardOutput()
    let script: String
    switch shell {
    case .bash: script = AddressBookCommand.completionScript(for: .bash)
    case .zsh: script = AddressBookCommand.completionScript(for: .zsh)
    case .fish: script = AddressBookCommand.completionScript(for: .fish)
    }
    output.line(script)
    try output.flush()
  }
}

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
    switch page {
    case .command: output.write(ManualPage(tree: try .ofProgram(), keys: KeyReference(localization: .shared)).text)
    case .config: output.write(ManualPage.ofSettings)
    }
    try output.flush()
  }
}
