import AddressBookTUI
import Messages

/// The help and the usage of a command, wrapped at the width of the terminal.
///
/// ArgumentParser's own help is in English, counts an ideograph as one column, and shows the options that all commands
/// share first.
struct HelpPage {
  /// The command, after those that it belongs to.
  let path: [CommandTree.Command]
  private let columns = StandardOutput.terminalColumns

  /// The column where a description begins.
  private static let descriptionColumn = 26
  /// The minimum width of a text; in a narrower terminal, its lines are too long.
  private static let minimumColumns = 20

  private var command: CommandTree.Command { path[path.count - 1] }
  private var name: String { path.map(\.commandName).joined(separator: " ") }

  /// The whole help.
  var text: String {
    var sections = [wrapped(command.abstract ?? "")]
    if let discussion = command.discussion { sections.append(wrapped(discussion)) }
    let isProgram = path.count == 1
    if isProgram { sections.append(examples) }
    sections.append(usage(strings("Heading/USAGE")))
    let arguments = command.visibleArguments
    let own = arguments.filter { !Self.isCommon($0) || isProgram }
    sections.append(list("ARGUMENTS", own.filter { $0.kind == "positional" }))
    sections.append(list("OPTIONS", own.filter { $0.kind != "positional" }))
    if !isProgram { sections.append(list("COMMON", arguments.filter(Self.isCommon))) }
    let subcommands = command.visibleSubcommands
    if isProgram {
      // The options of the program come after its commands.
      let options = sections.removeLast()
      sections += AddressBookCommand.groups.map { group in
        let names = group.commands.map { $0.configuration.commandName }
        return list("Group/" + group.key, subcommands.filter { names.contains($0.commandName) })
      }
      sections.append(options)
    } else {
      sections.append(list("SUBCOMMANDS", subcommands))
    }
    if !subcommands.isEmpty {
      sections.append(wrapped(strings("Parser/reference", name + " <" + strings("Manual/command") + "> --help")))
    }
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// How the command is called, after a heading.
  func usage(_ heading: String) -> String {
    let own = path.count == 1 ? [] : command.visibleArguments.filter { !Self.isCommon($0) }
    var words = (own.filter { $0.kind != "positional" } + own.filter { $0.kind == "positional" }).map(\.synopsis)
    if path.count == 1 {
      words = ["[--book <path>]", "[<\(strings("Manual/command"))>]"]
    } else if !command.visibleSubcommands.isEmpty {
      words.append("<\(strings("Manual/command"))>")
    }
    let space = heading.hasSuffix(":") ? " " : ""
    let indent = String(repeating: " ", count: PlainColumns.width(of: heading + space))
    var lines = [name]
    for word in words {
      let longer = lines[lines.count - 1] + " " + word
      if PlainColumns.width(of: indent + longer) > columns {
        lines.append("  " + word)
      } else {
        lines[lines.count - 1] = longer
      }
    }
    return heading + space + lines.joined(separator: "\n" + indent)
  }

  private static func isCommon(_ argument: CommandTree.Argument) -> Bool {
    (argument.names ?? []).contains { ["book", "sql-trace", "version", "help"].contains($0.name) }
  }

  private var examples: String {
    let shown = ManualPage.examples.prefix(3).map { key, commands in
      wrapped("  " + strings("Manual/example." + key)) + "\n    " + commands.replacing("\n", with: "\n    ")
    }
    return ([strings("Heading/EXAMPLES")] + shown).joined(separator: "\n")
  }

  private func list(_ heading: String, _ arguments: [CommandTree.Argument]) -> String {
    list(heading, arguments.map { ($0.spelling, $0.description) })
  }

  private func list(_ heading: String, _ commands: [CommandTree.Command]) -> String {
    list(
      heading,
      commands.map { item in
        let isDefault = item.commandName == command.defaultSubcommand
        let label = Localization.shared.noted(item.commandName, isDefault ? strings("Parser/defaultSubcommand") : "")
        return (label, item.abstract ?? "")
      })
  }

  private func list(_ heading: String, _ items: [(String, String)]) -> String {
    guard !items.isEmpty else { return "" }
    let indent = String(repeating: " ", count: Self.descriptionColumn)
    let lines = items.map { label, description in
      let room = max(Self.minimumColumns, columns - Self.descriptionColumn)
      let text = PlainColumns.wrapped(description, to: room).joined(separator: "\n" + indent)
      let isLong = PlainColumns.width(of: label) + 3 > Self.descriptionColumn
      return "  " + (isLong ? label + "\n" + indent : TextTable.padded(label, to: Self.descriptionColumn - 2)) + text
    }
    return ([strings("Heading/" + heading)] + lines).joined(separator: "\n")
  }

  private func wrapped(_ text: String) -> String {
    PlainColumns.wrapped(text, to: max(Self.minimumColumns, columns)).joined(separator: "\n")
  }
}
