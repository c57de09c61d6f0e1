import AddressBookModel
import SystemCalls

/// The program's folders in the user's home, by the XDG Base Directory Specification
/// (https://specifications.freedesktop.org/basedir-spec/latest/). A folder is nil if no absolute path is known.
struct UserFolders: Equatable, Sendable {
  /// `$XDG_CONFIG_HOME/addressbook`, or else `~/.config/addressbook`.
  var configuration: String?
  /// `$XDG_STATE_HOME/addressbook`, or else `~/.local/state/addressbook`.
  var state: String?

  /// No folders: nothing is read or saved.
  static let none = UserFolders()

  /// The folders according to the environment of this process.
  static var ofProcess: UserFolders {
    UserFolders(
      configuration: folder("XDG_CONFIG_HOME", ".config"), state: folder("XDG_STATE_HOME", ".local/state"))
  }

  private static func folder(_ variable: String, _ standard: String) -> String? {
    let environment = ProcessEnvironment.values(of: [variable, "HOME"])
    return HomeFolder.folder(variable, standard, in: environment).map { $0 + "/addressbook" }
  }
}
