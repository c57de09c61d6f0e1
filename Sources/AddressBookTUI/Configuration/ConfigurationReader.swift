import TOMLKit
import TerminalKit

/// Reads the text of a configuration file. What cannot be used is reported with its line, and the rest holds.
struct ConfigurationReader {
  private(set) var configuration = Configuration()
  private(set) var issues: [ConfigurationIssue] = []
  private var lines = ConfigurationLines("")
  /// Commands with keys of the person's own, in the order of their lines.
  private var rebindings: [(command: Command, sequences: [KeySequence], line: Int)] = []

  /// More broken lines than this are a file of another kind.
  private static let brokenLineLimit = 50

  /// Reads a text.
  init(_ text: String) {
    lines = ConfigurationLines(text)
    guard let table = parse(text) else { return }
    for (path, value) in Self.flattened(table, under: "").sorted(by: { line(of: $0.path) < line(of: $1.path) }) {
      take(path, value)
    }
    bindKeys()
    issues.sort { $0.line < $1.line }
  }

  /// The document. A line that is not TOML is blanked, and the others are read without it.
  private mutating func parse(_ text: String) -> TOMLTable? {
    // By bytes: a line may end with "\r\n", which is one character.
    var rest = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    for index in ConfigurationSyntax(rest).brokenLines {
      issues.append(ConfigurationIssue(line: index + 1, reason: .syntax))
      rest[index] = ""
    }
    for _ in 0..<Self.brokenLineLimit {
      do {
        return try TOMLTable(string: rest.joined(separator: "\n") + "\n")
      } catch let error as TOMLParseError {
        // An error may be noticed at the beginning of the line after the one that lacks something.
        var index = min(max(0, error.source.begin.line - 1), rest.count - 1)
        while index > 0, rest[index].allSatisfy(\.isWhitespace) { index -= 1 }
        guard !rest[index].allSatisfy(\.isWhitespace) else { break }
        issues.append(ConfigurationIssue(line: index + 1, reason: .syntax))
        rest[index] = ""
      } catch {
        break
      }
    }
    if issues.isEmpty { issues.append(ConfigurationIssue(line: 0, reason: .syntax)) }
    return nil
  }

  /// Values by their dotted names, so that `[keys]` with `form.save`, `"form.save"` or `[keys.form]` all mean the same.
  private static func flattened(_ table: TOMLTable, under prefix: String) -> [(
    path: String, value: TOMLValueConvertible
  )] {
    var values: [(path: String, value: TOMLValueConvertible)] = []
    for key in table.keys {
      guard let value = table[key] else { continue }
      let path = prefix.isEmpty ? key : prefix + "." + key
      if let inner = value.table {
        values += flattened(inner, under: path)
      } else {
        values.append((path, value))
      }
    }
    return values
  }

  private func line(of path: String) -> Int { lines.line(of: path) }

  private mutating func take(_ path: String, _ value: TOMLValueConvertible) {
    switch path {
    case "theme": takeName(path, value, \.theme, orReport: .theme)
    case "pictures": takeName(path, value, \.pictures, orReport: .pictures)
    case "mouse": takeBoolean(path, value, \.usesMouse)
    case "search.fuzzy": takeBoolean(path, value, \.searchesFuzzily)
    case "search.t9": takeBoolean(path, value, \.searchesByPhoneKeys)
    case "open": takeOpenCommand(path, value)
    case "copy": takeCopyCommand(path, value)
    case let path where path.hasPrefix("keys."): takeKeys(path, value)
    default: report(.unknown, at: path, [path])
    }
  }

  private mutating func takeName<Name: RawRepresentable & CaseIterable>(
    _ path: String, _ value: TOMLValueConvertible, _ setting: WritableKeyPath<Configuration, Name>,
    orReport reason: ConfigurationIssue.Reason
  ) where Name.RawValue == String {
    if let name = value.string.flatMap(Name.init(rawValue:)) {
      configuration[keyPath: setting] = name
    } else {
      let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
      report(reason, at: path, [value.string ?? value.debugDescription, names])
    }
  }

  private mutating func takeBoolean(
    _ path: String, _ value: TOMLValueConvertible, _ setting: WritableKeyPath<Configuration, Bool>
  ) {
    if let isOn = value.bool {
      configuration[keyPath: setting] = isOn
    } else {
      report(.boolean, at: path, [path])
    }
  }

