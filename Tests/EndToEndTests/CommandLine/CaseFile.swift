import Foundation

/// Files of worked examples.
enum CaseFile {
  /// Returns the content of one of the project's fixtures.
  static func own(_ path: String) throws -> Data {
    try Data(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/\(path)"))
  }
}
