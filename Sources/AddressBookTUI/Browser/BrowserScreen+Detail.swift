import TerminalKit

/// The detail beside the list follows when the cursor has come to rest: who holds a key down sees the list move, and is sent
/// nothing else. A detail that has the keys for itself is there at once.
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
    layOutDetail(layout)
  }

  private func layOutDetail(_ layout: BrowserLayout) {
    detailCells = nil
    if let contact = list.detailContact {
      let today = environment.days.today
      if laidOutDetail?.contact != contact || laidOutDetail?.rect != layout.detail || laidOutDetail?.today != today {
        laidOutDetail = (contact, layout.detail, today)
        detailLines = DetailLines(words: environment.words, today: today).lines(for: contact)
        detailLineCount =
          DetailView(theme: environment.theme).layOut(
            detailLines, columns: layout.detail.columns, picture: detailPicture
          ).count
      }
      if let detailPicture {
        detailCells = environment.avatars.picture(
          of: contact, columns: detailPicture.columns, rows: detailPicture.rows)
      }
    } else {
      laidOutDetail = nil
      detailLines = []
      detailLineCount = 0
    }
    detailTop = min(detailTop, max(0, detailLineCount - detailRows))
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
      if list.selectedID == id { restedID = id }
    }
  }
}
