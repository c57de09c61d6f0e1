import Foundation

/// Files of the project that the tests read.
enum Fixtures {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func data(_ path: String) throws -> Data { try Data(contentsOf: root.appendingPathComponent(path)) }

  /// The file that a variable of the environment names. Prints a notice when there is none.
  static func environmentFile(_ variable: String) throws -> Data? {
    guard let path = ProcessInfo.processInfo.environment[variable], !path.isEmpty else {
      print("\(variable) is not set: its cases are skipped")
      return nil
    }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
