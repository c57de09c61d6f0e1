import Synchronization
import SystemCalls

/// The supported languages.
public enum Language: String, Hashable, Sendable, CaseIterable {
  /// English, also used for every unsupported language.
  case english = "en"
  /// 简体中文.
  case simplifiedChinese = "zh-Hans"

  /// Takes the language of messages from the environment in POSIX's order: `LC_ALL`, `LC_MESSAGES` or `LANG`, the first
  /// that is not empty (https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02). There are
  /// no strings in Traditional Chinese: its readers choose (``isTraditional(environment:)``).
  public init(environment: [String: String]) {
    let name = Self.locale(in: environment)
    let isChinese = name == "zh" || name.hasPrefix("zh_")
    self = isChinese && !Self.isTraditional(environment: environment) ? .simplifiedChinese : .english
  }

  /// Returns whether the environment asks for Traditional Chinese: the script, or else a region where it is usual.
  public static func isTraditional(environment: [String: String]) -> Bool {
    let parts = locale(in: environment).split(separator: "_")
    guard parts.first == "zh", !parts.contains("hans") else { return false }
    return parts.contains { ["hant", "tw", "hk", "mo"].contains($0) }
  }

  /// The same for this process.
  public static var isTraditionalRequested: Bool { isTraditional(environment: ofMessages) }

  /// The language that the environment of this process asks for, and the variable that does; nil without one.
  public static var requested: (language: Language, variable: String?) {
    let environment = ofMessages
    return (Language(environment: environment), variables.first { !(environment[$0] ?? "").isEmpty })
  }

  /// The name of the locale in lower case, without its charset and variant, with `_` between its parts.
  private static func locale(in environment: [String: String]) -> String {
    let locale = variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    return String(locale.lowercased().prefix { $0 != "." && $0 != "@" }.map { $0 == "-" ? "_" : $0 })
  }

  private static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]
  private static var ofMessages: [String: String] { ProcessEnvironment.values(of: variables) }

  private static let chosen = Mutex<Language?>(nil)

  /// Makes a language that of this process, whatever the environment says; to be called before the first message.
  public static func choose(_ language: Language?) { chosen.withLock { $0 = language } }

  static var ofProcess: Language { chosen.withLock(\.self) ?? Language(environment: ofMessages) }
}
