import AddressBookModel
import AvatarImage
import Contacts
import TerminalKit

/// The form for adding or editing a contact.
@MainActor
final class ContactFormScreen: Screen {
  /// The result of a save.
  enum Outcome {
    /// Stored; the form closes.
    case saved
    /// Rejected; with messages by key path.
    case invalid([String: String], summary: String)
    /// Failed for another reason, in the user's language. The form stays open.
    case failed(String)
    /// Failed because another program is writing, in the user's language. It is tried again.
    case busy(String)
    /// A question must be answered first; the form stays open until then.
    case asked
  }

  private var model: FormModel
  private let environment: AppEnvironment
  private let save: @MainActor (Contact, ContactFormScreen) -> Outcome
  private let view: FormView
  private var top = 0
  private var message: (text: String, isError: Bool)?
  /// The area of the rows.
  private var body = Rect(row: 1, column: 0, rows: 22, columns: 80)
  /// The photo as it will be saved, or a placeholder; nil in a narrow window.
  private var picture: DrawnPicture?

  /// True after it was saved or canceled: its draft is no longer kept.
  private var isClosed = false
  /// How many times in a row a save found another program writing; 0 if none is waiting to be retried.
  private var busyTries = 0
  /// About eight seconds, including the time of each try.
  private static let mostBusyTries = 16
  private static let timeBetweenTries = 300
  /// Called after the form was saved or canceled.
  var onClose: (@MainActor () -> Void)?
  /// What others did to the contact meanwhile, in the user's language; empty if nothing.
  var notice = ""
  /// What the user decided about conflicts before returning to the form.
  var decisions: [MergeConflict: ConflictModel.Decision] = [:]

  /// - Parameter draft: the input when the program last ended.
  init(
    _ contact: Contact, draft: Draft? = nil, environment: AppEnvironment,
    save: @escaping @MainActor (Contact, ContactFormScreen) -> Outcome
  ) {
    model = FormModel(
      draft?.applied(to: contact) ?? contact, original: contact, dates: DateEntry(environment.strings))
    self.environment = environment
    self.save = save
    view = FormView(theme: environment.theme, strings: environment.strings)
    environment.drafts?.onFailure = { [weak self] reason in
      let key = environment.keys.label(of: .formSave, in: .form)
      self?.message = (environment.strings("draft.notKept", reason, key), true)
    }
    if draft != nil {
      keepDraft()
      environment.drafts?.flush()
    }
  }

  /// Closes the form after its contact was saved or discarded.
  func close() {
    isClosed = true
    environment.drafts?.forget()
    environment.screens.pop(self)
    onClose?()
  }

  /// Keeps the input, in case the program ends before it is saved.
  private func keepDraft() {
    guard let drafts = environment.drafts, !isClosed else { return }
    if model.isChanged {
      drafts.note(Draft(original: model.original, changed: model.contact))
    } else {
      drafts.forget()
    }
  }

  /// The change of the photo when saving.
  var photo: PhotoChange { model.photo }
  /// The contact with the input of the form.
  var contact: Contact { model.contact }

  // MARK: Events

  var keyContext: KeyContext { .form }

  // While a save waits for another program, its data must not change.

  func perform(_ command: Command) {
    guard busyTries == 0 else {
      if command == .formCancel { stopWaiting() }
      return
    }
    message = nil
    act(on: command)
    noteChanges()
  }

  func type(_ key: Key) {
    guard busyTries == 0 else { return }
    message = nil
    edit(by: key)
    noteChanges()
  }

  func handle(_ event: Event) {
    guard busyTries == 0 else { return }
    switch event {
    case .paste(let text):
      message = nil
      addValueToTypeInto()
      model.paste(text)
    case .mouse(let mouse): handle(mouse)
    default: return
    }
    noteChanges()
  }

  private func noteChanges() {
    model.show(warnings: warnings)
    keepDraft()
  }

  /// Warnings, which do not prevent saving.
  private var warnings: [String: String] {
    var contact = model.contact
    // The only warning for a note is about control characters, which the form's editor drops; checking a long one takes
    // long.
    contact.note = ""
    let issues = ContactRules.issues(in: contact).filter { $0.severity == .warning }
    return Dictionary(
      issues.map { ($0.property, $0.message(in: environment.strings.localization)) },
      uniquingKeysWith: { first, _ in first })
  }

