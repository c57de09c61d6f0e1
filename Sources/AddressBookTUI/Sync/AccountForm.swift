import FolderSync
import TerminalKit

/// Why an account was not added.
enum AccountFormFailure: Error {
  case problem(AccountProblem)
  /// The text is the message.
  case file(String)
}

/// A form for a CardDAV account: the server, the user, the command that prints the password, the name, and whether the
/// contacts that are only here are uploaded.
@MainActor
final class AccountForm: Screen {
  var keyContext: KeyContext { .form }
  var isOverlay: Bool { true }

  private enum Row: String, CaseIterable { case url, user, password, name, upload }

  private let environment: AppEnvironment
  private let add: @MainActor (Account) throws(AccountFormFailure) -> Void
  private var fields = [TextField](repeating: TextField(), count: Row.allCases.count - 1)
  private var uploads = true
  private var focus = 0
  private var error = ""
  private var frame = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// The lines below the fields: what is wrong, or else what the focused field is for.
  private var notes: [String] = []

  init(environment: AppEnvironment, add: @escaping @MainActor (Account) throws(AccountFormFailure) -> Void) {
    self.environment = environment
    self.add = add
  }

  private var row: Row { Row.allCases[focus] }

  func perform(_ command: Command, in context: ScreenContext) {
    switch command {
    case .formNext: move(by: 1)
    case .formPrevious: move(by: -1)
    case .formSave: save()
    case .formCancel: environment.screens.pop(self)
    default: break
    }
  }

  func type(_ key: Key, in context: ScreenContext) {
    switch key.code {
    case .enter: if row == .upload { save() } else { move(by: 1) }
    case .down: move(by: 1)
    case .up: move(by: -1)
    case .character(" ") where row == .upload: uploads.toggle()
    default:
      guard row != .upload else { return }
      let before = fields[focus].text
      _ = fields[focus].handle(key)
      if fields[focus].text != before { error = "" }
    }
  }

  func handle(_ event: Event, in context: ScreenContext) {
    switch event {
    case .paste(let text) where row != .upload: fields[focus].insert(text)
    case .mouse(let mouse) where mouse.action == .press:
      let index = mouse.position.row - room.row
      if room.contains(mouse.position), Row.allCases.indices.contains(index) { focus = index }
    default: break
    }
  }

  private func move(by step: Int) { focus = (focus + step + Row.allCases.count) % Row.allCases.count }

  private func text(_ row: Row) -> String? {
    guard let index = Row.allCases.firstIndex(of: row) else { return nil }
    let text = fields[index].text.trimmed
    return text.isEmpty ? nil : text
  }

  private func save() {
    do throws(AccountFormFailure) {
      let account: Account
      do throws(AccountProblem) {
        account = try Account(
          entered: text(.url) ?? "", name: text(.name), user: text(.user), passwordCommand: text(.password),
          keepsLocal: !uploads)
      } catch {
        throw .problem(error)
      }
      try add(account)
      environment.screens.pop(self)
    } catch {
      switch error {
      case .file(let text): self.error = text
      case .problem(let problem):
        self.error = environment.strings("account.problem." + problem.reason.rawValue, problem.text)
        switch problem.reason {
        case .name, .exists: focus = 3
        case .withoutPassword, .lines: focus = 2
        case .withoutUser: focus = 1
        default: focus = 0
        }
      }
    }
  }

  // MARK: Drawing

  private var room: Rect { Popup.room(in: frame) }

  func prepare(in rect: Rect) {
    let columns = max(1, min(70, rect.columns - 6))
    notes = TextWidth.wrap(
      error.isEmpty ? environment.strings("account.note." + row.rawValue) : DisplayText.clean("✗ " + error),
      columns: columns)
    // The notes have room for the longest one, so that the form does not jump.
    frame = Popup.frame(rows: Row.allCases.count + 1 + max(3, notes.count), columns: columns, in: rect)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let (strings, style) = (environment.strings, environment.theme.widgets)
    let room = Popup(style: style).draw(title: strings("account.title"), on: &canvas, in: frame)
    let titles = Row.allCases.map { strings("account." + $0.rawValue) }
    let width = min((titles.map(TextWidth.columns).max() ?? 0) + 2, room.columns / 2)
    for (index, row) in Row.allCases.enumerated() where index < room.rows {
      let (left, right, _) = room.line(index).split(left: width)
      let isFocused = index == focus
      canvas.put(titles[index], in: left.inset(right: 1), style: isFocused ? style.popup.adding(.bold) : style.popup)
      if row == .upload {
        canvas.put(uploads ? "[x]" : "[ ]", in: right, style: isFocused ? style.field : style.popup)
        if isFocused { canvas.cursor = Point(row: right.row, column: right.column + 1) }
      } else {
        fields[index].draw(
          on: &canvas, in: right, style: isFocused ? style.field : style.popup.adding(.underline), focused: isFocused)
      }
    }
    let below = room.inset(top: Row.allCases.count + 1)
    for (index, line) in notes.prefix(max(0, below.rows)).enumerated() {
      canvas.put(
        line, in: below.line(index), style: error.isEmpty ? style.popup.adding(style.faint) : style.error)
    }
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    BottomLine(hints: environment.hints([.formNext, .formSave, .formCancel], in: .form))
  }
}
