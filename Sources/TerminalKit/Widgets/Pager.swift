/// Which lines of a long text are shown, and the keys and the wheel that scroll it.
public struct Pager: Hashable, Sendable {
  /// The line that is shown first.
  public private(set) var top = 0
  private var pageRows = 1
  private var lastTop = 0

  /// The beginning of a text.
  public init() {}

  /// Notes how much there is to show.
  /// - Parameters:
  ///   - rows: lines of the window.
  ///   - lines: lines of the text.
  ///   - first: a line that may stand at the top however little follows it.
  public mutating func layOut(rows: Int, lines: Int, first: Int = 0) {
    pageRows = max(1, rows)
    lastTop = max(first, lines - pageRows)
    top = min(top, lastTop)
  }

  /// Shows the text from a line on.
  public mutating func show(_ line: Int) { top = min(max(0, line), lastTop) }

  /// Scrolls.
  public mutating func move(_ movement: Movement) { show(movement.line(from: top, page: pageRows, last: lastTop)) }

  /// Space turns a page, as in every pager.
  public mutating func type(_ key: Key) {
    if key == .character(" ") { show(top + pageRows) }
  }

  /// The wheel scrolls; other events do nothing.
  public mutating func handle(_ event: Event) {
    guard case .mouse(let mouse) = event else { return }
    if mouse.action == .wheelDown { show(top + ListSelection.wheelStep) }
    if mouse.action == .wheelUp { show(top - ListSelection.wheelStep) }
  }
}
