import AddressBookModel
import Foundation
import Glibc

/// The drafts of a book in the state folder: one file for each program that has a form open.
struct DraftFolder {
  private struct Content: Codable {
    var book: String
    var draft: Draft
  }

  private static let largest = 8 << 20
  private let folder: String
  private let book: String
  /// The program whose draft this is; its number is in the file's name.
  private let process: Int32

  init(folder: String, book: String, process: Int32 = getpid()) {
    self.folder = folder + "/drafts"
    self.book = book
    self.process = process
  }

  private var own: PrivateFile { PrivateFile("\(folder)/\(process).json") }

  /// Where the draft of this program is kept.
  var path: String { own.path }

  /// Keeps the draft of this program.
  func write(_ draft: Draft) throws(FileFailure) {
    guard let data = try? JSONEncoder().encode(Content(book: book, draft: draft)) else { return }
    try own.write(Array(data), makesFolder: true, isDurable: true)
  }

  /// Forgets the draft of this program.
  func remove() throws(FileFailure) { try own.remove() }

  /// The drafts of this book that programs left which run no more.
  /// - Parameter isRunning: whether a process is this program still.
  func left(isRunning: (Int32) -> Bool = Self.isThisProgram) -> [(file: PrivateFile, draft: Draft)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { name in
      guard name.hasSuffix(".json"), let number = Int32(name.dropLast(5)), number == process || !isRunning(number)
      else { return nil }
      let file = PrivateFile(folder + "/" + name)
      guard let bytes = try? file.read(atMost: Self.largest),
        let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)), content.book == book
      else { return nil }
      return (file, content.draft)
    }
  }

  /// True when the process runs the same program as this one.
  static func isThisProgram(_ process: Int32) -> Bool {
    let paths = [getpid(), process].map {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/exe")
    }
    return paths[1] != nil && paths[0] == paths[1]
  }
}
