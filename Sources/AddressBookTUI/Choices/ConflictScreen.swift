import Contacts
import TerminalKit

/// The two versions of each field in conflict, and their common base: the user chooses one for each field, or enters
/// another value.
@MainActor
final class ConflictScreen: Screen {
  /// A version to choose from. Its name is part of string keys.
  enum Side: String, CaseIterable {
    case base, mine, theirs

    func value(in conflict: MergeConflict) -> MergeConflict.Value {
      switch self {
      case .base: conflict.base
      case .mine: conflict.mine
      case .theirs: conflict.theirs
      }
    }
  }

  /// The user's decision about a conflict.
  enum Decision: Hashable {
    case side(Side)
    /// Another value, entered by the user; in a list, a value with another label.
    case own(MergeConflict.Value)

    func value(in conflict: MergeConflict) -> MergeConflict.Value {
      switch self {
      case .side(let side): side.value(in: conflict)
      case .own(let value): value
      }
    }
  }

  private let conflicts: [MergeConflict]
  private(set) var decisions: [MergeConflict: Decision]
  private let name: String
  private let environment: AppEnvironment
  private let finish: @MainActor (ConflictScreen, _ saves: Bool) -> Void
  private var table: ChoiceTable
  private var message: String?

  /// - Parameters:
  ///   - decided: earlier decisions, perhaps about the same conflicts.
  ///   - finish: called when the user wants the decisions saved, or goes back.
  init(
    _ conflicts: [MergeConflict], decided: [MergeConflict: Decision] = [:], name: String, environment: AppEnvironment,
    finish: @escaping @MainActor (ConflictScreen, _ saves: Bool) -> Void
  ) {
    self.conflicts = conflicts
    self.name = name
    self.environment = environment
    self.finish = finish
    decisions = [:]
    table = ChoiceTable(theme: environment.theme, strings: environment.strings)
    table.caption = environment.strings("conflict.howTo")
    table.columns = Side.allCases.map {
      let title = environment.strings("conflict.side." + $0.rawValue)
      return .init(title: title, short: title)
    }
    for conflict in conflicts { decisions[conflict] = decided[conflict] ?? Self.kept(conflict) }
    update()
    focusOpen()
  }

  private static func kept(_ conflict: MergeConflict) -> Decision? {
    switch conflict.kept {
    case .each: nil
    case .mine: .side(.mine)
    case .theirs: .side(.theirs)
    }
  }

  /// Returns the chosen value of a conflict.
  func value(_ conflict: MergeConflict) -> MergeConflict.Value {
    decisions[conflict]?.value(in: conflict) ?? conflict.mine
  }

  /// Shows why nothing was saved, or why a typed value is not valid.
  func show(_ reason: String) { message = reason }

  private func decide(_ decision: Decision) {
    decisions[conflicts[table.row]] = decision
    update()
  }

  private var openCount: Int { conflicts.count { decisions[$0] == nil } }

  private func focusOpen() {
    if let open = conflicts.firstIndex(where: { decisions[$0] == nil }) { table.focus(row: open) }
  }

  // MARK: Events

  var keyContext: KeyContext { table.editor == nil ? .conflict : .conflictText }

  func perform(_ command: Command, in context: ScreenContext) {
    message = nil
    switch command {
    case .conflictNext: table.move(rows: 1)
    case .conflictPrevious: table.move(rows: -1)
    case .conflictMine: decide(.side(.mine))
    case .conflictTheirs: decide(.side(.theirs))
    case .conflictBase: decide(.side(.base))
    case .conflictEdit: edit()
    case .conflictSave: save()
    case .conflictBack: finish(self, false)
    case .conflictKeep: keep()
    case .conflictDrop: table.editor = nil
    default: break
    }
  }

  func type(_ key: Key, in context: ScreenContext) {
    message = nil
    if case .field? = table.editor, key.code == .enter { return keep() }
    let columns = table.enteredColumns
    _ = table.editor?.handle(key, columns: columns)
  }

  func handle(_ event: Event, in context: ScreenContext) {
    switch event {
    case .paste(let text): table.editor?.insert(text)
    case .mouse(let mouse) where table.editor == nil:
      if mouse.action == .press { message = nil }
      if let column = table.handle(mouse) { decide(.side(Side.allCases[column])) }
    default: break
    }
  }

