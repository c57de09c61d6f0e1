import AddressBookModel
import Contacts
import TerminalKit

/// The form for adding or editing a contact. It saves by itself.
@MainActor
final class ContactFormScreen: Screen, BrowserAction {
  let parts: BrowserParts
  /// The contact as it was when the form was opened.
  let session: ContactEditor.Session
  var model: FormModel
  let view: FormView
  let layout = FormLayout()
  /// What can be undone before the contact is saved.
  private var history: FormHistory
  /// The first visible line of the rows.
  var top = 0
  var message: (text: String, isError: Bool)?
  /// The area of the rows.
  var body = Rect(row: 1, column: 0, rows: 22, columns: 80)
  /// The line of the hints.
  var bottom = Rect(row: 23, column: 0, rows: 1, columns: 80)
  /// The photo as it will be saved, or a placeholder; nil if the window has no room for it, or photos are not shown.
  var picture: DrawnPicture?
  /// True after the input was saved or discarded: its draft is no longer kept.
  private var isClosed = false
  /// Repeats a save that has to wait for another writer.
  let retry: BusyRetry
  /// Called after the form was closed.
  var onClose: (@MainActor () -> Void)?
  /// A notice that others have changed or deleted the contact, in the user's language; empty for none.
  var notice = ""
  /// The user's decisions about conflicts, made before returning to the form.
  var decisions: [MergeConflict: ConflictScreen.Decision] = [:]

  /// The screen on which the user decides about conflicts; nil if it is not open.
  weak var conflictScreen: ConflictScreen?

  /// - Parameter draft: the input of an interrupted session.
  init(_ session: ContactEditor.Session, draft: Draft? = nil, _ parts: BrowserParts) {
    let (contact, environment) = (session.contact, parts.environment)
    self.parts = parts
    self.session = session
    model = FormModel(
      draft?.applied(to: contact) ?? contact, original: contact, dates: DateEntry(environment.strings),
      favorites: environment.strings("groups.favorites"))
    history = FormHistory(model)
    view = FormView(theme: environment.theme, strings: environment.strings)
    retry = BusyRetry(loop: environment.loop)
    environment.drafts?.onFailure = { [weak self] reason in
      let key = environment.keys.label(of: .formSave, in: .form)
      self?.message = (environment.strings("draft.notKept", reason, key), true)
    }
    if draft != nil {
      saveDraft()
      environment.drafts?.flush()
    }
  }

  /// Closes the form after its input was saved or discarded.
  func close() {
    isClosed = true
    environment.drafts?.discard()
    environment.screens.pop(self)
    onClose?()
  }

  /// Saves the input as a draft, in case the program ends before the contact is saved; discards the draft of unchanged
  /// input.
  private func saveDraft() {
    guard let drafts = environment.drafts, !isClosed else { return }
    if model.isChanged {
      drafts.update(Draft(original: model.original, changed: model.contact))
    } else {
      drafts.discard()
    }
  }

  /// The change that a save makes to the photo.
  var photo: PhotoChange { model.photo }
  /// The contact with the input of the form.
  var contact: Contact { model.contact }

  var keyContext: KeyContext { .form }

  // While a save waits for another writer, the input must not change.

  func perform(_ command: Command, in context: ScreenContext) {
    guard !retry.isWaiting else {
      if command == .formCancel { stopWaiting() }
      return
    }
    message = nil
    act(on: command)
    inputDidChange()
  }

  func type(_ key: Key, in context: ScreenContext) {
    guard !retry.isWaiting else { return }
    message = nil
    edit(by: key)
    inputDidChange(by: FormHistory.Input(key))
  }

  func handle(_ event: Event, in context: ScreenContext) {
    guard !retry.isWaiting else { return }
    switch event {
    case .paste(let text):
      message = nil
      addEmptyValueIfNeeded()
      model.paste(text)
    case .mouse(let mouse): handle(mouse)
    default: return
    }
    inputDidChange()
  }

  /// Undoes or redoes input.
  func go(_ step: (inout FormHistory) -> FormModel?, orSay nothing: String) {
    if let state = step(&history) { model = state } else { message = (environment.strings(nothing), false) }
  }

  /// Records the input, updates the warnings and the draft, and reads the names of groups once the groups are focused.
  func inputDidChange(by input: FormHistory.Input = .other) {
    history.record(model, after: input)
    if model.isInGroups, model.knownGroups == nil {
      // If the names cannot be read, no group is completed or counts as new.
      model.knownGroups = try? environment.book.groupNames()
    }
    model.show(warnings: warnings)
    saveDraft()
  }

  /// Warnings, which do not prevent saving.
  private var warnings: [String: String] {
    var contact = model.contact
    // The only warning for a note is about control characters, which cannot be typed; checking a long note is slow.
    contact.note = ""
    let issues = ContactRules.issues(in: contact).filter { $0.severity == .warning }
    return Dictionary(
      issues.map { ($0.property, $0.message(in: environment.strings.localization)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Closes the form, after a question if input would be lost.
  func cancel() {
    guard model.isChanged else {
      close()
      return
    }
    let strings = environment.strings
    environment.ask(
      strings("confirm.discard"), detail: strings("confirm.discard.detail"),
      answers: [
        .init(key: "y", word: strings("confirm.discard.yes")) { [self] in
          close()
        },
        .init(key: "n", word: strings("confirm.discard.no")) {},
      ])
  }
}

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
      switch model.rows[model.focus].multiField {
      case .address? where !model.contact.related.isEmpty: own += hint(.formContact, as: "takeOver")
      case .values(let values)? where values.card.form == .related: own = hints(.formContact) + own
      default: break
      }
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
