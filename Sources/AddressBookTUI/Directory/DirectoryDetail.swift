import AddressBookModel
import Contacts
import Dispatch
import LDAPDirectory
import TerminalKit

/// The details of a directory entry, shown like those of a contact.
@MainActor
final class DirectoryDetail {
  private let environment: AppEnvironment
  private var rect = Rect(row: 0, column: 0, rows: 0, columns: 0)
  /// The first visible line.
  private var top = 0
  private var lines = DetailView.LaidOut()
  private var cells: DrawnPicture?
  /// The inputs of `lines`.
  private var layout: Layout?

  private struct Layout: Equatable {
    var entry: DirectoryContact
    var rect: Rect
    var today: CalendarDay
  }

  init(environment: AppEnvironment) { self.environment = environment }

  /// Scrolls to the beginning.
  func rewind() { top = 0 }

  func scroll(by lines: Int) { top = min(max(0, top + lines), lastTop) }

  /// Scrolls by a page, with an overlap of one line.
  func page(by direction: Int) { scroll(by: direction * max(1, rect.rows - 1)) }

  func halfPage(by direction: Int) { scroll(by: direction * max(1, rect.rows / 2)) }

  private var lastTop: Int { max(0, lines.lines.count - max(1, rect.rows)) }

  /// Lays out an entry; nil for none.
  func prepare(_ entry: DirectoryContact?, photo: Photo?, in rect: Rect) {
    self.rect = rect
    guard let entry, !rect.isEmpty else {
      layout = nil
      lines = DetailView.LaidOut()
      cells = nil
      return
    }
    let picture = environment.showsPhotos ? DetailPicture(pane: Size(rows: rect.rows, columns: rect.columns)) : nil
    let new = Layout(entry: entry, rect: rect, today: environment.days.today)
    if layout != new {
      layout = new
      let detail = DetailLines(strings: environment.strings, today: new.today, names: environment.names)
      lines = DetailView(theme: environment.theme).layOut(
        detail.lines(for: entry.contact), columns: rect.columns, picture: picture)
    }
    cells = picture.map { picture in
      guard let photo else {
        return environment.avatars.initial(of: entry.contact, columns: picture.columns, rows: picture.rows)
      }
      return environment.avatars.picture(photo, of: entry.contact, columns: picture.columns, rows: picture.rows)
    }
    top = min(top, lastTop)
  }

  func draw(on canvas: inout Canvas) {
    guard layout != nil else { return }
    let content = DetailView.Content(laidOut: lines, cells: cells, top: top, rect: rect)
    let view = DetailView(theme: environment.theme)
    view.draw(content, on: &canvas)
    view.drawScrollBar(content, on: &canvas)
  }
}

/// The photos of the selected entries, read one at a time on another thread.
@MainActor
final class DirectoryPhotos {
  private let source: any DirectorySource
  private var known: [String: Photo?] = [:]
  private var work: LatestWork<String, Photo?>?
  /// The maximum number of photos to keep.
  private static let limit = 32

  init(_ source: any DirectorySource, loop: any ProgramLoop) {
    self.source = source
    work = LatestWork(loop: loop, work: { Self.read($0, source) }, deliver: { [weak self] in self?.receive($1, $0) })
  }

  /// Returns the photo of an entry; nil if it has none, if it cannot be read, or until it has been read. Never blocks.
  func photo(of id: String) -> Photo? {
    if let photo = known[id] { return photo }
    work?.request(id)
    return nil
  }

  /// True when nothing is being read.
  var isIdle: Bool { work?.isIdle ?? true }

  private func receive(_ photo: Photo?, _ id: String) {
    if known.count >= Self.limit { known = [:] }
    known[id] = .some(photo)
  }

  /// Returns nil on an error: the entry is then shown without a photo.
  private nonisolated static func read(_ id: String, _ source: any DirectorySource) -> Photo? {
    do {
      return try source.contact(id, isCancelled: { false })?.picture.flatMap { Photo(showing: $0) }
    } catch {
      return nil
    }
  }
}
