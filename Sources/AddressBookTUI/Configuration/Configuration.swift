import TerminalKit

/// What a person may set in `config.toml`.
struct Configuration: Equatable {
  /// Colors.
  var theme = Theme.Name.terminal
  /// How pictures are shown.
  var pictures = PictureSetting.auto
  /// Whether the terminal is told what can be clicked.
  var links = LinkSetting.auto
  /// Whether the mouse is used.
  var usesMouse = true
  /// Whether sounds that are often confused are taken as one in a search.
  var searchesFuzzily = false
  /// Whether digits also stand for the letters on a phone's keys in a search.
  var searchesByPhoneKeys = false
  /// The program that opens links, with its arguments; nil for the desktop's own.
  var openCommand: [String]?
  /// The program that copies, with its arguments; nil for tmux or the terminal.
  var copyCommand: [String]?
  /// The keys.
  var keys = KeyTable.standard

  static func == (one: Configuration, other: Configuration) -> Bool {
    one.theme == other.theme && one.pictures == other.pictures && one.links == other.links
      && one.usesMouse == other.usesMouse && one.searchesFuzzily == other.searchesFuzzily
      && one.searchesByPhoneKeys == other.searchesByPhoneKeys
      && one.openCommand == other.openCommand && one.copyCommand == other.copyCommand
      && one.keys.bindings.map(\.sequences) == other.keys.bindings.map(\.sequences)
  }
}

/// Whether the terminal is told which text is a link, as the configuration file writes it.
enum LinkSetting: String, CaseIterable, Sendable {
  /// Where it is known to know links.
  case auto
  case on
  case off

  /// What the terminal is asked for.
  var links: NcursesTerminal.Options.Links {
    switch self {
    case .auto: .automatic
    case .on: .always
    case .off: .never
    }
  }
}

/// A line of the configuration file that cannot be used.
struct ConfigurationIssue: Equatable {
  /// What is wrong with it; the raw value is the key of its words.
  enum Reason: String {
    case syntax, unknownTable, unknown, table, duplicate, theme, pictures, links, boolean, command, keyList, key, typed,
      taken,
      openCommand, copyCommand, unreadable
  }

  /// Counted from 1; 0 for the file as a whole.
  var line: Int
  var reason: Reason
  /// What the words name: a setting, a key, a command.
  var arguments: [String] = []

  /// The line and what is wrong with it, in the person's language.
  func text(_ strings: Strings) -> String {
    let what = strings.localization.text("config." + reason.rawValue, arguments: arguments, table: "Screen")
    return line == 0 ? "config.toml: " + what : strings("config.line", String(line), what)
  }
}

/// The configuration file of a person.
enum ConfigurationFile {
  /// A larger file is no configuration.
  private static let largest = 1 << 18

  /// Reads `config.toml` of a folder. No folder or no file means no settings; nothing here ends the program.
  static func read(in folder: String?) -> (configuration: Configuration, issues: [ConfigurationIssue]) {
    guard let folder else { return (Configuration(), []) }
    do {
      guard let bytes = try PrivateFile(folder + "/config.toml").read(atMost: largest) else {
        return (Configuration(), [])
      }
      let reader = ConfigurationReader(String(decoding: bytes, as: UTF8.self))
      return (reader.configuration, reader.issues)
    } catch {
      return (Configuration(), [ConfigurationIssue(line: 0, reason: .unreadable, arguments: [error.message])])
    }
  }
}
