import AddressBookModel
import Messages
import TerminalKit

/// Data for the manual: the default keys of the screen.
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
