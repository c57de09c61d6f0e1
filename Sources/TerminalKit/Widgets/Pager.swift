/// The visible lines of a long text, scrolled by keys and the wheel.
public struct Pager: Hashable, Sendable {
  /// The first visible line.
  public private(set) var top = 0
  private var pageRows = 1
  private var lastTop = 0

  /// A pager at the beginning of a text.
  public init() {}

  /// Sets the sizes.
  /// - Parameters:
  ///   - rows: the number of lines of the window.
  ///   - lines: the number of lines of the text.
  ///   - first: a line that may be at the top, however little text follows it.
  public mutating func layOut(rows: Int, lines: Int, first: Int = 0) {
    pageRows = max(1, rows)
    lastTop = max(first, lines - pageRows)
    top = min(top, lastTop)
  }

  /// Scrolls to a line.
  public mutating func show(_ line: Int) { top = min(max(0, line), lastTop) }

  /// Scrolls.
  public mutating func move(_ movement: Movement) { show(movement.line(from: top, page: pageRows, last: lastTop)) }

  /// Space scrolls a page, as in other pagers.
  public mutating func type(_ key: Key) {
    if key == .character(" ") { show(top + pageRows) }
  }

  /// The wheel scrolls; other events are ignored.
  public mutating func handle(_ event: Event) {
    guard case .mouse(let mouse) = event else { return }
    if mouse.action == .wheelDown { show(top + ListSelection.wheelStep) }
    if mouse.action == .wheelUp { show(top - ListSelection.wheelStep) }
  }
}