  /// A program and its arguments; the place of the address cannot be that of the program.
  private mutating func takeOpenCommand(_ path: String, _ value: TOMLValueConvertible) {
    guard let words = Self.strings(value), let program = words.first, !program.isEmpty,
      !program.contains(LinkOpener.place), !words.contains(where: { $0.contains("\0") })
    else { return report(.openCommand, at: path, []) }
    configuration.openCommand = words
  }

  /// A program and its arguments; the text is its standard input.
  private mutating func takeCopyCommand(_ path: String, _ value: TOMLValueConvertible) {
    guard let words = Self.strings(value), let program = words.first, !program.isEmpty,
      !words.contains(where: { $0.contains("\0") })
    else { return report(.copyCommand, at: path, []) }
    configuration.copyCommand = words
  }

  /// A text or a list of texts; nil for anything else.
  private static func strings(_ value: TOMLValueConvertible) -> [String]? {
    if let one = value.string { return [one] }
    guard let list = value.array else { return nil }
    var texts: [String] = []
    for index in 0..<list.count {
      guard let text = list[index].string else { return nil }
      texts.append(text)
    }
    return texts
  }

  private mutating func takeKeys(_ path: String, _ value: TOMLValueConvertible) {
    let name = String(path.dropFirst("keys.".count))
    guard let command = Command(rawValue: name) else { return report(.command, at: path, [name]) }
    guard let notations = Self.strings(value) else { return report(.keyList, at: path, [name]) }
    let contexts = configuration.keys.bindings.filter { $0.action == command }.flatMap(\.contexts)
    var sequences: [KeySequence] = []
    for notation in notations {
      guard let sequence = KeySequence(notation: notation) else {
        report(.key, at: path, [notation])
        continue
      }
      if contexts.contains(where: { $0 != .list }), !sequence.canStandInText {
        report(.typed, at: path, [notation])
        continue
      }
      sequences.append(sequence)
    }
    // A list of which nothing is a key leaves the command its own keys; an empty one takes them away.
    if sequences.isEmpty, !notations.isEmpty { return }
    rebindings.append((command, sequences, line(of: path)))
  }

  /// Keys of the person's own win over those of the table; of two commands with the same, the first keeps it.
  private mutating func bindKeys() {
    let own = Set(rebindings.map(\.command))
    for rebinding in rebindings { configuration.keys.rebind(rebinding.command, to: []) }
    for (command, sequences, line) in rebindings {
      var accepted: [KeySequence] = []
      for sequence in sequences {
        let clashing = configuration.keys.commands(clashing: sequence, with: command)
        if let other = clashing.first(where: own.contains) {
          issues.append(ConfigurationIssue(line: line, reason: .taken, arguments: [sequence.notation, other.rawValue]))
        } else {
          configuration.keys.give(up: sequence, clashing)
          accepted.append(sequence)
        }
      }
      configuration.keys.rebind(command, to: accepted)
    }
  }

  private mutating func report(_ reason: ConfigurationIssue.Reason, at path: String, _ arguments: [String]) {
    issues.append(ConfigurationIssue(line: line(of: path), reason: reason, arguments: arguments))
  }
}

extension KeySequence {
  /// True when typing text cannot begin it.
  fileprivate var canStandInText: Bool {
    guard let first = keys.first, keys.count == 1 else { return false }
    if case .character = first.code { return !first.modifiers.isDisjoint(with: [.control, .alt]) }
    return true
  }

  fileprivate func clashes(with other: KeySequence) -> Bool {
    keys.starts(with: other.keys) || other.keys.starts(with: keys)
  }
}

extension KeyMap<Command, KeyContext> {
  /// Commands that the keys, or the beginning of them, already lead to where this command holds.
  fileprivate func commands(clashing sequence: KeySequence, with command: Command) -> Set<Command> {
    let contexts = Set(bindings.filter { $0.action == command }.flatMap(\.contexts))
    let found = bindings.filter { binding in
      binding.action != command && !binding.contexts.isDisjoint(with: contexts)
        && binding.sequences.contains { $0.clashes(with: sequence) }
    }
    return Set(found.map(\.action))
  }

  /// Takes the keys away from commands.
  fileprivate mutating func give(up sequence: KeySequence, _ commands: Set<Command>) {
    for command in commands {
      let kept = bindings.filter { $0.action == command }.flatMap(\.sequences).filter { !$0.clashes(with: sequence) }
      rebind(command, to: kept)
    }
  }
}
