import AddressBookModel
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

  /// Names of the themes.
  public var themes: [String] { Theme.Name.allCases.map(\.rawValue) }
  /// Names of the ways to show photos.
  public var pictures: [String] { PictureSetting.allCases.map(\.rawValue) }
  /// Values of the setting of links.
  public var links: [String] { LinkSetting.allCases.map(\.rawValue) }

  /// Names of the commands that keys can be bound to.
  public var commands: [String] { Command.allCases.map(\.rawValue) }

  /// The localized reference.
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
