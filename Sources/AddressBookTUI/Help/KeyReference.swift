import AddressBookModel
import TerminalKit

/// What the manual says of the screen: its keys as they are without a configuration file, and the names that a
/// configuration file may use.
public struct KeyReference: Sendable {
  /// Keys with one heading.
  public struct Group: Sendable {
    /// The heading, in the person's language.
    public var title: String
    /// How the keys are written, and what they do.
    public var keys: [(keys: String, meaning: String)]
  }

  /// Every key, in the order of the help screen.
  public let groups: [Group]

  /// Names of the themes.
  public var themes: [String] { Theme.Name.allCases.map(\.rawValue) }
  /// Names of the ways to show pictures.
  public var pictures: [String] { PictureSetting.allCases.map(\.rawValue) }
  /// Whether the terminal is told of links, as the configuration file names it.
  public var links: [String] { LinkSetting.allCases.map(\.rawValue) }

  /// Names of the commands that keys can be given to.
  public var commands: [String] { Command.allCases.map(\.rawValue) }

  /// The reference in a language.
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
