import TerminalKit

/// Reads a configuration. Invalid parts are reported by line, and the rest is used.
struct ConfigurationReader {
  private(set) var configuration = Configuration()
  private(set) var issues: [ConfigurationIssue] = []
  /// What the file sets, keyed by path.
  private(set) var accepted: [String: ConfigurationParser.Setting] = [:]
  /// Commands with user-defined keys, in the order of their lines.
  private var rebindings: [(command: Command, sequences: [KeySequence], line: Int)] = []

  private typealias Written = ConfigurationParser.Setting

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

  /// A file that cannot be read: the defaults apply.
  init(unreadable issue: ConfigurationIssue) { issues = [issue] }

  /// Returns true for the path of a table, including a table of keys such as `keys.form`.
  private static func isTable(_ path: String) -> Bool {
    let names = Setting.all.map(\.name) + Command.allCases.map { "keys." + $0.rawValue }
    return names.contains { $0.hasPrefix(path + ".") }
  }

  private mutating func apply(_ written: Written) {
    if let setting = Setting.named(written.path) {
      let found = setting.read(written.value, &configuration)
      for issue in found { report(issue.reason, written, issue.arguments, values: issue.values) }
      // Of a list, the right items are used.
      if found.isEmpty || setting.kind == .directories || configuration.columns != nil && setting.kind == .columns {
        accepted[written.path] = written
      }
    } else if written.path.hasPrefix("keys.") {
      applyKeys(written)
    } else {
      report(Self.isTable(written.path) ? .table : .unknown, written, [written.path])
    }
  }

  private mutating func applyKeys(_ written: Written) {
    let name = String(written.path.dropFirst("keys.".count))
    guard let command = Command(rawValue: name) else {
      return Self.isTable(written.path) ? report(.table, written, [written.path]) : report(.command, written, [name])
    }
    guard let notations = written.value.strings else { return report(.keyList, written, [name]) }
    let keys = configuration.keys
    let contexts = keys.bindings.filter { $0.action == command }.flatMap(\.contexts)
    var sequences: [KeySequence] = []
    for notation in notations {
      guard let sequence = KeySequence(notation: notation) else {
        report(.key, written, [notation])
        continue
      }
      guard contexts.contains(where: { keys.isUsable(sequence, in: $0) }) else {
        report(.typed, written, [notation])
        continue
      }
      sequences.append(sequence)
    }
    // If none of the keys is usable, the command keeps its default keys; an empty list removes them.
    if sequences.isEmpty, !notations.isEmpty { return }
    rebindings.append((command, sequences, written.line))
  }

  /// User-defined keys take precedence over default keys. If the user gives conflicting keys to two commands, the one
  /// that comes first in the file keeps its key, and the other key is reported.
  private mutating func bindKeys() {
    let own = Set(rebindings.map(\.command))
    for rebinding in rebindings { configuration.keys.rebind(rebinding.command, to: []) }
    for (command, sequences, line) in rebindings {
      var usable: [KeySequence] = []
      for sequence in sequences {
        let conflicting = configuration.keys.commands(conflictingWith: sequence, of: command)
        if let other = conflicting.first(where: own.contains) {
          issues.append(ConfigurationIssue(line: line, reason: .taken, arguments: [sequence.notation, other.rawValue]))
        } else {
          configuration.keys.remove(sequence, from: conflicting)
          usable.append(sequence)
        }
      }
      configuration.keys.rebind(command, to: usable)
      let path = "keys." + command.rawValue
      accepted[path] = Written(path: path, value: .strings(usable.map(\.notation)), line: line)
    }
  }

  private mutating func report(
    _ reason: ConfigurationIssue.Reason, _ written: Written, _ arguments: [String], values: [String] = []
  ) {
    issues.append(ConfigurationIssue(line: written.line, reason: reason, arguments: arguments, values: values))
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
