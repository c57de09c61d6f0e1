import ArgumentParser
import Foundation
import Messages

/// The commands and their options as described by ArgumentParser (`--experimental-dump-help`), as far as help and the
/// manual need them.
struct CommandTree: Decodable {
  struct Command: Decodable {
    var commandName: String
    var shouldDisplay: Bool?
    var abstract: String?
    var discussion: String?
    var defaultSubcommand: String?
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
    var allValues: [String]?
    var abstract: String?

    /// Its spelling: `-o, --output <file>`, or `<query> …`.
    var spelling: String {
      let value = "<" + (valueName ?? "value") + ">"
      guard kind != "positional" else { return value + (isRepeating ? " …" : "") }
      let names = (names ?? []).sorted { $0.text.count < $1.text.count }.map(\.text).joined(separator: ", ")
      return kind == "option" ? names + " " + value : names
    }

    /// Its form in the usage: `[--output <file>]`, `<query> …`.
    var synopsis: String {
      guard kind != "positional" else { return isOptional ? "[" + spelling + "]" : spelling }
      let name = (names ?? []).max { $0.text.count < $1.text.count }?.text ?? ""
      let value = kind == "option" ? " <" + (valueName ?? "value") + ">" : ""
      return "[" + name + value + "]" + (isRepeating ? " …" : "")
    }

    /// What it is for, its values and its default.
    var description: String {
      // The parser itself adds these two, in English.
      switch names?.last?.name {
      case "version": return strings("Parser/version")
      case "help": return strings("Parser/help")
      default: break
      }
      let values = (allValues ?? []).joined(separator: ", ")
      let notes =
        switch (values.isEmpty, defaultValue) {
        case (true, nil): ""
        case (true, let standard?): strings("Parser/default", standard)
        case (false, nil): strings("Parser/values", values)
        case (false, let standard?): strings("Parser/valuesAndDefault", values, standard)
        }
      return notes.isEmpty ? abstract ?? "" : Localization.shared.noted(abstract ?? "", notes)
    }
  }

  var command: Command

  static func ofProgram() throws -> CommandTree {
    try JSONDecoder().decode(CommandTree.self, from: Data(AddressBookCommand._dumpHelp().utf8))
  }

  /// The commands that words name, from the program itself on, and the first word that is not one although it is where
  /// one could be.
  func find(_ words: some Sequence<String>) -> (path: [Command], unknown: String?) {
    var path = [command]
    for word in words {
      let subcommands = path[path.count - 1].subcommands ?? []
      if word == "help", path.count == 1 { continue }
      guard let next = subcommands.first(where: { $0.commandName == word }) else {
        return (path, subcommands.isEmpty ? nil : word)
      }
      path.append(next)
    }
    return (path, nil)
  }

  /// The arguments of a command line without options and their values.
  func words(of arguments: [String]) -> [String] {
    let options = Set(
      Self.all(command).flatMap { $0.arguments ?? [] }.filter { $0.kind == "option" }.flatMap(Self.names))
    var words: [String] = []
    var isValue = false
    for argument in arguments.prefix(while: { $0 != "--" }) {
      if !isValue, !argument.hasPrefix("-") { words.append(argument) }
      isValue = !isValue && options.contains(argument)
    }
    return words
  }

  private static func names(_ argument: Argument) -> [String] { (argument.names ?? []).map(\.text) }

  private static func all(_ command: Command) -> [Command] { [command] + (command.subcommands ?? []).flatMap(all) }
}
