import AddressBookModel
import ArgumentParser
import Messages

/// A localized string of the command line, from `Resources/strings/…/Command.strings`.
func strings(_ key: String, _ arguments: any CustomStringConvertible...) -> String {
  Localization.shared.fill(key, arguments)
}

/// A localized string that depends on a number.
func strings(_ key: String, count: Int) -> String {
  Localization.shared.plural(key, count: count, table: "Command")
}

/// The help text of an option or argument.
func help(_ key: String, valueName: String? = nil) -> ArgumentHelp {
  ArgumentHelp(strings("Help/" + key), valueName: valueName)
}

extension Localization {
  fileprivate func fill(_ key: String, _ arguments: [any CustomStringConvertible]) -> String {
    switch arguments.count {
    case 0: text(key, table: "Command")
    case 1: text(key, arguments[0], table: "Command")
    case 2: text(key, arguments[0], arguments[1], table: "Command")
    default: text(key, arguments[0], arguments[1], arguments[2], table: "Command")
    }
  }
}

/// Translates the English text that ArgumentParser itself adds to help and error messages.
enum HelpText {
  private static let headings = ["OVERVIEW", "USAGE", "ARGUMENTS", "OPTIONS", "SUBCOMMANDS", "Usage", "Error", "Help"]
  /// The end of the line that refers to the help of subcommands, after `See 'addressbook help <subcommand>`.
  private static let reference = "' for detailed help."
  /// The end of the last line of an error, after `See 'addressbook list --help`.
  private static let information = "' for more information."

  static func localized(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(localized).joined(separator: "\n")
  }

  /// One of ArgumentParser's headings in the user's language, followed by a text. A full-width colon is not followed by
  /// a space.
  static func headed(_ heading: String, _ text: String) -> String {
    let heading = strings("Heading/" + heading)
    return heading + (heading.hasSuffix(":") ? text : String(text.drop { $0 == " " }))
  }

  private static func localized(_ line: Substring) -> String {
    if let heading = headings.first(where: { line.hasPrefix($0 + ":") }) {
      return headed(heading, words(line.dropFirst(heading.count + 1)))
    }
    if line.hasPrefix("  See '") {
      for (end, key) in [(reference, "reference"), (information, "information")] where line.hasSuffix(end) {
        return "  " + strings("Parser/" + key, String(line.dropFirst(7).dropLast(end.count)))
      }
    }
    return words(line)
  }

  /// Translates the descriptions of `--version` and `--help`, and the notes about values.
  private static func words(_ line: Substring) -> String {
    for (text, key) in [("Show the version.", "version"), ("Show help information.", "help")] where line.hasSuffix(text)
    {
      return String(line.dropLast(text.count)) + strings("Parser/" + key)
    }
    return String(line).replacing("(values:", with: strings("Parser/values"))
      .replacing("(default:", with: strings("Parser/default"))
      .replacing("; default:", with: strings("Parser/furtherDefault"))
      .replacing("(default) ", with: strings("Parser/defaultSubcommand"))
  }
}
