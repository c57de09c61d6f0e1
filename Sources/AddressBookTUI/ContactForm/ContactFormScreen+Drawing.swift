import AddressBookModel
import TerminalKit

/// The window of the form: its title, its rows, the photo and the hints.
extension ContactFormScreen {
  /// The area of the photo: to the right of the values, if the window has room.
  private func pictureRect(in rect: Rect) -> Rect? {
    guard environment.showsPhotos, rect.columns >= 108, rect.rows >= 14 else { return nil }
    return Rect(row: rect.row + (notice.isEmpty ? 2 : 3), column: rect.endColumn - 18, rows: 8, columns: 16)
  }

  func prepare(in rect: Rect) {
    body = rect.inset(top: notice.isEmpty ? 1 : 2, bottom: 1)
    bottom = rect.line(rect.rows - 1)
    top = layout.top(for: model, from: top, in: body)
    picture = pictureRect(in: rect).map { area in
      let avatars = environment.avatars
      return switch model.photo {
      case .keep: avatars.picture(of: model.contact, columns: area.columns, rows: area.rows)
      case .remove: avatars.initial(of: model.contact, columns: area.columns, rows: area.rows)
      case .set(let photo):
        avatars.picture(photo, of: model.contact, columns: area.columns, rows: area.rows)
      }
    }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let strings = environment.strings
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    let isNew = model.original.id == 0
    let title =
      isNew ? strings("form.title.add") : strings("form.title.edit", environment.names.name(of: model.original))
    bars.drawTitle(
      title, detail: model.isChanged ? strings("form.unsaved") : "",
      right: strings("form.section", environment.sectionTitle(of: model.contact)), on: &canvas, in: rect.line(0))
    if !notice.isEmpty {
      let line = rect.line(1)
      canvas.put(
        "! " + notice, at: Point(row: line.row, column: 1), limit: max(0, line.columns - 2), style: theme.accent)
    }
    view.draw(model, top: top, on: &canvas, in: body)
    if let picture, let area = pictureRect(in: rect) { canvas.put(picture, in: area, style: theme.text) }
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    message.map { BottomLine($0.text, isError: $0.isError) } ?? BottomLine(hints: hints)
  }

  private var hints: [Hint] {
    func hints(_ commands: Command...) -> [Hint] { environment.hints(commands, in: .form) }
    func hint(_ command: Command, as word: String) -> [Hint] { environment.hint(command, as: word, in: .form) }
    var own = hints(.formNext)
    if model.rows[model.focus].serial != nil {
      let isService = model.rows[model.focus].multiField?.choosesLabelFirst == true
      own = (isService ? hint(.formLabel, as: "service") : hints(.formLabel)) + hints(.formRemove)
      if model.canMoveFocused { own += environment.hint(.formMoveUp, .formMoveDown, as: "move", in: .form) }
      own += hints(.formAdd)
    } else if isPhoto {
      own = hint(.formAdd, as: "choosePicture") + (model.hasPhoto ? hints(.formRemove) : [])
    } else if model.isInGroups {
      if model.completion != nil { own = hint(.formNext, as: "complete") }
      own += hint(.formAdd, as: "chooseGroup") + hints(.formRemove)
    }
    return hints(.formSave, .formCancel) + own + hints(.formJump)
  }
}
