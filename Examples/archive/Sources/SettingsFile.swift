import Foundation

/// The settings of the college, in a property list that can be edited by hand.
struct Settings: Codable {
  var school: String
  var terms: [String]
  var maximumStudents: Int
}

/// The property list with the user's settings, which begins as a copy of the bundled one.
struct SettingsFile {
  private let url: URL

  init(_ url: URL) { self.url = url }

  /// Copies the default, unless the file exists.
  /// - Returns: whether it was copied.
  func copyDefaultIfAbsent() throws -> Bool {
    guard !FileManager.default.fileExists(atPath: url.path) else { return false }
    guard let source = Bundle.module.url(forResource: "settings", withExtension: "plist") else {
      throw CocoaError(.fileNoSuchFile)
    }
    // Copy to a temporary file and then link it to the final name: an interrupted copy leaves no incomplete file under
    // that name, and a file that was created in the meantime is not overwritten.
    let temporary = url.appendingPathExtension(UUID().uuidString)
    try FileManager.default.copyItem(at: source, to: temporary)
    defer { try? FileManager.default.removeItem(at: temporary) }
    do {
      try FileManager.default.linkItem(at: temporary, to: url)
    } catch CocoaError.fileWriteFileExists {
      return false
    }
    return true
  }

  func read() throws -> Settings { try PropertyListDecoder().decode(Settings.self, from: Data(contentsOf: url)) }

  func write(_ settings: Settings) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    try encoder.encode(settings).write(to: url, options: .atomic)
  }
}
