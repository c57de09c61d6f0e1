import AddressBookModel
import BookInterchange
import ContactInterchange
import Contacts
import LDAPDirectory
import Messages
import TerminalKit

/// A setting in `config.toml`: a row of the table from which the reader of the file, the manual,
/// Documentation/Configuration.md and `addressbook config` are made. `Setting/NAME` in Command.strings describes it.
package struct Setting: Sendable {
  typealias Value = ConfigurationParser.Value

  /// What its value is.
  enum Kind: Equatable, Sendable {
    case names([String])
    case boolean
    case number(ClosedRange<Int>)
    /// A program and its arguments.
    case program
    case columns
    case directories
    /// Properties of vCards.
    case properties
    /// Keys of another keyboard, in vim's notation.
    case layout
    /// A list of these names.
    case several([String])
    /// One of these names, or another locale as a BCP 47 language tag.
    case locale([String])
  }

  /// Its name, after that of its table: `theme`, `search.t9`.
  package let name: String
  let kind: Kind
  /// The value without the file; nil if there is none, or if it depends on the system.
  let standard: Value?
  /// A value for the example of a file.
  let example: Value
  /// Sets the value, and returns what is wrong with it, without lines. A list is used without its wrong items.
  let read: @Sendable (Value, inout Configuration) -> [ConfigurationIssue]

  /// Every setting except the keys of commands, in the order of the manual.
  package static let all: [Setting] = [
    language,
    choice("theme", \.theme, example: .dark),
    choice("pictures", \.pictures, example: .auto),
    choice("links", \.links, example: .auto),
    choice("ambiguous_width", \.ambiguousWidth, example: .auto),
    sections,
    boolean("mouse", \.usesMouse, example: true),
    langmap,
    choice("sort", \.order, example: .name),
    columns,
    custom,
    number("scrolloff", \.scrollOff, 0...50),
    number("backups", \.backups, 0...366),
    number("trash_days", \.trashDays, 0...36_500),
    program("open", \.openCommand, standard: LinkOpener.standard, example: ["firefox", "{}"]),
    program("copy", \.copyCommand, example: ["wl-copy"]),
    directories,
    directoryPassword,
    program("open.web", \.openCommands[.web], example: ["firefox", "{}"]),
    program("open.mail", \.openCommands[.mail], example: ["mutt", "--", "{}"]),
    program("open.tel", \.openCommands[.tel], example: ["linphone", "{}"]),
    program("open.map", \.openCommands[.map], example: ["firefox", "{}"]),
    openTerminal,
    boolean("sync.start", \.syncsAtStart, example: true),
    number("sync.minutes", \.syncMinutes, 0...1440),
    boolean("search.fuzzy", \.searchesFuzzily, example: false),
    boolean("search.t9", \.searchesByPhoneKeys, example: true),
    choice("names.latin", \.names.latin, example: .given),
    choice("names.han", \.names.han, example: .family),
    choice("names.kana", \.names.kana, example: .family),
    choice("names.hangul", \.names.hangul, example: .family),
  ]

  static func named(_ name: String) -> Setting? { all.first { $0.name == name } }

  // MARK: - Kinds

  private typealias Path<Value> = WritableKeyPath<Configuration, Value> & Sendable

  private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Path<Choice>, example: Choice
  ) -> Setting {
    Setting(
      name: name, kind: .names(Choice.allCases.map(\.rawValue)),
      standard: .string(Configuration()[keyPath: path].rawValue), example: .string(example.rawValue)
    ) { value, configuration in
      guard let choice: Choice = chosen(value) else { return [refusal(name, value, of: Choice.self)] }
      configuration[keyPath: path] = choice
      return []
    }
  }

  private static func chosen<Choice: RawRepresentable<String>>(_ value: Value) -> Choice? {
    if case .string(let text) = value { Choice(rawValue: text) } else { nil }
  }

  private static func refusal<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ value: Value, of type: Choice.Type
  ) -> ConfigurationIssue {
    ConfigurationIssue(.choice, [name, value.text], values: Choice.allCases.map(\.rawValue))
  }

  private static func boolean(_ name: String, _ path: Path<Bool>, example: Bool) -> Setting {
    Setting(name: name, kind: .boolean, standard: .boolean(Configuration()[keyPath: path]), example: .boolean(example))
    {
      value, configuration in
      guard case .boolean(let isOn) = value else { return [ConfigurationIssue(.boolean, [name])] }
      configuration[keyPath: path] = isOn
      return []
    }
  }

  private static func number(_ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>) -> Setting {
    let standard = Value.number(Configuration()[keyPath: path])
    return Setting(name: name, kind: .number(range), standard: standard, example: standard) { value, configuration in
      guard case .number(let count) = value, range.contains(count) else {
        return [ConfigurationIssue(.number, [name, String(range.lowerBound), String(range.upperBound)])]
      }
      configuration[keyPath: path] = count
      return []
    }
  }

  /// A program and its arguments. Its name cannot contain the placeholder for an address.
  private static func program(
    _ name: String, _ path: Path<[String]?>, standard: [String]? = nil, example: [String]
  ) -> Setting {
    Setting(name: name, kind: .program, standard: standard.map(Value.strings), example: .strings(example)) {
      value, configuration in
      guard let words = value.words, let program = words.first, !program.isEmpty,
        !program.contains(LinkOpener.placeholder), !words.contains(where: { $0.contains("\0") })
      else { return [ConfigurationIssue(.program, [name, Value.strings(example).notation])] }
      configuration[keyPath: path] = words
      return []
    }
  }

  // MARK: - Settings of their own kind

  private static let language = Setting(
    name: "language", kind: .names(Language.allCases.map(\.rawValue)), standard: nil,
    example: .string(Language.english.rawValue)
  ) { value, configuration in
    guard let language: Language = chosen(value) else { return [refusal("language", value, of: Language.self)] }
    configuration.language = language
    return []
  }

  private static let sections: Setting = {
    let names = ["latin", "scripts", "cs", "da", "es", "sv", "zh-u-co-zhuyin", "zh-u-co-stroke"]
    return Setting(
      name: "sections", kind: .locale(names), standard: .string(Configuration().sections.rawValue),
      example: .string("scripts")
    ) { value, configuration in
      guard let sections: ContactSections = chosen(value) else {
        return [ConfigurationIssue(.choice, ["sections", value.text], values: names + ["…"])]
      }
      configuration.sections = sections
      return []
    }
  }()

  /// Adds to the keyboards that are known.
  private static let langmap = Setting(
    name: "langmap", kind: .layout, standard: nil, example: .string("שדגכ;asdf")
  ) { value, configuration in
    guard case .string(let text) = value, let layouts = KeyLayouts.standard.adding(langmap: text) else {
      return [ConfigurationIssue(.langmap, [value.text])]
    }
    configuration.layouts = layouts
    return []
  }

  /// Unknown columns are reported; the others are used if they include `name`.
  private static let columns = Setting(
    name: "columns", kind: .columns, standard: .strings(["name", "phone", "organization", "email"]),
    example: .strings(["name", "phone", "title", "address.city"])
  ) { value, configuration in
    guard case .list = value, let names = value.strings else { return [ConfigurationIssue(.columns)] }
    var columns: [ContactColumn] = []
    for case let column? in names.map({ ContactColumn($0) }) where !columns.contains(column) { columns.append(column) }
    let issues = names.filter { ContactColumn($0) == nil }.map { ConfigurationIssue(.columnOfList, [$0]) }
    guard columns.contains(.name) else { return issues + [ConfigurationIssue(.columnsOfName)] }
    configuration.columns = columns
    return issues
  }

  /// Every command reads these at its start (``PersonalSettings/applyLanguageAndFields()``); here, wrong ones are reported.
  private static let custom = Setting(
    name: "custom", kind: .properties, standard: nil, example: .strings(["X-SHIRT-SIZE"])
  ) { value, _ in
    guard let names = value.strings else { return [ConfigurationIssue(.custom, [value.text])] }
    return names.filter { CustomFields.property($0) == nil }.map { ConfigurationIssue(.custom, [$0]) }
  }

  private static let openTerminal: Setting = {
    let kinds = LinkAddress.Kind.allCases.map(\.rawValue)
    return Setting(
      name: "open.terminal", kind: .several(kinds), standard: nil, example: .strings([LinkAddress.Kind.mail.rawValue])
    ) { value, configuration in
      let chosen = value.strings?.map(LinkAddress.Kind.init)
      guard let chosen, !chosen.contains(nil) else {
        return [ConfigurationIssue(.choice, ["open.terminal", value.text], values: kinds)]
      }
      configuration.openInTerminal = Set(chosen.compactMap(\.self))
      return []
    }
  }()

  private static let directories = Setting(
    name: "directories", kind: .directories, standard: nil, example: .strings(["ldap://ldap.example.com"])
  ) { value, configuration in
    guard let addresses = value.strings else { return [ConfigurationIssue(.directories, [value.text])] }
    var issues: [ConfigurationIssue] = []
    for address in addresses {
      do {
        configuration.directories.append(try DirectoryURL(address))
      } catch {
        issues.append(ConfigurationIssue(.directories, [address]))
      }
    }
    return issues
  }

  private static let directoryPassword: Setting = {
    let example = Value.strings(["pass", "show", "ldap/{}"])
    return Setting(name: "directory_password", kind: .program, standard: nil, example: example) {
      value, configuration in
      guard let program = value.words.flatMap(PasswordProgram.init(words:)) else {
        return [ConfigurationIssue(.program, ["directory_password", example.notation])]
      }
      configuration.directoryPassword = program
      return []
    }
  }()

  // MARK: - The manual

  /// Names of the commands that keys can be bound to.
  package static var commandNames: [String] { Command.allCases.map(\.rawValue) }

  /// A whole configuration file, with a line for each setting and the keys of two commands.
  package static var exampleFile: String {
    var lines: [String] = []
    var table: Substring = ""
    // TOML has no value beside a table of the same name.
    for setting in all where !all.contains(where: { $0.name.hasPrefix(setting.name + ".") }) {
      let parts = setting.name.split(separator: ".")
      if parts.count == 2, parts[0] != table {
        table = parts[0]
        lines += ["", "[\(table)]"]
      }
      lines.append("\(parts[parts.count - 1]) = \(setting.example.notation)")
    }
    return (lines + ["", "[keys]", "moveDown = [\"j\", \"Down\", \"^N\"]", "\"form.save\" = [\"^S\", \"F2\"]"])
      .joined(separator: "\n")
  }
}