  private func save() {
    guard openCount == 0 else {
      message = environment.strings.count("conflict.stillOpen", openCount)
      return focusOpen()
    }
    finish(self, true)
  }

  // MARK: A typed value

  /// Opens an editor for the chosen value, or for mine if none is chosen. In a list, only the label can be changed; a
  /// photo, for example, or a whole contact cannot be edited.
  private func edit() {
    let conflict = conflicts[table.row]
    switch (conflict.subject, value(conflict)) {
    case (.field(.text(let field)), let value):
      var words = ""
      if case .text(let present) = value { words = present }
      table.editor = field.role == .prose ? .area(TextArea(words)) : .field(TextField(words))
    case (.field(.special(.birthday)), let value):
      var words = ""
      if case .day(let day) = value { words = DateEntry(environment.strings).text(of: day) }
      table.editor = .field(TextField(words))
    case (.field(.values(let list)), _): chooseLabel(of: .values(list), conflict)
    case (.field(.special(.addresses)), _): chooseLabel(of: .address, conflict)
    case (.field(.special), _), (.contact, _): message = environment.strings("conflict.onlyTaken")
    }
  }

  private func keep() {
    guard let text = table.editor?.text, case .field(let field) = conflicts[table.row].subject else { return }
    if case .text(let field) = field {
      decide(.own(.text(field.role == .prose ? text : text.trimmed)))
    } else {
      let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let day = DateEntry(environment.strings).day(trimmed)
      guard day != nil || trimmed.isEmpty else { return show(environment.strings("form.birthday.unreadable")) }
      decide(.own(day.map(MergeConflict.Value.day) ?? .none))
    }
    table.editor = nil
  }

  private func chooseLabel(of field: MultiField, _ conflict: MergeConflict) {
    for value in [value(conflict), conflict.mine, conflict.theirs, conflict.base] {
      switch value {
      case .labeled(var item):
        return environment.chooseLabel(of: field, present: item.label) { [self] in
          item.label = $0
          decide(.own(.labeled(item)))
        }
      case .address(var address):
        return environment.chooseLabel(of: field, present: address.label) { [self] in
          address.label = $0
          decide(.own(.address(address)))
        }
      default: continue
      }
    }
  }

  // MARK: Drawing

  private func update() {
    let text = ValueText(strings: environment.strings)
    table.rows = conflicts.map { conflict in
      let decision = decisions[conflict]
      var row = ChoiceTable.Row(
        name: text.name(of: conflict),
        values: zip(Side.allCases, sides(of: conflict, text)).map { side, lines in
          let isChosen = decision == .side(side)
          return .init(lines: lines, isChosen: isChosen, isQuiet: decision != nil && !isChosen)
        })
      if case .own(let value) = decision { row.entered = text.lines(of: value, in: conflict) }
      return row
    }
  }

  /// Returns the lines of the three versions. In free text, an ellipsis replaces all common lines at the beginning
  /// except the last.
  private func sides(of conflict: MergeConflict, _ text: ValueText) -> [[String]] {
    let sides = Side.allCases.map { text.lines(of: $0.value(in: conflict), in: conflict) }
    guard case .field(.text(let field)) = conflict.subject, field.role == .prose else { return sides }
    let shortest = sides.map(\.count).min() ?? 0
    let shared = (0..<shortest).prefix { line in sides.allSatisfy { $0[line] == sides[0][line] } }.count
    return shared > 1 ? sides.map { ["…"] + $0.dropFirst(shared - 1) } : sides
  }

  func prepare(in rect: Rect) { table.layOut(in: rect.inset(top: 1, bottom: 1)) }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let strings = environment.strings
    canvas.fill(rect, style: environment.theme.text)
    let count = strings("conflict.decided", String(conflicts.count - openCount), String(conflicts.count))
    Bars(theme: environment.theme).drawTitle(
      strings("conflict.title", name), right: count, isRightNeeded: true, on: &canvas, in: rect.line(0))
    table.draw(on: &canvas)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    message.map { BottomLine($0, isError: true) } ?? BottomLine(hints: hints)
  }

  private var hints: [Hint] {
    environment.hints(
      table.editor == nil
        ? [.conflictMine, .conflictTheirs, .conflictSave, .conflictBase, .conflictEdit, .conflictBack]
        : [.conflictKeep, .conflictDrop], in: keyContext)
  }
}
