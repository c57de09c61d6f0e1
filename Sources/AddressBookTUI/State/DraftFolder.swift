import AddressBookModel
import Foundation
import Glibc
import SystemCalls

/// Storage for the draft of this program.
protocol DraftStore: Sendable {
  var path: String { get }
  /// Saves the draft of this program, replacing an older one.
  func write(_ draft: Draft) throws(FileFailure)
  func remove() throws(FileFailure)
}

/// The drafts of a book in the state folder: one file per process, and renamed files of earlier sessions.
struct DraftFolder: DraftStore {
  private struct Content: Codable {
    var book: String
    var draft: Draft
  }

  /// The maximum size in bytes: enough for the longest note, before and after the edit, as JSON.
  private static let largest = 128 << 20
  private static let keptName = "kept-"
  private let folder: String
  private let book: String
  /// The process id of the program, which is in the file's name.
  private let process: Int32

  init(folder: String, book: String, process: Int32 = getpid()) {
    self.folder = folder + "/drafts"
    self.book = book
    self.process = process
  }

  private var own: PrivateFile { PrivateFile("\(folder)/\(process).json") }

  var path: String { own.path }

  func write(_ draft: Draft) throws(FileFailure) {
    guard let data = try? JSONEncoder().encode(Content(book: book, draft: draft)) else { return }
    try own.write(Array(data), makesFolder: true, isDurable: true)
  }

  func remove() throws(FileFailure) { try own.remove() }

  /// Renames a draft with this process id, so that it is not overwritten. It was left by an earlier process, or by this
  /// one before it reopened the book.
  /// - Returns: the system's error message if that failed.
  func setAside() -> String? {
    for number in 1... {
      let kept = "\(folder)/\(Self.keptName)\(number).json"
      // Unlike a rename, this never replaces a file.
      if link(own.path, kept) == 0 {
        return unlink(own.path) == 0 ? nil : String(cString: strerror(errno))
      }
      if errno == ENOENT || errno == ENOTDIR { return nil }
      guard errno == EEXIST, number < 1000 else { break }
    }
    return String(cString: strerror(errno))
  }

  /// Returns the drafts of this book that no other running program is writing, the oldest first.
  /// - Parameter isRunning: whether the process with an id runs this program.
  func left(isRunning: (Int32) -> Bool = Self.isThisProgram) -> [(file: PrivateFile, draft: Draft)] {
    return Folder.names(in: folder).map { (name: $0, moment: moment(of: $0)) }.sorted {
      ($0.moment, $0.name) < ($1.moment, $1.name)
    }
    .compactMap { name, _ in
      guard name.hasSuffix(".json"), isLeft(name.dropLast(5), isRunning) else { return nil }
      let file = PrivateFile(folder + "/" + name)
      guard let bytes = try? file.read(atMost: Self.largest),
        let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), content.book == book
      else { return nil }
      return (file, content.draft)
    }
  }

  /// Returns true for the name, without its extension, of a draft that no other running program is writing.
  private func isLeft(_ name: Substring, _ isRunning: (Int32) -> Bool) -> Bool {
    if name.hasPrefix(Self.keptName) { return true }
    guard let number = Int32(name) else { return false }
    return number == process || !isRunning(number)
  }

  /// Returns the modification time of a file; 1970 if it is unknown.
  private func moment(of name: String) -> FileTime {
    stat(of: folder + "/" + name, followsLinks: false)?.modified ?? FileTime()
  }

  /// Returns true if the process runs the same program as this one.
  static func isThisProgram(_ process: Int32) -> Bool {
    let paths = [getpid(), process].map { RealPath.destination(ofLink: "/proc/\($0)/exe") }
    return paths[1] != nil && paths[0] == paths[1]
  }
}
