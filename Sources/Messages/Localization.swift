import Glibc
import Synchronization
import SystemCalls

/// The user-visible strings, from `Resources/strings/<language>.lproj/<table>.strings`.
///
/// A key that is missing in the language is looked up in English; one that is missing there is displayed as it is, so
/// that a gap is visible but never ends the program. Keys follow Core Data: `Entity/Person`,
/// `Property/givenName/Entity/Person`, `ErrorString/…`. Tables are read on first use. Thread-safe.
public final class Localization: Sendable {
  /// The strings for this process, by its environment.
  public static let shared = Localization(language: .ofProcess)

  /// The requested language.
  public let language: Language
  private let folder: String?
  /// A table in the requested language, and in English if a key was missing there.
  private struct Table {
    /// Empty if the file is missing; nil if it is broken, or if there is no folder of strings.
    let own: StringsFile?
    /// Nil until it is needed.
    var english: StringsFile??
  }

  /// The tables, keyed by the name of the file.
  private let tables = Mutex<[String: Table]>([:])

  /// Creates the strings of one language.
  /// - Parameters:
  ///   - language: the language to prefer.
  ///   - folder: the folder that contains `en.lproj`; nil to find the program's own.
  public init(language: Language, folder: String? = nil) {
    self.language = language
    self.folder = folder ?? StringsFolder.find()
  }

  /// Returns the string of a key with its placeholders filled in.
  /// - Parameters:
  ///   - key: the key.
  ///   - arguments: the values of `%@` and `%d`, or `%1$@` and `%2$d`, in order. Without a value a placeholder is kept.
  ///   - table: name of the file without `.strings`.
  public func text(_ key: String, _ arguments: any CustomStringConvertible..., table: String = "Model") -> String {
    text(key, arguments: arguments.map(\.description), table: table)
  }

  /// Returns the string of a key with its placeholders filled in from an array.
  public func text(_ key: String, arguments: [String], table: String = "Model") -> String {
    MessageFormat.fill(pattern(key, table: table) ?? key, with: arguments)
  }

  /// Returns the string of a key for a number: `key#one` for 1 if the language or English has it, otherwise
  /// `key#other`.
  /// - Parameters:
  ///   - key: the key without `#`.
  ///   - count: the number, which is also the first argument.
  ///   - arguments: the other arguments, starting with the second.
  ///   - table: name of the file without `.strings`.
  public func plural(
    _ key: String, count: Int, _ arguments: any CustomStringConvertible..., table: String = "Model"
  ) -> String {
    let form = count == 1 ? pattern(key + "#one", table: table) : nil
    let pattern = form ?? pattern(key + "#other", table: table) ?? key
    return MessageFormat.fill(pattern, with: [grouped(count)] + arguments.map(\.description))
  }

  /// Returns true if the language or English has the key.
  public func has(_ key: String, table: String = "Model") -> Bool { pattern(key, table: table) != nil }

  /// Returns names in one line, with the comma of the language between them: `a, b`, `甲、乙`.
  public func list(_ names: [String]) -> String { names.joined(separator: text("List/comma")) }

  /// Returns a text with a note in the parentheses of the language: `a (b)`, `甲（乙）`; only the text if the note is
  /// empty.
  public func noted(_ text: String, _ note: String) -> String {
    note.isEmpty ? text : self.text("List/note", text, note)
  }

  /// Returns a text after its subject, with the colon of the language between them: `a: b`, `甲：乙`.
  public func titled(_ title: String, _ text: String) -> String { self.text("List/title", title, text) }

  /// Returns an integer with grouped digits: `1,204`.
  public func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude).utf8
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.unicodeScalars.append(Unicode.Scalar(digit))
    }
    return text
  }

  /// Returns the name of an entity: `Entity/Person`.
  public func entityName(_ entity: String) -> String { text("Entity/\(entity)") }

  /// Returns the name of a property of an entity; if there is none, the name of the property in any entity; if there is
  /// neither, the property itself.
  public func propertyName(_ property: String, entity: String) -> String {
    pattern("Property/\(property)/Entity/\(entity)", table: "Model")
      ?? pattern("Property/\(property)", table: "Model") ?? property
  }

  /// Returns a label for display: standard labels are translated, custom ones unchanged.
  public func label(_ label: String) -> String {
    label.isEmpty ? "" : pattern("Label/\(label.lowercased())", table: "Model") ?? label
  }

  /// Reads a table in the requested language, so that nothing has to wait for it later.
  public func prepare(table: String) { tables.withLock { _ = prepared(table, in: &$0) } }

  private func prepared(_ name: String, in tables: inout [String: Table]) -> Table {
    if let table = tables[name] { return table }
    let table = Table(own: read(name, language))
    tables[name] = table
    return table
  }

  private func pattern(_ key: String, table: String) -> String? {
    tables.withLock { tables in
      let found = prepared(table, in: &tables)
      if let text = found.own?[key] { return text }
      if language == .english { return nil }
      if let english = found.english { return english?[key] }
      let english = read(table, .english)
      tables[table]?.english = .some(english)
      return english?[key]
    }
  }

  /// Reads a file; empty if it is missing, nil if it is broken or if there is no folder of strings.
  private func read(_ table: String, _ language: Language) -> StringsFile? {
    guard let folder else { return nil }
    // A broken file must not lock users out of their book: English or the keys are displayed instead.
    return try? StringsFile(parsing: Self.contents("\(folder)/\(language.rawValue).lproj/\(table).strings"))
  }

  /// A spare descriptor. If no other is left, it is closed to read the strings of the error message.
  private static let spare = Mutex<ReadableFile?>(nil)

  private static let keepsSpare = Atomic(false)

  /// Reserves a descriptor for reading messages when no other is left.
  public static func reserveMessageDescriptor() {
    keepsSpare.store(true, ordering: .relaxed)
    openSpare()
  }

  private static func openSpare() {
    guard keepsSpare.load(ordering: .relaxed) else { return }
    spare.withLock { if $0 == nil { $0 = ReadableFile("/dev/null") } }
  }

  private static func contents(_ path: String) -> [UInt8] {
    var file = ReadableFile(path)
    if file == nil, errno == EMFILE || errno == ENFILE {
      spare.withLock { $0 = nil }
      file = ReadableFile(path)
    }
    defer {
      file = nil
      openSpare()
    }
    return (try? file?.rest(atMost: FileBytes.largest)) ?? []
  }
}

/// The supported languages: each has a folder of strings, `<rawValue>.lproj`.
public enum Language: String, Hashable, Sendable, CaseIterable {
  /// English, also used for every unsupported language.
  case english = "en"
  /// 简体中文.
  case simplifiedChinese = "zh-Hans"
  /// 繁體中文, made from the strings in 简体中文 by `Scripts/make-traditional.py`.
  case traditionalChinese = "zh-Hant"

  /// Takes the language of messages from the environment in POSIX's order: `LC_ALL`, `LC_MESSAGES` or `LANG`, the first
  /// that is not empty (https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02).
  public init(environment: [String: String]) {
    let parts = Self.locale(in: environment).split(separator: "_")
    var name = parts.first ?? ""
    if name == "zh" {
      // A locale has the script, or a region in which one is usual.
      let isTraditional = parts.contains { ["hant", "tw", "hk", "mo"].contains($0) } && !parts.contains("hans")
      name = isTraditional ? "zh-hant" : "zh-hans"
    }
    self = Self.allCases.first { $0.rawValue.lowercased() == name } ?? .english
  }

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
