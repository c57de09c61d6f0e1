import Foundation
import Testing

extension TerminalSession {
  /// The path of a vCard file with ten people.
  static let people = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/EndToEnd/people.vcf").path
  static let pictures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Images").path

  /// Makes a session whose book holds the ten people.
  static func withPeople(
    columns: Int = 100, rows: Int = 30, language: String = "C.UTF-8"
  ) throws -> TerminalSession {
    let session = try TerminalSession(columns: columns, rows: rows, language: language)
    let result = try session.run("import", people)
    #expect(result.status == 0, "\(result.errors)")
    return session
  }

  /// Makes a session that shows the ten people, with 马云 selected.
  static func onMaYun(columns: Int = 100, rows: Int = 30) throws -> TerminalSession {
    let session = try withPeople(columns: columns, rows: rows)
    try session.start(waitingFor: "马云")
    try session.type("'m")
    // The detail is updated when the cursor rests.
    try session.wait("马云 to be selected") {
      $0.selectedLine.contains("马云") && (columns < 96 || $0.contains("mǎ yún"))
    }
    return session
  }

  /// Returns the id of a contact, as the command line prints it.
  func id(of name: String) throws -> String {
    try #require(run("list", "--format", "tsv", name).output.split(separator: "\t").first.map(String.init))
  }

  /// Moves through a form until the cursor is in a line with the text.
  func focus(_ text: String) throws {
    for _ in 0..<30 {
      let row = try pane("cursor_y")
      let lines = try screen().split(separator: "\n", omittingEmptySubsequences: false)
      if lines.dropFirst(Int(row) ?? 0).first?.contains(text) == true { return }
      try press("Tab")
      try wait("the cursor to move") { _ in (try? self.pane("cursor_y")) != row }
    }
    Issue.record("no field with \(text) in\n\(try screen())")
  }

  func configure(_ text: String) throws {
    let folder = try #require(environment["XDG_CONFIG_HOME"]) + "/addressbook"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
  }
}

/// A screen as it was captured.
extension String {
  /// The line that holds the selection's arrow.
  var selectedLine: String { split(separator: "\n").first { $0.contains("▸") }.map(String.init) ?? "" }

  /// Returns the number of the first line that contains the text, from 0.
  func row(of text: String) -> Int? {
    split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains(text) }
  }

  /// Whether a color is set: foreground or background, of any palette.
  var hasColor: Bool {
    range(of: "\u{1b}\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]", options: .regularExpression) != nil
  }
}
