import Contacts
import Glibc
import SystemCalls

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