  private func edit(by key: Key) {
    let isPlain = key.modifiers.isEmpty
    switch key.code {
    case .enter where isPlain && isPhoto: choosePhoto()
    case .character(" ") where isPhoto: choosePhoto()
    case .enter where isPlain:
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
      if key.typesText { addValueToTypeInto() }
      _ = handleInEditor(key)
    }
  }

  /// Typing on `+ add a phone number` fills a new one, and on `+ more name fields` the first part shown.
  private func addValueToTypeInto() {
    switch model.rows[model.focus].identity {
    case .adder(let field): model.add(field)
    case .moreNames: model.showAllNames()
    case .kind, .photo, .single, .value, .address: break
    }
  }

  private func handle(_ mouse: Mouse) {
    switch mouse.action {
    case .wheelDown: model.moveFocus(by: ListSelection.wheelStep)
    case .wheelUp: model.moveFocus(by: -ListSelection.wheelStep)
    case .press where mouse.button == 0:
      guard let place = view.places(of: model, top: top, in: body).first(where: { $0.rect.contains(mouse.position) })
      else { return }
      message = nil
      model.setFocus(place.index)
      press(model.rows[place.index], in: place.rect, at: mouse.position)
    case .press, .release, .drag: break
    }
  }

  private func press(_ row: FormRow, in rect: Rect, at position: Point) {
    let value = view.value(of: row, in: rect)
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

  private var isPhoto: Bool { model.rows[model.focus].identity == .photo }

  private var isButton: Bool {
    if case .button = model.rows[model.focus].editor { return true }
    return false
  }

  private func handleInEditor(_ key: Key) -> Bool {
    model.handle(key, columns: view.valueColumns(in: body.columns))
  }

  private func act(on command: Command) {
    switch command {
    case .formNext: model.moveFocus(by: 1)
    case .formPrevious: model.moveFocus(by: -1)
    case .formSave: saveNow()
    case .formCancel: cancel()
    case .formLabel: chooseLabel()
    case .formAdd where isPhoto: choosePhoto()
    case .formAdd where model.rows[model.focus].identity == .moreNames: model.showAllNames()
    case .formAdd: if let field = model.rows[model.focus].multiField { model.add(field) }
    case .formRemove: _ = model.removeFocused()
    case .formMoveUp: _ = model.moveFocused(-1)
    case .formMoveDown: _ = model.moveFocused(1)
    default: break
    }
  }

  /// Saves the form, or shows its errors.
  func saveNow() {
    if model.hasUnreadableBirthday {
      refuse(
        ["birthday": environment.strings("form.birthday.unreadable")],
        summary: environment.strings.count("form.errors", 1))
      return
    }
    switch save(model.contact, self) {
    case .saved: close()
    case .invalid(let errors, let summary): refuse(errors, summary: summary)
    case .failed(let reason): showFailure(reason)
    case .busy(let reason):
      tryAgain(reason)
      return
    case .asked: break
    }
    busyTries = 0
  }

  /// Tries to save again in a moment, as long as a command would wait; then the user is asked.
  private func tryAgain(_ reason: String) {
    let strings = environment.strings
    guard busyTries < Self.mostBusyTries else {
      stopWaiting()
      environment.ask(
        strings("busy.title"), detail: reason,
        answers: [
          .init(key: "r", word: strings("busy.retry")) { [weak self] in self?.saveNow() },
          .init(key: "b", word: strings("busy.back")) {},
        ], isAskedFor: false)
      return
    }
    busyTries += 1
    message = (strings("busy.waiting", environment.keys.label(of: .formCancel, in: .form)), false)
    environment.loop.schedule(after: Self.timeBetweenTries) { [weak self] in
      if let self, busyTries > 0 { saveNow() }
    }
  }

  private func stopWaiting() {
    busyTries = 0
    message = nil
  }

  /// Shows that the form could not be saved; the input is kept.
  func showFailure(_ reason: String) { message = (environment.strings("status.saveFailed", reason), true) }

  /// Says what to look out for.
  func warn(_ text: String) { message = (text, true) }

  /// Shows the errors at their fields.
  func refuse(_ errors: [String: String], summary: String) {
    model.show(errors: errors)
    message = (summary, true)
  }

  private func cancel() {
    guard model.isChanged else {
      close()
      return
    }
    let strings = environment.strings
    environment.ask(
      strings("confirm.discard"), detail: strings("confirm.discard.detail"),
      answers: [
        .init(key: "y", word: strings("confirm.discard.yes")) { [weak self] in
          self?.close()
        },
        .init(key: "n", word: strings("confirm.discard.no")) {},
      ])
  }

  private func choosePhoto() {
    environment.screens.push(
      PhotoChooserScreen(environment: environment) { [weak self] in self?.model.photo = .set(Photo($0)) })
  }

  private func chooseLabel() {
    let row = model.rows[model.focus]
    guard row.serial != nil, let field = row.multiField else { return }
    environment.chooseLabel(of: field, present: row.label) { [weak self] in self?.model.setLabel($0) }
  }

  // MARK: Drawing

  /// The area of the photo: to the right of the values, if the window has room.
  private func pictureRect(in rect: Rect) -> Rect? {
    guard environment.showsPictures, rect.columns >= 108, rect.rows >= 14 else { return nil }
    return Rect(row: rect.row + (notice.isEmpty ? 2 : 3), column: rect.endColumn - 18, rows: 8, columns: 16)
  }

  func prepare(in rect: Rect) {
    body = rect.inset(top: notice.isEmpty ? 1 : 2, bottom: 1)
    top = view.top(for: model, from: top, in: body)
    picture = pictureRect(in: rect).map { place in
      let avatars = environment.avatars
      return switch model.photo {
      case .keep: avatars.picture(of: model.contact, columns: place.columns, rows: place.rows)
      case .remove: avatars.initial(of: model.contact, columns: place.columns, rows: place.rows)
      case .set(let photo):
        avatars.picture(photo, of: model.contact, columns: place.columns, rows: place.rows)
      }
    }
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let strings = environment.strings
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    let isNew = model.original.id == 0
    let title = isNew ? strings("form.title.add") : strings("form.title.edit", model.original.displayName)
    bars.drawTitle(
      title, detail: model.isChanged ? strings("form.unsaved") : "",
      right: strings("form.section", environment.sectionTitle(of: model.contact)), on: &canvas, in: rect.line(0))
    if !notice.isEmpty {
      let line = rect.line(1)
      canvas.put(
        "! " + notice, at: Point(row: line.row, column: 1), limit: max(0, line.columns - 2), style: theme.accent)
    }
    view.draw(model, top: top, on: &canvas, in: body)
    if let picture, let place = pictureRect(in: rect) { canvas.put(picture, in: place, ground: theme.text) }
    let bottom = rect.line(rect.rows - 1)
    if let message {
      bars.drawMessage(message.text, isError: message.isError, on: &canvas, in: bottom)
    } else {
      bars.drawHints(hints, on: &canvas, in: bottom)
    }
  }

  private var hints: [Hint] {
    var commands: [([Command], String)] = [([.formSave], "hint.save"), ([.formCancel], "hint.cancel")]
    if model.rows[model.focus].serial != nil {
      commands += [([.formLabel], "hint.label"), ([.formRemove], "hint.remove")]
      if model.canMoveFocused { commands.append(([.formMoveUp, .formMoveDown], "hint.move")) }
      commands.append(([.formAdd], "hint.addField"))
    } else if isPhoto {
      commands.append(([.formAdd], "hint.choosePicture"))
      if model.hasPhoto { commands.append(([.formRemove], "hint.remove")) }
    } else {
      commands.append(([.formNext], "hint.next"))
    }
    return commands.map { commands, word in
      let keys = commands.map { environment.keys.label(of: $0, in: .form) }.filter { !$0.isEmpty }
      return Hint(key: keys.joined(separator: " "), word: environment.strings(word))
    }
  }
}
