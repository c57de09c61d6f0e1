/// The supported languages.
public enum Language: String, Hashable, Sendable, CaseIterable {
  /// English, also used for every unsupported language.
  case english = "en"
  /// 简体中文, also used for the other variants of written Chinese.
  case simplifiedChinese = "zh-Hans"

  /// Takes the language of messages from the environment in POSIX's order: `LC_ALL`, `LC_MESSAGES` or `LANG`, the first
  /// that is not empty (https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02).
  public init(environment: [String: String]) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let name = locale.lowercased().prefix { $0 != "." && $0 != "@" }
    self = name == "zh" || name.hasPrefix("zh_") || name.hasPrefix("zh-") ? .simplifiedChinese : .english
  }

  static var ofProcess: Language {
    Language(environment: ProcessEnvironment.values(of: ["LC_ALL", "LC_MESSAGES", "LANG"]))
  }
}
