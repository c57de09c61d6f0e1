import AddressBookModel
import BookInterchange
import ContactInterchange
import Contacts
import LDAPDirectory
import Messages
import SystemCalls
import TerminalKit

/// The user's settings in `config.toml`. ``Setting`` says how each is written.
struct Configuration {
  /// The language; nil for that of the environment.
  var language: Language?
  /// The color theme.
  var theme = Theme.Name.terminal
  /// How photos are shown.
  var pictures = PictureSetting.auto
  /// Whether links are clickable in the terminal.
  var links = LinkSetting.auto
  /// How wide the terminal shows characters of ambiguous width.
  var ambiguousWidth = AmbiguousWidthSetting.auto
  /// How the list is divided into sections.
  var sections = ContactSections.latin
  /// Whether the mouse is used.
  var usesMouse = true
  /// The sort order of the list at the start, unless the last session ended with another one.
  var order = ContactSortOrder.name
  /// The columns of the list; nil for the standard ones.
  var columns: [ContactColumn]?
  /// How many rows of the list stay visible above and below the selected one.
  var scrollOff = 0
  /// How names are displayed.
  var names = NameStyle()
  /// Whether a search treats commonly confused sounds as equal.
  var searchesFuzzily = false
  /// Whether digits in a search also match the letters on their phone keys.
  var searchesByPhoneKeys = false
  /// How many automatic backups are kept, at most one per day; 0 makes none.
  var backups = 7
  /// How many days deleted contacts are kept; 0 keeps them forever.
  var trashDays = AddressBook.trashDays
  /// Whether accounts and folders are synced at the start.
  var syncsAtStart = false
  /// How many minutes there are between syncs while the screen is open; 0 for no such syncs.
  var syncMinutes = 0
  /// The program that opens links, with its arguments; nil for the desktop's default.
  var openCommand: [String]?
  /// The programs that open links of some kinds instead.
  var openCommands: [LinkAddress.Kind: [String]] = [:]
  /// The kinds of links whose program uses the terminal.
  var openInTerminal: Set<LinkAddress.Kind> = []
  /// The program that copies text, with its arguments; nil for tmux or the terminal.
  var copyCommand: [String]?
  /// Company directories that can be searched.
  var directories: [DirectoryURL] = []
  /// The program that prints the password for a directory, with `{}` in place of the directory's host.
  var directoryPassword: PasswordProgram?
  /// The key bindings.
  var keys = KeyTable.standard
  /// Which keys the characters of other keyboards are on.
  var layouts = KeyLayouts.standard {
    didSet { keys.layouts = layouts }
  }
}

/// Whether links are clickable in the terminal, as written in the configuration file.
enum LinkSetting: String, CaseIterable, Sendable {
  /// If the terminal is known to support links.
  case auto
  case on
  case off

  /// The corresponding option of the terminal.
  var links: NcursesTerminal.Options.Links {
    switch self {
    case .auto: .automatic
    case .on: .always
    case .off: .never
    }
  }
}

/// How wide the terminal shows characters of ambiguous width, as written in the configuration file.
enum AmbiguousWidthSetting: String, CaseIterable, Sendable {
  /// As the terminal reports.
  case auto
  case narrow
  case wide

  /// The corresponding option of the terminal.
  var option: NcursesTerminal.Options.AmbiguousWidth {
    switch self {
    case .auto: .automatic
    case .narrow: .narrow
    case .wide: .wide
    }
  }
}

/// A part of the configuration file that cannot be used.
struct ConfigurationIssue: Equatable {
  /// The kind of problem; with the prefix `config.`, the raw value is the key of its message.
  enum Reason: String {
    case syntax, unreadable
    case unknownTable, unknown, table, duplicate
    case choice, boolean, number, program, columns, columnOfList, columnsOfName, directories, langmap, custom
    case command, keyList, key, typed, taken
  }

  /// From 1; 0 for the whole file.
  var line: Int
  var reason: Reason
  /// Arguments of the message, such as a setting, a key or a command.
  var arguments: [String] = []
  /// The values that the setting can have; the last argument of a message that lists them.
  var values: [String] = []

  /// Returns the message in the user's language.
  func what(_ strings: Strings) -> String {
    let arguments = values.isEmpty ? arguments : arguments + [strings.list(values)]
    return strings.localization.text("config." + reason.rawValue, arguments: arguments, table: "Screen")
  }

  /// Returns the message in the user's language, after the file's name and, unless it is about the whole file, the line
  /// number.
  func text(_ strings: Strings) -> String {
    let what = what(strings)
    return line == 0 ? strings.localization.titled("config.toml", what) : strings("config.line", String(line), what)
  }
}

extension ConfigurationIssue {
  /// An issue about a value; its line is that of the setting.
  init(_ reason: Reason, _ arguments: [String] = [], values: [String] = []) {
    self.init(line: 0, reason: reason, arguments: arguments, values: values)
  }
}

/// The user's configuration file.
enum ConfigurationFile {
  /// The maximum size in bytes; a larger file is not a configuration file.
  private static let largest = 1 << 18

  static func path(in folder: String) -> String { folder + "/config.toml" }

  /// The content of `config.toml` in a folder; nil without a folder or a file.
  static func bytes(in folder: String?) throws(FileFailure) -> [UInt8]? {
    try folder.map { PrivateFile(path(in: $0)) }?.read(atMost: largest)
  }

  /// Reads `config.toml` in a folder. Without a folder or a file, the defaults apply; errors are returned as issues.
  static func read(in folder: String?) -> ConfigurationReader {
    do {
      return ConfigurationReader(String(decoding: try bytes(in: folder) ?? [], as: UTF8.self))
    } catch {
      return ConfigurationReader(
        unreadable: ConfigurationIssue(line: 0, reason: .unreadable, arguments: [error.message]))
    }
  }

  /// The lines of `config.toml` that have a setting and a value, whatever they are; none without a file.
  static func settings(in folder: String?) -> [ConfigurationParser.Setting] {
    guard let bytes = try? bytes(in: folder) else { return [] }
    return ConfigurationParser(String(decoding: bytes, as: UTF8.self)).settings
  }
}

/// The settings that the command line needs too.
public enum PersonalSettings {
  /// How many automatic backups are kept, at most one per day; 0 makes none.
  public static var backups: Int { configuration.backups }
  /// How many days deleted contacts are kept; 0 keeps them forever.
  public static var trashDays: Int { configuration.trashDays }
  /// The program that prints the password for a directory, with `{}` in place of the directory's host; nil for none.
  public static var directoryPassword: PasswordProgram? { configuration.directoryPassword }

  /// Makes tables fit a terminal in which the user says that characters of ambiguous width are wide.
  public static func applyAmbiguousWidth() {
    if configuration.ambiguousWidth == .wide { TextWidth.ambiguousColumns = 2 }
  }

  /// Chooses the language, if the settings name one, and offers the user's own fields. Every command needs both before it
  /// says anything or opens a book, so the other settings are not looked at.
  public static func applyLanguageAndFields() {
    let settings = ConfigurationFile.settings(in: UserFolders.ofProcess.configuration)
    func value(_ name: String) -> ConfigurationParser.Value? { settings.first { $0.path == name }?.value }
    if case .string(let text)? = value("language") { Language.choose(Language(rawValue: text)) }
    let names = value("custom")?.strings ?? []
    CustomFields.offered = names.compactMap(CustomFields.property).reduce(into: []) { known, name in
      if !known.contains(name) { known.append(name) }
    }
  }

  private static var configuration: Configuration {
    ConfigurationFile.read(in: UserFolders.ofProcess.configuration).configuration
  }
}
