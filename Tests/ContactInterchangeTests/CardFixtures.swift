import Foundation
import VCard

/// Cards of the fixtures and of folders that the environment names.
enum CardFixtures {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  /// Reads the project's own cards.
  static func cards() throws -> [(name: String, card: Card)] {
    let own = folder.appending(path: "VCard")
    return try cards(of: [own.appending(path: "derived"), own.appending(path: "hostile")])
  }

  /// Reads the cards that fuzzing found.
  static func fuzzed() throws -> [(name: String, card: Card)] {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder.appending(path: "Fuzz/vcard"), includingPropertiesForKeys: nil)
    return try files.flatMap { file in
      VCardReader.read([UInt8](try Data(contentsOf: file))).cards.map { (file.lastPathComponent, $0) }
    }
  }

  /// Reads the cards of the files that the indexes of folders name.
  static func cards(of folders: [URL]) throws -> [(name: String, card: Card)] {
    var result: [(String, Card)] = []
    for folder in folders {
      let root = try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appending(path: "index.json")))
      let entries = root as? [[String: Any]] ?? (root as? [String: Any])?["files"] as? [[String: Any]] ?? []
      for name in entries.compactMap({ $0["file"] as? String }) {
        guard let data = try? Data(contentsOf: folder.appending(path: name)) else { continue }
        for card in VCardReader.read([UInt8](data)).cards { result.append((name, card)) }
      }
    }
    return result
  }

  /// Makes a card of these lines.
  static func card(_ lines: String..., version: String = "3.0") -> Card {
    let text = (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD"]).joined(separator: "\r\n")
    return VCardReader.read(Array(text.utf8)).cards.first ?? Card()
  }
}
