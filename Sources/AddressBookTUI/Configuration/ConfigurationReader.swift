import AddressBookModel
import BookInterchange
import Contacts
import LDAPDirectory
import Messages
import TerminalKit

/// Reads a configuration. Invalid parts are reported by line, and the rest is used.
struct ConfigurationReader {
  private(set) var configuration = Configuration()
  private(set) var issues: [ConfigurationIssue] = []
  /// Commands with user-defined keys, in the order of their lines.
  private var rebindings: [(command: Command, sequences: [KeySequence], line: Int)] = []

  private typealias Setting = ConfigurationParser.Setting

  /// Reads the text of a configuration file.
  init(_ text: String) {
    let parser = ConfigurationParser(text)
    issues = parser.brokenLines.map { ConfigurationIssue(line: $0, reason: .syntax) }
    let unknownTables = parser.tables.filter { !Self.isTable($0.path) }
    issues += unknownTables.map { ConfigurationIssue(line: $0.line, reason: .unknownTable, arguments: [$0.path]) }
    var lines: [String: Int] = [:]
    // Settings in an unknown table were reported with the table.
    for setting in parser.settings where !unknownTables.contains(where: { setting.path.hasPrefix($0.path + ".") }) {
      if let line = lines[setting.path] {
        report(.duplicate, setting, [setting.path, String(line)])
      } else {
        lines[setting.path] = setting.line
        apply(setting)
      }
    }
    bindKeys()
    issues.sort { $0.line < $1.line }
  }

  /// Returns true for the path of a table, including a table of keys such as `keys.form`.
  private static func isTable(_ path: String) -> Bool {
    path == "search" || path == "names" || path == "keys"
      || Command.allCases.contains { ("keys." + $0.rawValue).hasPrefix(path + ".") }
  }

  private mutating func apply(_ setting: Setting) {
    guard let name = SettingName(rawValue: setting.path) else {
      if setting.path.hasPrefix(SettingName.keys + ".") {
        applyKeys(setting)
      } else {
        report(Self.isTable(setting.path) ? .table : .unknown, setting, [setting.path])
      }
      return
    }
    switch name {
    case .language: applyLanguage(setting)
    case .theme: applyName(setting, \.theme, orReport: .theme)
    case .pictures: applyName(setting, \.pictures, orReport: .pictures)
    case .links: applyName(setting, \.links, orReport: .links)
    case .ambiguousWidth: applyName(setting, \.ambiguousWidth, orReport: .ambiguousWidth)
    case .sections: applyName(setting, \.sections, orReport: .sections)
    case .mouse: applyBoolean(setting, \.usesMouse)
    case .sort: applyName(setting, \.order, orReport: .sort)
    case .columns: applyColumns(setting)
    case .latinNames: applyName(setting, \.names.latin, orReport: .nameOrder)
    case .hanNames: applyName(setting, \.names.han, orReport: .nameOrder)
    case .kanaNames: applyName(setting, \.names.kana, orReport: .nameOrder)
    case .hangulNames: applyName(setting, \.names.hangul, orReport: .nameOrder)
    case .backups: applyNumber(setting, \.backups, atMost: 366, orReport: .backups)
    case .trashDays: applyNumber(setting, \.trashDays, atMost: 36_500, orReport: .trashDays)
    case .fuzzy: applyBoolean(setting, \.searchesFuzzily)
    case .t9: applyBoolean(setting, \.searchesByPhoneKeys)
    case .open: applyOpenCommand(setting)
    case .copy: applyCopyCommand(setting)
    case .directories: applyDirectories(setting)
    case .directoryPassword: applyDirectoryPassword(setting)
    }
  }

  private mutating func applyName<Name: RawRepresentable & CaseIterable>(
    _ setting: Setting, _ path: WritableKeyPath<Configuration, Name>, orReport reason: ConfigurationIssue.Reason
  ) where Name.RawValue == String {
    if case .string(let text) = setting.value, let name = Name(rawValue: text) {
      configuration[keyPath: path] = name
    } else {
      report(reason, setting, [setting.value.text], values: Name.allCases.map(\.rawValue))
    }
  }

  private mutating func applyLanguage(_ setting: Setting) {
    if case .string(let text) = setting.value, let language = Language(rawValue: text) {
      configuration.language = language
    } else {
      report(.language, setting, [setting.value.text], values: Language.allCases.map(\.rawValue))
    }
  }

  private mutating func applyBoolean(_ setting: Setting, _ path: WritableKeyPath<Configuration, Bool>) {
    if case .boolean(let isOn) = setting.value {
      configuration[keyPath: path] = isOn
    } else {
      report(.boolean, setting, [setting.path])
    }
  }

  private mutating func applyNumber(
    _ setting: Setting, _ path: WritableKeyPath<Configuration, Int>, atMost limit: Int,
    orReport reason: ConfigurationIssue.Reason
  ) {
    if case .number(let count) = setting.value, (0...limit).contains(count) {
      configuration[keyPath: path] = count
    } else {
      report(reason, setting, [])
    }
  }

  /// Applies a program and its arguments; the name of the program cannot contain the placeholder for the address.
  private mutating func applyOpenCommand(_ setting: Setting) {
    guard let words = setting.value.strings, let program = words.first, !program.isEmpty,
      !program.contains(LinkOpener.placeholder), !words.contains(where: { $0.contains("\0") })
    else { return report(.openCommand, setting, []) }
    configuration.openCommand = words
  }