extension ConfigurationParser.Value {
  /// A list of strings.
  static func strings(_ texts: [String]) -> Self { .list(texts.map(Self.string)) }

  /// A string or a list of strings, as a list; nil for anything else.
  var strings: [String]? {
    switch self {
    case .string(let text): return [text]
    case .list(let items):
      let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
      return texts.count == items.count ? texts : nil
    case .boolean, .number: return nil
    }
  }

  /// The words of a program: the items of a list, or a string split at blanks, of which those between two quotation
  /// marks, `"` or `'`, belong to a word. Nothing else has a meaning. Nil for anything else, and without the second
  /// quotation mark.
  var words: [String]? {
    guard case .string(let text) = self else { return strings }
    var words: [String] = []
    var word: String?
    var quotationMark: Character?
    for character in text {
      if character == quotationMark {
        quotationMark = nil
      } else if quotationMark == nil, character == "\"" || character == "'" {
        quotationMark = character
        word = word ?? ""
      } else if quotationMark == nil, character == " " || character == "\t" {
        words += [word].compactMap(\.self)
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return quotationMark == nil ? words + [word].compactMap(\.self) : nil
  }

  /// The value as shown in a message.
  var text: String {
    switch self {
    case .string(let text): text
    case .boolean(let isOn): String(isOn)
    case .number(let number): String(number)
    case .list(let items): "[" + items.map(\.text).joined(separator: ", ") + "]"
    }
  }

  /// The value as written in the file, which is JSON too.
  var notation: String {
    switch self {
    case .string(let text): "\"" + text.unicodeScalars.map(Self.escaped).joined() + "\""
    case .list(let items): "[" + items.map(\.notation).joined(separator: ", ") + "]"
    case .boolean, .number: text
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\" + String(scalar)
    case "\0"..<" ", "\u{7F}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(scalar)
    }
  }
}
