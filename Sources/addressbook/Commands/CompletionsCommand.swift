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
