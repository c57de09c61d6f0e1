import Contacts
import TerminalKit

/// The two versions of each field in conflict, and their common base: the user chooses one for each field, or enters
/// another value.
@MainActor
final class ConflictScreen: Screen {
  /// The editor of a custom value.
  enum Editor {
    case field(TextField)
    case area(TextArea)

    var text: String {
      switch self {
      case .field(let field): field.text
      case .area(let area): area.text
      }
    }
  }

  private var model: ConflictModel
  private let name: String
  private let environment: AppEnvironment
  private let view: ConflictView
  private let finish: @MainActor (ConflictScreen) -> Void
  private var editor: Editor?
  private var message: String?
  /// True if the user asked to save the decisions, false if the user went back; set before ``finish`` is called.
  private(set) var isSaving = false
  private var top = 0
  private var layout: ConflictView.Layout?

  /// - Parameter finish: called when the user wants the decisions saved, or goes back.
  init(
    _ model: ConflictModel, name: String, environment: AppEnvironment,
    finish: @escaping @MainActor (ConflictScreen) -> Void
  ) {
    self.model = model
    self.name = name
    self.environment = environment
    self.finish = finish
    view = ConflictView(theme: environment.theme, strings: environment.strings)
  }

  var decisions: [MergeConflict: ConflictModel.Decision] { model.decisions }

  func value(_ conflict: MergeConflict) -> MergeConflict.Value {
    model.rows.first { $0.conflict == conflict }?.decided ?? conflict.mine
  }

  /// Shows why nothing was saved, or why a typed value is not valid.
  func show(_ reason: String) { message = reason }

  // MARK: Events

  var keyContext: KeyContext { editor == nil ? .conflict : .conflictText }

  func perform(_ command: Command, in context: ScreenContext) {
    message = nil
    switch command {
    case .conflictNext: model.moveFocus(by: 1)
    case .conflictPrevious: model.moveFocus(by: -1)
    case .conflictMine: model.decide(.side(.mine))
    case .conflictTheirs: model.decide(.side(.theirs))
    case .conflictBase: model.decide(.side(.base))
    case .conflictEdit: edit()
    case .conflictSave: save()
    case .conflictBack:
      isSaving = false
      finish(self)
    case .conflictKeep: keep()
    case .conflictDrop: editor = nil
    default: break
    }
  }

  func type(_ key: Key, in context: ScreenContext) {
    message = nil
    switch editor {
    case .field(var field):
      if key.code == .enter { return keep() }
      if field.handle(key) { editor = .field(field) }
    case .area(var area):
      area.columns = view.ownColumns(in: layout?.rect.columns ?? 80)
      if area.handle(key) { editor = .area(area) }
    case nil: break
    }
  }

  func handle(_ event: Event, in context: ScreenContext) {
    switch (event, editor) {
    case (.paste(let text), .field(var field)):
      field.insert(text)
      editor = .field(field)
    case (.paste(let text), .area(var area)):
      area.insert(text)
      editor = .area(area)
    case (.mouse(let mouse), nil): handle(mouse)
    default: break
    }
  }

  private func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelDown: model.moveFocus(by: 1)
    case .wheelUp: model.moveFocus(by: -1)
    case .press where mouse.button == 0:
      guard let (row, side) = layout?.target(at: mouse.position) else { return }
      message = nil
      model.setFocus(row)
      if let side { model.decide(.side(side)) }
    case .press, .release, .drag: break
    }
  }

  private func save() {
    guard model.openCount == 0 else {
      message = environment.strings.count("conflict.stillOpen", model.openCount)
      return model.focusOpen()
    }
    isSaving = true
    finish(self)
  }

  // MARK: A typed value

  /// Opens an editor for the chosen value, or for mine if none is chosen. In a list, only the label can be changed; a
  /// photo, for example, or a whole contact cannot be edited.
  private func edit() {
    let row = model.focused
    let value = row.decided ?? row.conflict.mine
    switch row.conflict.subject {
    case .field(.text(let text)):
      var words = ""
      if case .text(let present) = value { words = present }
      editor = text.role == .prose ? .area(TextArea(words)) : .field(TextField(words))
    case .field(.special(.birthday)):
      var words = ""
      if case .day(let day) = value { words = DateEntry(environment.strings).text(of: day) }
      editor = .field(TextField(words))
    case .field(.values(let list)): chooseLabel(of: .values(list), row)
    case .field(.special(.addresses)): chooseLabel(of: .address, row)
    case .field(.special), .contact: message = environment.strings("conflict.onlyTaken")
    }
  }

  private func keep() {
    guard let text = editor?.text, case .field(let field) = model.focused.conflict.subject else { return }
    if case .text(let field) = field {
      model.decide(.own(.text(field.role == .prose ? text : text.trimmed)))
    } else {
      let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard let day = DateEntry(environment.strings).day(trimmed) else {
        guard trimmed.isEmpty else { return show(environment.strings("form.birthday.unreadable")) }
        editor = nil
        return model.decide(.own(.none))
      }
      model.decide(.own(.day(day)))
    }
    editor = nil
  }

  private func chooseLabel(of field: MultiField, _ row: ConflictModel.Row) {
    let values = [row.decided ?? .none, row.conflict.mine, row.conflict.theirs, row.conflict.base]
    for value in values {
      switch value {
      case .labeled(var item):
        return environment.chooseLabel(of: field, present: item.label) { [self] in
          item.label = $0
          model.decide(.own(.labeled(item)))
        }
      case .address(var address):
        return environment.chooseLabel(of: field, present: address.label) { [self] in
          address.label = $0
          model.decide(.own(.address(address)))
        }
      default: continue
      }
    }
  }

  // MARK: Drawing

  func prepare(in rect: Rect) {
    let layout = view.layout(model, editor: editor, from: top, in: rect.inset(top: 1, bottom: 1))
    top = layout.top
    self.layout = layout
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    guard let layout else { return }
    let strings = environment.strings
    canvas.fill(rect, style: environment.theme.text)
    let bars = Bars(theme: environment.theme)
    let count = strings("conflict.decided", String(model.rows.count - model.openCount), String(model.rows.count))
    bars.drawTitle(strings("conflict.title", name), right: count, isRightNeeded: true, on: &canvas, in: rect.line(0))
    view.draw(layout, editor: editor, on: &canvas)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    message.map { BottomLine($0, isError: true) } ?? BottomLine(hints: hints)
  }

  private var hints: [Hint] {
    environment.hints(
      editor == nil
        ? [.conflictMine, .conflictTheirs, .conflictSave, .conflictBase, .conflictEdit, .conflictBack]
        : [.conflictKeep, .conflictDrop], in: keyContext)
  }
}
