import AddressBookModel
import Messages
import SystemCalls

/// A folder as named on the command line: by its name or its path.
enum FolderReference {
  /// The folder with this name, or else with this path.
  /// - Throws: `CommandFailure` if there is none, with the names of the existing folders, or if several have this name.
  static func find(_ name: String, in book: AddressBook) throws -> ContactFolder {
    let folders = try book.folders()
    let named = folders.filter { $0.name == name }
    guard named.count < 2 else {
      throw CommandFailure(.misuse, strings("Misuse/folderName", name, Localization.shared.list(named.map(\.path))))
    }
    if let folder = named.first { return folder }
    let path = RealPath.of(name)
    if let folder = folders.first(where: { $0.path == path }) { return folder }
    guard !folders.isEmpty else { throw CommandFailure(.nothingFound, strings("Found/noFolders", name)) }
    let names = Localization.shared.list(folders.map(\.name))
    throw CommandFailure(.nothingFound, strings("Found/noFolder", name, names))
  }
}
