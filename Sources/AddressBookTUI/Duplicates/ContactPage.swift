import AddressBookModel
import Contacts
import TerminalKit

/// A page with the details of a contact, laid out as in the detail pane.
@MainActor
final class ContactPage: Screen {
  var keyContext: KeyContext { .page }
  private let environment: AppEnvironment
  private let contact: Contact
  private let title: String
  private let lines: [DetailLine]
  private var pager = Pager()
  /// The lines, laid out for `size`.
  private var laidOut = DetailView.LaidOut()
  private var size = Size(rows: 0, columns: 0)
  /// The photo, or the initial instead; nil if the page has no room for it, or photos are not shown.
  private var cells: DrawnPicture?

  /// - Parameter folders: the names of the folders that the contact is in.
  init(_ contact: Contact, folders: [String], title: String, environment: AppEnvironment) {
    self.environment = environment
    self.contact = contact
    self.title = title
    lines = DetailLines(strings: environment.strings, today: environment.days.today, names: environment.names).lines(
      for: contact, folders: folders, isDamaged: environment.book.damage.has(contact.id))
  }

  func perform(_ command: Command, in context: ScreenContext) {
    switch command.role {
    case .cancel: environment.screens.pop(self)
    case .move(let movement): pager.move(movement)
    default: break
    }
  }

  func type(_ key: Key, in context: ScreenContext) { pager.type(key) }

  func handle(_ event: Event, in context: ScreenContext) { pager.handle(event) }

  func prepare(in rect: Rect) {
    let body = rect.inset(top: 1, left: 2, bottom: 1)
    let room = Size(rows: body.rows, columns: body.columns - 1)
    let picture = environment.showsPhotos ? DetailPicture(pane: room) : nil
    if size != room {
      size = room
      laidOut = DetailView(theme: environment.theme).layOut(lines, columns: room.columns, picture: picture)
    }
    cells = picture.map { environment.avatars.picture(of: contact, columns: $0.columns, rows: $0.rows) }
    pager.layOut(in: body, lines: laidOut.lines.count)
  }

  func draw(on canvas: inout Canvas, in rect: Rect) {
    let theme = environment.theme
    canvas.fill(rect, style: theme.text)
    let bars = Bars(theme: theme)
    bars.drawTitle(title, on: &canvas, in: rect.line(0))
    DetailView(theme: theme).draw(
      .init(laidOut: laidOut, cells: cells, top: pager.top, rect: pager.rect.inset(right: 1)), on: &canvas)
    pager.drawScrollBar(on: &canvas, style: theme.widgets)
  }

  func bottomLine(in context: ScreenContext) -> BottomLine? {
    BottomLine(hints: environment.hints([.moveDown, .helpClose], in: .page))
  }
}
