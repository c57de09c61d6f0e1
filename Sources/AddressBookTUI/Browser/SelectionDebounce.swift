import TerminalKit

/// Delays the detail next to the list until the selection has not changed for a moment, and updates the position in the
/// title line only once per delay: while a key is held down, most frames change only the list.
@MainActor
final class SelectionDebounce {
  /// In milliseconds: about the interval of a repeating key, and too short to notice.
  static let standardDelay = 40

  /// In milliseconds; 0 for no delay.
  var delay = SelectionDebounce.standardDelay
  /// The index of the selected row across all sections, for the title line; while the selection is changing, the index
  /// of an earlier row.
  private(set) var row: Int?
  /// The number of rows in the list when `row` was updated.
  private var count = 0
  private let list: ContactList
  private let loop: any ProgramLoop
  /// The last contact that was still selected when the delay for it ended.
  private var idleID: Int64?
  private var isScheduled = false

  init(list: ContactList, loop: any ProgramLoop) {
    self.list = list
    self.loop = loop
  }

  /// True when the selection has not changed for a moment.
  var isIdle: Bool { delay == 0 || idleID == list.selectedID }

  /// Updates the position, unless the delay is running and the list has as many rows as before.
  func prepare() {
    if !isScheduled || count != list.rowCount { update() }
  }

  /// Starts the delay, unless it is running. When it ends, the screen is redrawn, with the detail if the selection has
  /// not changed.
  func start() {
    guard !isScheduled else { return }
    isScheduled = true
    let id = list.selectedID
    // The first detail is shown without a delay.
    loop.schedule(after: list.detailContact == nil ? 0 : delay) { [weak self] in
      guard let self else { return }
      isScheduled = false
      update()
      if list.selectedID == id { idleID = id }
    }
  }

  private func update() {
    row = list.selectedRow
    count = list.rowCount
  }
}
