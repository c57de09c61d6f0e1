import Foundation
import Testing

/// A message must not name a command that does not exist.
@Suite struct NamedCommandTests {
  private static let strings = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Resources/strings")

  /// Returns the words that follow the program's name in a text.
  private func commands(in text: String) -> [String] {
    text.matches(of: /addressbook ([a-z][a-z-]*)/).map { String($0.1) }
  }

  @Test func everyCommandNamedInAStringExists() throws {
    let program = try Program()
    var found: [String: Set<String>] = [:]
    for language in try FileManager.default.contentsOfDirectory(atPath: Self.strings.path) {
      let folder = Self.strings.appending(path: language)
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        for command in commands(in: text) { found[command, default: []].insert(language + "/" + file) }
      }
    }
    for language in ["C.UTF-8", "zh_CN.UTF-8"] {
      var reader = program
      reader.environment["LC_ALL"] = language
      let manual = try reader.run("manual")
      #expect(manual.status == 0 && manual.output.contains(".SH"))
      for command in commands(in: manual.output) { found[command, default: []].insert("manual in " + language) }
    }
    #expect(Set(found.keys).isSuperset(of: ["list", "import", "trash"]), "texts name commands")
    for (command, places) in found {
      // For an unknown command, the parser shows the help of the program.
      let help = try program.run(command, "--help")
      #expect(
        help.status == 0 && help.output.contains("addressbook \(command)"),
        "“addressbook \(command)” in \(places.sorted())")
    }
    #expect(try !program.run("surgeon", "--help").output.contains("addressbook surgeon"), "the check can fail")
  }
}
