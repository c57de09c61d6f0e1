import AddressBookModel
import Messages
import TerminalKit

/// Data for the manual: the default keys of the screen, and the names that a configuration file may use.
public struct KeyReference: Sendable {
  /// Keys below one heading.
  public struct Group: Sendable {
    /// The heading, in the user's language.
    public var title: String
    /// The notation of the keys, and their meaning.
    public var keys: [(keys: String, meaning: String)]
  }

  /// Every key, in the order of the help screen.
  public let groups: [Group]

  /// A setting in `config.toml`.
  public struct Setting: Sendable {
    /// Its name, after the name of its table, if it is in one: `theme`, `search.t9`.
    public var name: String
    /// The string key of its description, without the prefix `Manual/config.`.
    public var descriptionKey: String
    /// The possible values if they are names; otherwise empty.
    public var values: [String]
  }

  /// Every setting, except for the keys of commands.
  public var settings: [Setting] {
    SettingName.allCases.map { Setting(name: $0.rawValue, descriptionKey: $0.descriptionKey, values: $0.values) }
  }
  /// A configuration file with a line for each setting.
  public var exampleFile: String { SettingName.exampleFile }

  /// Names of the commands that keys can be bound to.
  public var commands: [String] { Command.allCases.map(\.rawValue) }

  /// Creates the localized reference.
  public init(localization: Localization) {
    var groups: [Group] = []
    for line in HelpLines(keys: .standard, strings: Strings(localization)).lines where !line.text.isEmpty {
      if line.keys.isEmpty {
        groups.append(Group(title: line.text, keys: []))
      } else if !groups.isEmpty {
        groups[groups.count - 1].keys.append((line.keys, line.text))
      }
    }
    self.groups = groups
  }
}
