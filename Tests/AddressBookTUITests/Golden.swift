import Foundation
import Testing

/// Screens as plain text, kept in Tests/Fixtures/Screens. `UPDATE_GOLDENS=1 swift test` updates them.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/Screens")

  /// Compares a screen with its golden, line by line.
  static func check(_ screen: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder.appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data((screen + "\n").utf8).write(to: file)
      return
    }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      Issue.record("No golden \(name). The screen:\n\(screen)", sourceLocation: sourceLocation)
      return
    }
    var expected = String(decoding: data, as: UTF8.self)
    if expected.last == "\n" { expected.removeLast() }
    guard expected != screen else { return }
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = screen.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = (0..<max(old.count, new.count)).compactMap { row -> String? in
      let before = row < old.count ? old[row] : ""
      let after = row < new.count ? new[row] : ""
      return before == after ? nil : "\(row): - \(before)\n\(row): + \(after)"
    }
    Issue.record("\(name) looks different:\n\(lines.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }
}
