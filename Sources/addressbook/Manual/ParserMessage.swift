import AddressBookModel
import Messages

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
