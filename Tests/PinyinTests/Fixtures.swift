import Foundation

/// Files of the project that the tests read.
enum Fixtures {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func data(_ path: String) throws -> Data { try Data(contentsOf: root.appendingPathComponent(path)) }
}
