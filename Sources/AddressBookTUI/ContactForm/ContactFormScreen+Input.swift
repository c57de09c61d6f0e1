import AddressBookModel
import TerminalKit

/// Keys, commands and the mouse in the form.
extension ContactFormScreen {
  /// Handles a key that is not bound to a command: it edits the focused row, moves the focus or presses a button.
  func edit(by key: Key) {
    let isPlain = key.modifiers.isEmpty
    switch key.code {
    case .enter where isPlain && isPhoto: choosePhoto()
    case .character(" ") where isPhoto: choosePhoto()
    case .enter where isPlain:
      if model.complete() { return }
      if isButton {
        act(on: .formAdd)
      } else if !handleInEditor(key) {
        model.moveFocus(by: 1)
      }
    case .character(" ") where isButton: act(on: .formAdd)
    case .down: if !handleInEditor(key) { model.moveFocus(by: 1) }
    case .up: if !handleInEditor(key) { model.moveFocus(by: -1) }
    case .pageDown: model.moveFocus(by: 8)
    case .pageUp: model.moveFocus(by: -8)
    default:
      if key.typesText { addEmptyValueIfNeeded() }
      _ = handleInEditor(key)
    }
  }

  /// Adds a value if the button that adds one is focused, so that typing on `+ add a phone number` fills in a new phone
  /// number. On `+ more name fields` typing fills in the first of the fields that appear.
  func addEmptyValueIfNeeded() {
    switch model.rows[model.focus].identity {
    case .adder(let field): model.add(field)
    case .moreNames: model.showAllNames()
    case .kind, .photo, .single, .value, .address: break
    }
  }

  func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelDown: scroll(by: ListSelection.wheelStep)
    case .wheelUp: scroll(by: -ListSelection.wheelStep)
    case .press where mouse.button == 0 && bottom.contains(mouse.position): message = nil
    case .press where mouse.button == 0:
      guard let row = layout.rows(of: model, top: top, in: body).first(where: { $0.rect.contains(mouse.position) })
      else { return }
      message = nil
      model.setFocus(row.index)
      press(model.rows[row.index], in: row.rect, at: mouse.position)
    case .press, .release, .drag: break
    }
  }

  private func scroll(by lines: Int) {
    let (top, focus) = layout.scrolled(model, from: top, by: lines, in: body)
    self.top = top
    model.setFocus(focus)
  }

  private func press(_ row: FormRow, in rect: Rect, at position: Point) {
    let value = layout.value(of: row, in: rect)
    if case .button = row.editor {
      act(on: .formAdd)
    } else if let kind = view.kind(at: position, in: value), row.identity == .kind {
      model.choose(kind.rawValue)
    } else if value.contains(position) {
      model.moveCursor(
        toRow: position.row - value.row, column: position.column - value.column,
        in: Size(rows: value.rows, columns: value.columns))
    } else if row.showsLabel, position.column < value.column, position.row == value.row {
      chooseLabel()
    }
  }

  var isPhoto: Bool { model.rows[model.focus].identity == .photo }

  private var isButton: Bool {
    if case .button = model.rows[model.focus].editor { return true }
    return false
  }

  private func handleInEditor(_ key: Key) -> Bool {
    model.handle(key, columns: layout.valueColumns(in: body.columns))
  }

  func act(on command: Command) {
    switch command {
    case .formNext: if !model.complete() { model.moveFocus(by: 1) }
    case .formPrevious: model.moveFocus(by: -1)
    case .formSave: saveNow()
    case .formCancel: cancel()
    case .formLabel: chooseLabel()
    case .formAdd where isPhoto: choosePhoto()
    case .formAdd where model.rows[model.focus].identity == .moreNames: model.showAllNames()
    case .formAdd where model.isInGroups: chooseGroup()
    case .formAdd: if let field = model.rows[model.focus].multiField { go(to: .added(field)) }
    case .formRemove: remove()
    case .formUndo: go({ $0.undo() }, orSay: "status.nothingToUndo")
    case .formRedo: go({ $0.redo() }, orSay: "status.nothingToRedo")
    case .formJump: chooseField()
    case .formContact: chooseContact()
    case .formMoveUp: _ = model.moveFocused(-1)
    case .formMoveDown: _ = model.moveFocused(1)
    default: break
    }
  }

  /// Removes the focused value, and says how to take that back.
  private func remove() {
    guard model.removeFocused() else { return }
    let undo = environment.keys.label(of: .formUndo, in: .form)
    let text = environment.strings("form.removed")
    message = (undo.isEmpty ? text : environment.strings("status.undoable", text, undo), false)
  }

  private func choosePhoto() {
    environment.screens.push(
      PhotoChooserScreen(environment: environment) { [self] in
        model.photo = .set(Photo($0))
        inputDidChange()
      })
  }

  private func chooseLabel() {
    let row = model.rows[model.focus]
    guard row.serial != nil, let field = row.multiField else { return }
    environment.chooseLabel(of: field, present: row.label) { [self] in
      model.setLabel($0)
      inputDidChange()
    }
  }

  private func chooseGroup() {
    let groups = model.otherGroups
    environment.choose(
      title: environment.strings("groups.join"), items: groups, ownText: environment.strings("groups.new")
    ) { [self] choice in
      switch choice {
      case .item(let index): model.addGroup(groups[index])
      case .own(let name): model.addGroup(name)
      }
      inputDidChange()
    }
  }

  /// Lets the user choose the field to go to.
  private func chooseField() {
    let list = FormFieldList(model, strings: environment.strings)
    let state = ChooserState(
      title: environment.strings("form.jump"), items: list.items.map(\.withPinyin),
      selected: list.targets.firstIndex(of: .row(model.rows[model.focus].identity)) ?? 0, isRanked: true,
      texts: environment.chooserTexts(placeholder: environment.strings("chooser.typeToFilter")))
    environment.screens.push(
      Chooser(state, context: .chooser, style: environment.theme.widgets) { [self] choice in
        guard case .item(let index) = choice else { return }
        go(to: list.targets[index])
        inputDidChange()
      })
  }

  private func go(to target: FormFieldList.Target) {
    model.go(to: target)
    if case .added(let field) = target, field.choosesLabelFirst { chooseLabel() }
  }
}
