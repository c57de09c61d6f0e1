import TerminalKit

/// Whether the cursor has come to rest. Only then are the detail next to the list and the position in the title line
/// updated: while a key is held down, only the list moves.
@MainActor
final class CursorRest {
  /// As long as the interval of a repeating key, and too short to notice, in milliseconds.
  static let usualDelay = 40

  /// In milliseconds; 0 for no delay.
  var delay = CursorRest.usualDelay
  /// The flat position in the title line: that of the selected row, or briefly of the previous one.
  private(set) var row: Int?
  /// The total number of rows.
  private var count = 0
  private let list: ContactList
  private let loop: any ProgramLoop
  /// The contact that the cursor last rested on.
  private var restedID: Int64?
  private var isAwaited = false

  init(list: ContactList, loop: any ProgramLoop) {
    self.list = list
    self.loop = loop
  }

  /// True when the cursor rests on the selected contact.
  var isReached: Bool { delay == 0 || restedID == list.selectedID }

  /// Updates the position, unless the cursor is moving.
  func prepare() {
    if !isAwaited || count != list.rowCount { follow() }
  }

  /// Redraws the screen with the detail when the cursor has not moved for a moment.
  func await() {
    guard !isAwaited else { return }
    isAwaited = true
    let id = list.selectedID
    // The first detail only waits for the first rows.
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
