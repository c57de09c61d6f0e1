import AddressBookModel
import BookCare
import Glibc
import Messages
import SystemCalls
import TerminalKit

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

/// A file that is replaced atomically, with mode 0600: after a crash of the program it has the old or the new content.
struct PrivateFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// Returns the content; nil if there is no such file.
  /// - Parameter limit: the maximum size in bytes. A larger file is refused with `EFBIG`, a folder or a pipe with
  ///   `EINVAL` and without blocking, a book that this program has open with `EBUSY`.
  func read(atMost limit: Int) throws(FileFailure) -> [UInt8]? {
    if AddressBook.isOpen(path: path) { throw FileFailure(path, EBUSY, isOpenDatabase: true) }
    return try FileBytes.all(of: path, atMost: limit)
  }

  /// Replaces the file, with mode 0600.
  /// - Parameters:
  ///   - makesFolder: creates a missing folder, with mode 0700 like the program's other folders.
  ///   - isDurable: waits until the bytes are on disk, so that a power failure leaves the old or the new content, too.
  func write(_ bytes: [UInt8], makesFolder: Bool, isDurable: Bool) throws(FileFailure) {
    if makesFolder { try PrivateFolder.make(Folder.split(path).folder) }
    try FileReplacement.write(bytes, to: path, isDurable: isDurable)
  }

  /// Removes the file, if it exists.
  func remove() throws(FileFailure) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw FileFailure(path, errno) }
  }

  /// True if there is anything with this name.
  var exists: Bool { stat(of: path, followsLinks: false) != nil }
}

/// Explains in the user's language why a backup, an examination, a repair or a restore failed.
public enum BackupMessage {
  /// Returns the message of an error.
  public static func text(of error: any Error, in localization: Localization) -> String {
    switch error {
    case let error as BackupError: error.message(in: localization)
    case let error as StoreError: error.message(in: localization)
    case let failure as FileFailure: localization.titled(failure.path, failure.message)
    default: String(describing: error)
    }
  }
}
