/// The configuration file of a person.
enum ConfigurationFile {
  /// A larger file is no configuration.
  private static let largest = 1 << 18

  /// Reads `config.toml` of a folder. No folder or no file means no settings; nothing here ends the program.
  static func read(in folder: String?) -> (configuration: Configuration, issues: [ConfigurationIssue]) {
    guard let folder else { return (Configuration(), []) }
    do {
      guard let bytes = try PrivateFile(folder + "/config.toml").read(atMost: largest) else {
        return (Configuration(), [])
      }
      let reader = ConfigurationReader(String(decoding: bytes, as: UTF8.self))
      return (reader.configuration, reader.issues)
    } catch {
      return (Configuration(), [ConfigurationIssue(line: 0, reason: .unreadable, arguments: [error.message])])
    }
  }
}
