import Contacts
import Glibc
import SystemCalls

/// The location of a book.
public struct StoreLocation: Hashable, Sendable {
  /// Absolute path of the file, or nil for a book in memory.
  public let path: String?
  /// True if the user named the file; then its folder is not created, and a missing file is an error when reading.
  public let isExplicit: Bool
  /// Folder for caches, such as a search index; nil for no caches.
  public let cacheFolder: String?
  /// Folder of the automatic backups: `backups` beside the default book, `NAME.backups` beside any other book; nil for
  /// a book in memory.
  public let backupFolder: String?
  /// Folder of the CardDAV accounts: `accounts` beside the default book, `NAME.accounts` beside any other book; nil for
  /// a book in memory.
  public let accountFolder: String?

  private init(path: String?, isExplicit: Bool, isUsual: Bool = false, cacheFolder: String? = nil) {
    self.path = path
    self.isExplicit = isExplicit
    self.cacheFolder = cacheFolder
    func beside(_ name: String) -> String? {
      path.map { path in
        isUsual ? path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex) + "/" + name : path + "." + name
      }
    }
    backupFolder = beside("backups")
    accountFolder = beside("accounts")
  }

  /// A book in memory, which is lost when it is closed.
  public static let inMemory = StoreLocation(path: nil, isExplicit: true)

  /// Returns the location of a file named by the user. A relative path is resolved against the current folder.
  public static func file(_ path: String, cacheFolder: String? = nil) -> StoreLocation {
    StoreLocation(path: absolute(path) ?? path, isExplicit: true, cacheFolder: cacheFolder)
  }

  /// The environment variables that decide where a book and its caches are.
  public static let variables = ["HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "ADDRESSBOOK_FILE"]

  /// Returns the book to open: the first of `--book`, `ADDRESSBOOK_FILE`, `$XDG_DATA_HOME/addressbook/addressbook.db`
  /// and `$HOME/.local/share/addressbook/addressbook.db` whose option or variable is set. Caches are in
  /// `$XDG_CACHE_HOME/addressbook` or, if that variable is not set, in `$HOME/.cache/addressbook`. A relative path in
  /// an `XDG_` variable is ignored, as its specification requires; without an absolute path in `HOME`, the home folder
  /// of the user's account is used.
  /// - Throws: `StoreError.noHome` if no location can be found, `StoreError.currentFolderIsNotText` if the path is
  ///   relative and the name of the current folder is not UTF-8.
  public static func resolve(
    book: String?, environment: [String: String] = ProcessEnvironment.values(of: variables)
  ) throws(StoreError) -> StoreLocation {
    let caches = HomeFolder.folder("XDG_CACHE_HOME", ".cache", in: environment)
    let cacheFolder = caches.map { $0 + "/addressbook" }
    let data = HomeFolder.folder("XDG_DATA_HOME", ".local/share", in: environment)
    let usual = data.map { $0 + "/addressbook/addressbook.db" }
    if let named = [book, environment["ADDRESSBOOK_FILE"]].compactMap(\.self).first(where: { !$0.isEmpty }) {
      guard let path = absolute(named) else { throw StoreError(.currentFolderIsNotText, path: named) }
      return StoreLocation(path: path, isExplicit: true, isUsual: path == usual, cacheFolder: cacheFolder)
    }
    guard let usual else { throw StoreError(.noHome, path: "") }
    return StoreLocation(path: usual, isExplicit: false, isUsual: true, cacheFolder: cacheFolder)
  }

  /// Folder of the file; nil for a book in memory.
  public var folder: String? { path.map { Folder.split($0).folder } }

  private static func absolute(_ path: String) -> String? {
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return "/" + path }
    defer { free(current) }
    return String(validatingCString: current).map { $0 + "/" + path }
  }
}

/// The folder of a book's automatic backups: one file per day, `addressbook-2026-11-22.db`, named after the book.
package struct BackupFolder {
  /// The path of the folder; nil for a book in memory.
  package let path: String?
  /// The prefix of the names of this book's backups.
  private let stem: String
  private static let suffix = ".db"

  package init(_ location: StoreLocation) {
    path = location.backupFolder
    let name = location.path.map { Folder.split($0).name } ?? ""
    stem = (name.hasSuffix(Self.suffix) ? String(name.dropLast(Self.suffix.count)) : name) + "-"
  }

  /// Returns the path of the backup of a day; nil for a book in memory.
  package func path(of day: CalendarDay) -> String? {
    guard let path, let date = PartialDate(year: day.year, month: day.month, day: day.day) else { return nil }
    return path + "/" + stem + date.iso + Self.suffix
  }

  /// The backups, the newest day first.
  package var paths: [String] {
    guard let path else { return [] }
    return Folder.names(in: path).filter(isBackup).sorted(by: >).map { path + "/" + $0 }
  }

  /// Removes the oldest backups beyond a count, but never `kept`.
  package func prune(keeping count: Int, and kept: String) throws(FileFailure) {
    for path in paths.dropFirst(count) where path != kept {
      guard unlink(path) == 0 || errno == ENOENT else { throw FileFailure(path, errno) }
    }
  }

  private func isBackup(_ name: String) -> Bool {
    guard name.hasPrefix(stem), name.hasSuffix(Self.suffix), name.count == stem.count + 10 + Self.suffix.count else {
      return false
    }
    let day = name.dropFirst(stem.count).prefix(10)
    return day.enumerated().allSatisfy { [4, 7].contains($0) ? $1 == "-" : $1.isASCII && $1.isNumber }
  }
}
