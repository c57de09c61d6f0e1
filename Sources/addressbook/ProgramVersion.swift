import AddressBookModel
import AddressBookTUI
import CSystem
import Pinyin
import TerminalKit

extension Program {
  /// The version of the program, as the manual and the packages have it.
  static let version = "1.0.0"

  /// What `--version` prints: the version, for a release its commit, and what decides how a book is stored and shown.
  static var versionText: String {
    let commit = addressbook_build_commit().map { String(cString: $0) } ?? ""
    let sqlite = String(cString: addressbook_sqlite_version())
    return """
      addressbook \(version)
      \(commit.isEmpty ? "" : "commit \(commit), ")schema \(Schema.version)
      SQLite \(sqlite), ICU \(NameCollation.icuVersion), \(NcursesTerminal.libraryVersion)
      """
  }
}
