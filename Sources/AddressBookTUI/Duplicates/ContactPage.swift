import AddressBookModel
import Contacts
import TerminalKit

/// A page with the details of a contact, laid out as in the detail pane, but without its photo and folders.
@MainActor
final class ContactPage: Screen {
  var keyContext: KeyContext { .page }
  private let environment: AppEnvironment
  private let title: String
  private let lines: [DetailLine]
  private var pager = Pager()
  private var laidOut = DetailView.LaidOut()
  private var columns = 0

  init(_ contact: Contact, title: String, environment: AppEnvironment) {
    self.environment = environment
    self.title = title
    lines = DetailLines(strings: environment.strings, today: environment.days.today, names: environment.names).lines(
      for: contact, isDamaged: environment.book.damage.has(contact.id))
  }

  func perform(_ command: Command) {
    switch command.role {
    case .cancel: environment.screens.pop(self)
    case .move(let movement): pager.move(movement)
    default: break
    }
  }

  func type(_ key: Key) { pager.type(key) }

  func handle(_ event: Event) { pager.handle(event) }

  func prepare(in rect: Rect) {
    let body = rect.inset(top: 1, left: 2, bottom: 1)
    if columns != body.columns - 1 {
      columns = body.columns - 1
      laidOut = DetailView(theme: environment.theme).layOut(lines, columns: columns)
    }
    pager.layOut(in: body, lines: laidOut.lines.count)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(title, on: &canvas, in: rect.line(0))
    bars.drawHints(environment.pagerHints, on: &canvas, in: rect.line(rect.rows - 1))
    DetailView(theme: theme).draw(
      .init(laidOut: laidOut, top: pager.top, rect: pager.rect.inset(right: 1)), on: &canvas)
    pager.drawScrollBar(on: &canvas, style: theme.widgets)
  }
}
