import Foundation

/// What the college can set, in a property list that people may edit.
struct Settings: Codable {
  var school: String
  var terms: [String]
  var maximumStudents: Int
}

/// The property list: a copy of the program's own, made when there is none.
struct SettingsFile {
  private let url: URL

  init(_ url: URL) { self.url = url }

  /// Copies the default, unless somebody has a file there.
  /// - Returns: whether it was copied.
  func copyDefaultIfAbsent() throws -> Bool {
    guard !FileManager.default.fileExists(atPath: url.path) else { return false }
    guard let source = Bundle.module.url(forResource: "settings", withExtension: "plist") else {
      throw CocoaError(.fileNoSuchFile)
    }
    // Copied beside it and then given its name: a copy that is interrupted leaves no half file under that name, and a file
    // that came meanwhile is not written over.
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
