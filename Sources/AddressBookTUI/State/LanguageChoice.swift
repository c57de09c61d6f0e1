import AddressBookModel
import Messages
import SystemCalls

/// The language that a reader of Traditional Chinese, in which there are no strings, chose on the screen.
struct LanguageChoice {
  /// Nil unless the locale is one of Traditional Chinese, and if there is no state folder.
  private let file: PrivateFile?

  init(_ folders: UserFolders, isTraditional: Bool = Language.isTraditionalRequested) {
    file = isTraditional ? folders.state.map { PrivateFile($0 + "/language") } : nil
  }

  /// Nil if nothing was chosen yet.
  var language: Language? {
    // A file that cannot be read is like none: the question is asked again.
    guard let bytes = try? file?.read(atMost: 64) else { return nil }
    return Language(rawValue: String(decoding: bytes, as: UTF8.self).trimmed)
  }

  /// True if the user is to be asked.
  var isOpen: Bool { file != nil && language == nil }

  func save(_ language: Language) throws(FileFailure) {
    try file?.write(Array((language.rawValue + "\n").utf8), makesFolder: true, isDurable: false)
  }

  /// The language in `config.toml`; nil if it has none, or one that does not exist.
  static func inSettings(of folders: UserFolders) -> Language? {
    guard let bytes = try? ConfigurationFile.bytes(in: folders.configuration) else { return nil }
    for setting in ConfigurationParser(String(decoding: bytes, as: UTF8.self)).settings
    where setting.path == "language" {
      if case .string(let text) = setting.value { return Language(rawValue: text) }
      return nil
    }
    return nil
  }
}
