import TerminalKit

/// Whether the cursor has come to rest. The detail beside the list follows then, and so does the position in the title line:
/// who holds a key down sees the list move, and is sent nothing else with each key.
@MainActor
final class CursorRest {
  /// As long as a key that is held down takes to come again, and less than anybody waits for, in milliseconds.
  static let usualDelay = 40

  /// In milliseconds; 0 for not at all.
  var delay = CursorRest.usualDelay
  /// Flat position that the title line names: that of the selected row, or for a moment of the one before it.
  private(set) var row: Int?
  /// Of how many.
  private var count = 0
  private let list: ContactList
  private let loop: any ProgramLoop
  /// On whom the cursor came to rest last.
  private var restedID: Int64?
  private var isAwaited = false

  init(list: ContactList, loop: any ProgramLoop) {
    self.list = list
    self.loop = loop
  }

  /// True when the cursor rests on the selected person.
  var isReached: Bool { delay == 0 || restedID == list.selectedID }

  /// Brings the position up to date, unless the cursor moves.
  func prepare() {
    if !isAwaited || count != list.rowCount { follow() }
  }

  /// Has the screen drawn again, with the detail, when the cursor has not moved for a moment.
  func await() {
    guard !isAwaited else { return }
    isAwaited = true
    let id = list.selectedID
    // The first detail only lets the first rows go before it.
    loop.schedule(after: list.detailContact == nil ? 0 : delay) { [weak self] in
      guard let self else { return }
      isAwaited = false
      follow()
      if list.selectedID == id { restedID = id }
    }
  }

  private func follow() {
    row = list.selectedRow
    count = list.rowCount
  }
}
