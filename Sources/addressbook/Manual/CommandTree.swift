import ArgumentParser
import Foundation

/// The commands and their options as described by ArgumentParser (`--experimental-dump-help`), as far as the manual
/// needs them.
struct CommandTree: Decodable {
  struct Command: Decodable {
    var commandName: String
    var shouldDisplay: Bool?
    var abstract: String?
    var discussion: String?
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// The subcommands that help shows.
    var visibleSubcommands: [Command] {
      (subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    }
    /// The arguments that help shows.
    var visibleArguments: [Argument] { (arguments ?? []).filter(\.shouldDisplay) }
  }

  /// An option, a flag or a positional argument.
  struct Argument: Decodable {
    /// One of its spellings.
    struct Name: Decodable, Hashable {
      var kind: String
      var name: String
      /// With its hyphens.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var abstract: String?

    /// Its spelling: `-o, --output <file>`, or `<query> …`.
    var spelling: String {
      let value = "<" + (valueName ?? "value") + ">"
      guard kind != "positional" else { return value + (isRepeating ? " …" : "") }
      let names = (names ?? []).sorted { $0.text.count < $1.text.count }.map(\.text).joined(separator: ", ")
      return kind == "option" ? names + " " + value : names
    }

    /// Its form in the synopsis; empty for an option or a flag.
    var synopsis: String {
      guard kind == "positional" else { return "" }
      let text = spelling
      return isOptional ? "[" + text + "]" : text
    }
  }

  var command: Command

  static func ofProgram() throws -> CommandTree {
    try JSONDecoder().decode(CommandTree.self, from: Data(AddressBookCommand._dumpHelp().utf8))
  }
}