  /// Applies a program and its arguments; the program reads the text from its standard input.
  private mutating func applyCopyCommand(_ setting: Setting) {
    guard let words = setting.value.strings, let program = words.first, !program.isEmpty,
      !words.contains(where: { $0.contains("\0") })
    else { return report(.copyCommand, setting, []) }
    configuration.copyCommand = words
  }

  /// Applies a directory URL, or a list of them. Invalid ones are reported; the others are used.
  private mutating func applyDirectories(_ setting: Setting) {
    guard let addresses = setting.value.strings else { return report(.directories, setting, [setting.value.text]) }
    for address in addresses {
      do {
        configuration.directories.append(try DirectoryURL(address))
      } catch {
        report(.directories, setting, [address])
      }
    }
  }

  /// Applies a list of columns. Unknown ones are reported; the others are used if they include `name`.
  private mutating func applyColumns(_ setting: Setting) {
    guard case .list = setting.value, let names = setting.value.strings else { return report(.columns, setting, []) }
    var columns: [ContactColumn] = []
    for name in names {
      if let column = ContactColumn(name) {
        if !columns.contains(column) { columns.append(column) }
      } else {
        report(.columnOfList, setting, [name])
      }
    }
    guard columns.contains(.name) else { return report(.columnsOfName, setting, []) }
    configuration.columns = columns
  }

  private mutating func applyDirectoryPassword(_ setting: Setting) {
    guard let program = setting.value.strings.flatMap(PasswordProgram.init(words:)) else {
      return report(.directoryPassword, setting, [])
    }
    configuration.directoryPassword = program
  }

  private mutating func applyKeys(_ setting: Setting) {
    let name = String(setting.path.dropFirst("keys.".count))
    guard let command = Command(rawValue: name) else {
      return Self.isTable(setting.path) ? report(.table, setting, [setting.path]) : report(.command, setting, [name])
    }
    guard let notations = setting.value.strings else { return report(.keyList, setting, [name]) }
    let keys = configuration.keys
    let contexts = keys.bindings.filter { $0.action == command }.flatMap(\.contexts)
    var sequences: [KeySequence] = []
    for notation in notations {
      guard let sequence = KeySequence(notation: notation) else {
        report(.key, setting, [notation])
        continue
      }
      guard contexts.contains(where: { keys.isUsable(sequence, in: $0) }) else {
        report(.typed, setting, [notation])
        continue
      }
      sequences.append(sequence)
    }
    // If none of the keys is usable, the command keeps its default keys; an empty list removes them.
    if sequences.isEmpty, !notations.isEmpty { return }
    rebindings.append((command, sequences, setting.line))
  }

  /// User-defined keys take precedence over default keys. If the user gives conflicting keys to two commands, the one
  /// that comes first in the file keeps its key, and the other key is reported.
  private mutating func bindKeys() {
    let own = Set(rebindings.map(\.command))
    for rebinding in rebindings { configuration.keys.rebind(rebinding.command, to: []) }
    for (command, sequences, line) in rebindings {
      var accepted: [KeySequence] = []
      for sequence in sequences {
        let conflicting = configuration.keys.commands(conflictingWith: sequence, of: command)
        if let other = conflicting.first(where: own.contains) {
          issues.append(ConfigurationIssue(line: line, reason: .taken, arguments: [sequence.notation, other.rawValue]))
        } else {
          configuration.keys.remove(sequence, from: conflicting)
          accepted.append(sequence)
        }
      }
      configuration.keys.rebind(command, to: accepted)
    }
  }

  private mutating func report(
    _ reason: ConfigurationIssue.Reason, _ setting: Setting, _ arguments: [String], values: [String] = []
  ) {
    issues.append(ConfigurationIssue(line: setting.line, reason: reason, arguments: arguments, values: values))
  }
}

extension ConfigurationParser.Value {
  /// A string or a list of strings, as a list; nil for anything else.
  fileprivate var strings: [String]? {
    switch self {
    case .string(let text): return [text]
    case .list(let items):
      let texts = items.compactMap { if case .string(let text) = $0 { text } else { nil } }
      return texts.count == items.count ? texts : nil
    case .boolean, .number: return nil
    }
  }

  /// The value as shown in a message.
  fileprivate var text: String {
    switch self {
    case .string(let text): text
    case .boolean(let isOn): String(isOn)
    case .number(let number): String(number)
    case .list(let items): "[" + items.map(\.text).joined(separator: ", ") + "]"
    }
  }
}

extension KeyMap<Command, KeyContext> {
  /// Returns the other commands whose keys conflict with the sequence in a context where this command can use it.
  fileprivate func commands(conflictingWith sequence: KeySequence, of command: Command) -> Set<Command> {
    let contexts = Set(bindings.filter { $0.action == command }.flatMap(\.contexts))
      .filter { isUsable(sequence, in: $0) }
    let found = bindings.filter { binding in
      binding.action != command && !binding.contexts.isDisjoint(with: contexts)
        && binding.sequences.contains { $0.conflicts(with: sequence) }
    }
    return Set(found.map(\.action))
  }

  /// Removes from these commands the keys that conflict with the sequence.
  fileprivate mutating func remove(_ sequence: KeySequence, from commands: Set<Command>) {
    for command in commands {
      let kept = bindings.filter { $0.action == command }.flatMap(\.sequences).filter { !$0.conflicts(with: sequence) }
      rebind(command, to: kept)
    }
  }
}
