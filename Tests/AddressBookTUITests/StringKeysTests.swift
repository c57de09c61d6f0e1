import Foundation
import Messages
import Testing

@testable import AddressBookTUI

/// The keys of the strings in the sources and in the tables are the same.
struct StringKeysTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let sources: String = {
    let folder = root.appending(path: "Sources").path
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".swift") }
      .compactMap { try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined(separator: "\n")
  }()

  /// All string literals without placeholders.
  private static let literals = Set(sources.matches(of: #/"((?:[^"\\\n]|\\.)*)"/#).map { String($0.1) })

  /// The beginnings of keys whose ends are computed: `"field." +`, or `"month.` before a placeholder.
  private static let beginnings = Set(
    sources.matches(of: #/"([A-Za-z\/.]{3,}[\/.])(?:"\s*\+|\\\()/#).map { String($0.1) })

  private static func keys(of table: String, _ language: String) throws -> [String] {
    let file = root.appending(path: "Resources/strings/\(language).lproj/\(table).strings")
    return try String(contentsOf: file, encoding: .utf8).matches(of: #/(?m)^"((?:[^"\\]|\\.)*)"\s*=/#)
      .map { String($0.1) }
  }

  @Test(arguments: ["Screen", "Command", "Model"])
  func everyStringIsUsed(table: String) throws {
    for key in try Self.keys(of: table, "en") {
      let key = String(key.prefix { $0 != "#" })
      // A hint is named by its word, in the key table or on a screen.
      let isUsed =
        key.hasPrefix("hint.") && !Self.literals.contains(key)
        ? Self.literals.contains(String(key.dropFirst(5)))
        : Self.literals.contains(key) || Self.beginnings.contains { key.hasPrefix($0) } || isComposed(key)
      #expect(isUsed, "\(key) is not used")
    }
  }

  /// True if the key is made of two texts in the sources, such as `status.damaged` and `.unmarked`.
  private func isComposed(_ key: String) -> Bool {
    key.indices.dropFirst().contains {
      Self.literals.contains(String(key[..<$0])) && Self.literals.contains(String(key[$0...]))
    }
  }

  @Test func everyStringOfTheScreenIsThere() throws {
    let table = Set(try Self.keys(of: "Screen", "en").map { String($0.prefix { $0 != "#" }) })
    let folder = Self.root.appending(path: "Sources/AddressBookTUI").path
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    #expect(paths.count > 50)
    for path in paths where path.hasSuffix(".swift") {
      let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
      // A key at the end of an argument is whole; one before `+` is a beginning.
      for found in text.matches(of: #/strings(?:\.count)?\("([A-Za-z0-9.]+)"[,)]/#) {
        #expect(table.contains(String(found.1)), "\(found.1) in \(path)")
      }
    }
    for line in KeyTable.standard.bindings where line.hint != line.help { #expect(table.contains(line.hint)) }
  }

  /// Keys may have been changed in config.toml: a text gets them as arguments. Enter, Tab and Space in a form or a
  /// question are not in the table.
  @Test(arguments: Language.allCases)
  func noStringOfTheScreenNamesAKey(language: Language) throws {
    let file = Self.root.appending(path: "Resources/strings/\(language.rawValue).lproj/Screen.strings")
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      guard let found = line.firstMatch(of: #/^"([^"]+)" = "(.*)";$/#) else { continue }
      let (key, text) = (String(found.1), String(found.2))
      guard !key.hasPrefix("also."), !key.hasPrefix("form.photo."), key != "config.keyList" else { continue }
      #expect(
        text.firstMatch(of: #/\b(Esc|Tab|Ctrl|F1|PgDn|PgUp|Backspace)\b|\^[A-Z]|Enter (?!a |search )|回车/#) == nil,
        "\(key): \(text)")
    }
  }
}
