import Foundation
import Testing

@testable import AddressBookModel
@testable import Messages

/// No string has one of the words that CONTRIBUTING.md's table of terms rules out.
struct TermsTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the words of the last column.
  private func unwanted() throws -> [String] {
    let text = try String(contentsOf: Self.root.appendingPathComponent("CONTRIBUTING.md"), encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## Terms\n").dropFirst().first)
    let table = try #require(section.components(separatedBy: "\n## ").first).split(separator: "\n")
    return table.filter { $0.hasPrefix("| ") }.dropFirst().flatMap { line in
      line.split(separator: "|").dropFirst(2).first.map { cell in
        cell.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      } ?? []
    }
  }

  @Test func noStringUsesAnUnwantedTerm() throws {
    let words = try unwanted()
    #expect(words.count > 20 && words.contains("picture") && words.contains("头像"))
    for language in [Language.english, .simplifiedChinese] {
      for table in ["Command", "Model", "Screen"] {
        let path = Self.root.appendingPathComponent("Resources/strings/\(language.rawValue).lproj/\(table).strings")
          .path
        let data = try #require(FileManager.default.contents(atPath: path))
        let texts = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: String])
        #expect(texts.count > 100)
        // Other words that people type in the list of commands are in `also.…`.
        for (key, text) in texts where !key.hasPrefix("also.") {
          for word in words where Self.contains(text, word) {
            Issue.record("\(language.rawValue), \(key): “\(text)” has “\(word)”")
          }
        }
      }
    }
  }

  /// Returns whether a text has a word, or its plural with “s” in English. A Chinese word may be in any position.
  private static func contains(_ text: String, _ word: String) -> Bool {
    guard word.unicodeScalars.allSatisfy({ $0.isASCII }) else { return text.contains(word) }
    return text.range(
      of: "\\b\(NSRegularExpression.escapedPattern(for: word))s?\\b", options: [.regularExpression, .caseInsensitive])
      != nil
  }
}
