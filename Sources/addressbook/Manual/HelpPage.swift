import AddressBookModel
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

/// Translates ArgumentParser's error messages.
///
/// Its errors are internal, and only their English text is public (`message(for:)`), so a message is recognized by its
/// words. If the package changes them, the English message is shown, and `ParserMessageTests` fails.
enum ParserMessage {
  /// The last part of the key in `Command.strings`, and ArgumentParser's message, with `%@` for each argument. The more
  /// specific messages come first.
  private static let templates: [(key: String, text: String)] = [
    ("unknownOption.suggestion", "Unknown option '%@'. Did you mean '%@'?"),
    ("unknownOption", "Unknown option '%@'"),
    ("missingValue", "Missing value for '%@'"),
    ("unwantedValue", "The option '%@' does not take any value, but '%@' was specified."),
    ("unexpectedArgument", "Unexpected argument '%@'"),
    ("unexpectedArguments", "%@ unexpected arguments: %@"),
    ("missingArgument", "Missing expected argument '%@'"),
    ("invalidChoice", "The value '%@' is invalid for '%@'. Please provide one of %@."),
    ("invalidChoice", "The value '%@' is invalid for '%@'. Please provide one of the following:\n%@"),
    ("invalidValue", "The value '%@' is invalid for '%@'"),
    (
      "unsupportedShell",
      "Can't generate completion scripts for '%@'.\nPlease use --generate-completion-script=<shell> with one of:\n    %@"
    ),
    (
      "unknownShell",
      "Can't autodetect a supported shell.\nPlease use --generate-completion-script=<shell> with one of:\n    %@"
    ),
  ]

  /// A message in the user's language; unchanged if it is not one of ArgumentParser's.
  static func localized(_ message: String) -> String {
    for (key, text) in templates {
      guard var arguments = arguments(of: message, in: text) else { continue }
      switch key {
      case "unexpectedArguments":
        // The program's own messages may contain these words if the user typed them.
        guard Int(arguments[0]) != nil else { continue }
        arguments = [Localization.shared.list(items(of: arguments[1]).map { strings("Parser/quoted", $0) })]
      case "invalidChoice": arguments[2] = Localization.shared.list(items(of: arguments[2]))
      case "unsupportedShell", "unknownShell":
        arguments.append(Localization.shared.list(arguments.removeLast().split(separator: " ").map(String.init)))
      default: break
      }
      return Localization.shared.text("Parser/" + key, arguments: arguments, table: "Command")
    }
    return message
  }

  /// The items of `'a', 'b' or 'c'`, of `'a' and 'b'`, or of lines that begin with `  - `.
  private static func items(of text: String) -> [String] {
    if text.hasPrefix("  - ") { return text.split(separator: "\n").map { String($0.dropFirst(4)) } }
    return text.dropFirst().dropLast().replacing("' or '", with: "', '").replacing("' and '", with: "', '")
      .split(separator: "', '", omittingEmptySubsequences: false).map(String.init)
  }

  /// The text of a message in place of each `%@` of a template; nil if the message does not match. Text that the user
  /// typed may contain words of the template, so the first argument is as long as possible.
  private static func arguments(of message: String, in template: String) -> [String]? {
    let pieces = template.split(separator: "%@", omittingEmptySubsequences: false)
    guard let first = pieces.first, let last = pieces.last, message.hasPrefix(first), message.hasSuffix(last),
      message.count >= first.count + last.count
    else { return nil }
    var rest = message.dropFirst(first.count).dropLast(last.count)
    var arguments: [String] = []
    for piece in pieces.dropFirst().dropLast().reversed() {
      guard let range = rest.ranges(of: piece).last else { return nil }
      arguments.append(String(rest[range.upperBound...]))
      rest = rest[..<range.lowerBound]
    }
    return [String(rest)] + arguments.reversed()
  }
}
