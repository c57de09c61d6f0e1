import Foundation
import VCard

/// Folders of cards with an index that says what is in them.
enum Fixtures {
  /// The project's own fixtures.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/VCard")

  static func bytes(_ file: URL) throws -> [UInt8] { try [UInt8](Data(contentsOf: file)) }

  static func json(_ file: URL) throws -> Any { try JSONSerialization.jsonObject(with: Data(contentsOf: file)) }

  /// Reads the entries of a folder's index, which is a list or has one.
  static func index(_ folder: URL) throws -> [[String: Any]] {
    let root = try json(folder.appending(path: "index.json"))
    let list = root as? [[String: Any]] ?? (root as? [String: Any])?["files"] as? [[String: Any]] ?? []
    // Some files of an index do not exist.
    return list.filter { entry in
      guard let name = entry["file"] as? String else { return false }
      return FileManager.default.fileExists(atPath: folder.appending(path: name).path)
    }
  }

  static func lines(_ texts: String...) -> [UInt8] { Array((texts.joined(separator: "\r\n") + "\r\n").utf8) }
}
