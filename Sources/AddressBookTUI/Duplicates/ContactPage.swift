import AddressBookModel
import Contacts
import TerminalKit

/// A page with the details of a contact, laid out as in the detail pane.
@MainActor
final class ContactPage: Screen {
  var keyContext: KeyContext { .page }
  private let environment: AppEnvironment
  private let content: ContactDetail.Content
  private let title: String
  private var detail = ContactDetail()

  init(_ content: ContactDetail.Content, title: String, environment: AppEnvironment) {
    self.environment = environment
    self.content = content
    self.title = title
  }

  func perform(_ command: Command, in context: ScreenContext) {
    switch command.role {
    case .cancel: environment.screens.pop(self)
    case .move(let movement): detail.move(movement)
    default: break
    }
  }

  func type(_ key: Key, in context: ScreenContext) { detail.type(key) }

  func handle(_ event: Event, in context: ScreenContext) {
    if case .mouse(let mouse) = event { _ = detail.handle(mouse) }
  }

  func prepare(in rect: Rect) {
    detail.prepare(content, in: rect.inset(top: 1, left: 2, bottom: 1, right: 1), environment)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    Bars(theme: theme).drawTitle(title, on: &canvas, in: rect.line(0))
    detail.draw(on: &canvas, theme: theme, isFocused: true)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    BottomLine(hints: environment.hints([.moveDown, .helpClose], in: .page))
  }
}
