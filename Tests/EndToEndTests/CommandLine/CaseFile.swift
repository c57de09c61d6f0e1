import Foundation

/// Files of worked examples.
enum CaseFile {
  /// One of the project's fixtures.
  static func own(_ path: String) throws -> Data {
    try Data(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/\(path)"))
  }

  /// The file that a variable of the environment names. Prints a notice when there is none.
  static func named(by variable: String) throws -> Data? {
    guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else {
      print("\(variable) is not set: its cases are skipped")
      return nil
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
