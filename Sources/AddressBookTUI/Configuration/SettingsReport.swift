import Glibc
import Messages
import SystemCalls

/// The settings in use, where each comes from, and what is wrong in the file.
package struct SettingsReport: Sendable {
  /// Where a value comes from.
  package enum Source: Equatable, Sendable {
    /// The program.
    case standard
    /// A line of the file, from 1.
    case file(line: Int)
    /// A variable of the environment.
    case variable(String)
  }

  /// A setting in use.
  package struct Item: Sendable {
    /// Its name, after the name of its table, if it is in one: `theme`, `search.t9`.
    package let name: String
    /// Its value as written in the file, which is JSON too; nil if it has none.
    package let value: String?
    /// Where the value comes from.
    package let source: Source
  }

  /// Something in the file that cannot be used.
  package struct Issue: Sendable {
    /// From 1; 0 for the whole file.
    package let line: Int
    /// In the user's language.
    package let message: String
  }

  /// The path of the file, whether it exists or not; nil if there is no home folder.
  package let path: String?
  /// Whether the file exists.
  package let exists: Bool
  /// Every setting, and the keys that the file sets.
  package let items: [Item]
  /// What cannot be used, by line.
  package let issues: [Issue]

  /// Reads the settings of this process.
  package init(localization: Localization) {
    let folders = UserFolders.ofProcess
    let file = ConfigurationFile.read(in: folders.configuration)
    let strings = Strings(localization)
    path = folders.configuration.map(ConfigurationFile.path)
    exists = path.map { access($0, F_OK) == 0 } ?? false
    issues = file.issues.map { Issue(line: $0.line, message: $0.what(strings)) }
    let settings = Setting.all.map { setting -> Item in
      let written = file.accepted[setting.name].map { ($0.value.notation, Source.file(line: $0.line)) }
      let (value, source) =
        Self.fromEnvironment(setting.name, isWritten: written != nil) ?? written
        ?? (setting.standard?.notation, .standard)
      return Item(name: setting.name, value: value, source: source)
    }
    let keys = file.accepted.values.filter { $0.path.hasPrefix("keys.") }.sorted { $0.line < $1.line }
    items = settings + keys.map { Item(name: $0.path, value: $0.value.notation, source: .file(line: $0.line)) }
  }

  /// What the environment says instead of the file, or, about the language, if the file says nothing.
  private static func fromEnvironment(_ name: String, isWritten: Bool) -> (value: String?, source: Source)? {
    func notation(_ text: String) -> String { Setting.Value.string(text).notation }
    switch name {
    case "theme" where !(ProcessEnvironment["NO_COLOR"] ?? "").isEmpty:
      return (notation(Theme.Name.monochrome.rawValue), .variable("NO_COLOR"))
    case "language" where !isWritten:
      let (language, variable) = Language.requested
      return (notation(language.rawValue), variable.map(Source.variable) ?? .standard)
    default: return nil
    }
  }
}

extension Setting {
  /// The values that it can have, in the user's language.
  func values(in localization: Localization) -> String {
    func text(_ key: String, _ arguments: Int...) -> String {
      localization.text("Setting/values." + key, arguments: arguments.map(String.init), table: "Command")
    }
    return switch kind {
    case .names(let names): localization.list(names)
    case .locale(let names):
      localization.text("Setting/values.locale", arguments: [localization.list(names)], table: "Command")
    case .several(let names):
      localization.text("Setting/values.several", arguments: [localization.list(names)], table: "Command")
    case .boolean: localization.list(["true", "false"])
    case .number(let range): text("range", range.lowerBound, range.upperBound)
    case .program: text("program")
    case .layout: text("layout")
    case .columns: text("columns")
    case .directories: text("directories")
    case .properties: text("properties")
    }
  }

  /// The default, without the quotation marks of a name; nil if there is none.
  var standardText: String? {
    if case .string(let name)? = standard { name } else { standard?.notation }
  }

  /// What it does, its values and its default, in the user's language.
  package func description(in localization: Localization) -> String {
    let values = values(in: localization)
    let notes =
      standardText.map { localization.text("Parser/valuesAndDefault", values, $0, table: "Command") }
      ?? localization.text("Parser/values", values, table: "Command")
    return localization.noted(localization.text("Setting/" + name, table: "Command"), notes)
  }
}
