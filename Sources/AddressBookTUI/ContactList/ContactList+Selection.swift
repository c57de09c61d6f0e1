import ResultsController

/// The selection and the visible part of the list.
extension ContactList {
  /// Selects the row at a flat index, or the nearest row if the index is out of range.
  func select(row: Int, height: Int) {
    guard rowCount > 0 else { return }
    let row = min(max(0, row), rowCount - 1)
    selectedRow = row
    // While the list is being read, only the first rows have ids; for other rows, read the contact.
    selectedID = visibleID(ofRow: row) ?? snapshot.id(atFlatRow: row) ?? (try? controller.object(atFlatRow: row))?.id
    top = viewport.top(showing: row, withRows: scrollOff, from: top, height: height)
    awaited = nil
  }

  /// Selects a contact by id, as soon as it is in the list.
  /// - Parameter line: how many rows below the first visible one it is to be; nil to scroll as little as possible.
  func select(id: Int64, line: Int? = nil) {
    awaited = .contact(id, line: line)
    selectAwaited(in: snapshot)
  }

  /// Selects what is awaited.
  /// - Returns: true if the list has it.
  @discardableResult
  func selectAwaited(in snapshot: ResultsSnapshot) -> Bool {
    var (found, line): (Int64?, Int?) = (nil, nil)
    switch awaited {
    case .contact(let id, let onLine)?: (found, line) = (id, onLine)
    // A search begins at its first match.
    case .best(let ids)?: (found, line) = (snapshot.firstID(in: ids), nil)
    case nil: break
    }
    guard let id = found, let row = snapshot.flatRow(ofID: id) else { return false }
    if case .best? = awaited { top = 0 }
    if let line { top = max(0, row - line) }
    (selectedID, selectedRow, awaited) = (id, row, nil)
    return true
  }

  /// Selects the contact on a line of the drawn list; false if there is none, as on a header.
  func select(line: Int, height: Int) -> Bool {
    let lines = viewport.lines(top: top, height: height)
    guard lines.indices.contains(line), let row = lines[line].row else { return false }
    select(row: row, height: height)
    return true
  }

  /// Selects the contact `rows` rows further down, or further up if `rows` is negative.
  func moveSelection(by rows: Int, height: Int) {
    select(row: (selectedRow ?? 0) + rows, height: height)
  }

  /// Moves the selection and the view by the same number of rows, as far as the list goes.
  func page(by rows: Int, height: Int) {
    guard rowCount > 0 else { return }
    top = min(max(0, top + rows), viewport.lastTop(height: height))
    select(row: (selectedRow ?? 0) + rows, height: height)
  }

  /// Scrolls; the selection moves only as far as necessary.
  func scroll(by rows: Int, height: Int) {
    guard rowCount > 0 else { return }
    top = min(max(0, top + rows), viewport.lastTop(height: height))
    let visible = viewport.lines(top: top, height: height).compactMap(\.row)
    guard let first = visible.first, let last = visible.last, let selectedRow else { return }
    if selectedRow < first { select(row: first, height: height) }
    if selectedRow > last { select(row: last, height: height) }
  }

  /// Selects the first contact of the section for a title of the index bar or a letter of another script, or, if that
  /// section is empty, of the next one with contacts. If there is none, a title of the bar leads to the last section,
  /// and a letter leaves the selection as it is.
  func jump(toTitle title: String, height: Int) {
    if let section = section(forTitle: title) { jump(toSection: section, height: height) }
  }

  private func jump(toSection section: Int, height: Int) {
    guard let row = snapshot.firstFlatRow(ofSection: section) else { return }
    select(row: row, height: height)
    top = min(row, viewport.lastTop(height: height))
  }

  /// The section for a title of the index bar, or for any letter of another script, such as が, which is in か.
  private func section(forTitle title: String) -> Int? {
    if let section = titles.section(ofTitle: title, from: currentTitle) { return section }
    guard shown.order == .name, let number = sections.number(jumpingTo: title) else { return nil }
    return snapshot.sections.firstIndex { section in
      guard case .integer(let value) = section.value else { return false }
      return value >= number
    }
  }

  /// Selects the first contact of the sections that a line of the index bar represents; if they are empty, of the next
  /// section with contacts, or of the last section.
  func jump(toIndexLine line: Int, height: Int, barHeight: Int) {
    let marks = IndexBarLayout(titleCount: indexTitles.count, height: barHeight, present: presentTitles).marks
    guard marks.indices.contains(line) else { return }
    if let section = titles.section(ofOrdinal: marks[line].titles.lowerBound) {
      jump(toSection: section, height: height)
    }
  }
}
