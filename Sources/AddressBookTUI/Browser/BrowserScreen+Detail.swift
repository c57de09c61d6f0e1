import AddressBookModel
import Contacts
import TerminalKit

/// The detail beside the list follows when the cursor has come to rest, and the position in the title line a moment after it
/// moved: who holds a key down sees the list move, and is sent nothing else with each key. A detail that has the keys for
/// itself is there at once.
extension BrowserScreen {
  /// As long as a key that is held down takes to come again, and less than anybody waits for, in milliseconds.
  static let restBeforeDetail = 40

  func prepareDetail(_ layout: BrowserLayout) {
    detailRows = max(1, layout.detail.rows)
    let pane = Size(rows: layout.detail.rows, columns: layout.detail.columns)
    detailPicture = environment.showsPictures ? DetailPicture(pane: pane) : nil
    if layout.detail.isEmpty || list.selectedID == nil {
      list.forgetDetail()
    } else if showsDetail || restBeforeDetail == 0 || restedID == list.selectedID {
      list.prepareDetail()
    } else if list.detailContact?.id != list.selectedID {
      awaitRest()
    }
    if !isAwaitingRest || titlePosition.count != list.rowCount {
      titlePosition = CursorPosition(row: list.selectedRow, count: list.rowCount)
    }
    layOutDetail(layout)
  }

  private func layOutDetail(_ layout: BrowserLayout) {
    defer { detailTop = min(detailTop, max(0, detailLines.lines.count - detailRows)) }
    guard let contact = list.detailContact else {
      laidOutDetail = nil
      detailLines = DetailView.LaidOut()
      detailCells = nil
      return
    }
    let today = environment.days.today
    let key = DetailLayoutKey(
      contactRevision: list.detailRevision, rect: layout.detail, today: today,
      pictureRevision: environment.avatars.revision)
    guard laidOutDetail != key else { return }
    laidOutDetail = key
    detailLines = DetailView(theme: environment.theme).layOut(
      DetailLines(strings: environment.strings, today: today).lines(for: contact), columns: layout.detail.columns,
      picture: detailPicture)
    detailCells = detailPicture.map { picture in
      environment.avatars.picture(of: contact, columns: picture.columns, rows: picture.rows)
    }
  }

  /// Has the screen drawn again, with the detail, when the cursor has not moved for a moment.
  private func awaitRest() {
    guard !isAwaitingRest else { return }
    isAwaitingRest = true
    let id = list.selectedID
    // The first detail only lets the first rows go before it.
    environment.loop.schedule(after: list.detailContact == nil ? 0 : restBeforeDetail) { [weak self] in
      guard let self else { return }
      isAwaitingRest = false
      titlePosition = CursorPosition(row: list.selectedRow, count: list.rowCount)
      if list.selectedID == id { restedID = id }
    }
  }
}

/// A row of a list of so many.
struct CursorPosition: Equatable {
  /// Flat position; nil for none.
  var row: Int?
  var count = 0
}

/// All that the laid-out detail depends on: while it is the same, a key costs the detail nothing.
struct DetailLayoutKey: Equatable {
  var contactRevision: Int
  var rect: Rect
  var today: CalendarDay
  var pictureRevision: Int
}
