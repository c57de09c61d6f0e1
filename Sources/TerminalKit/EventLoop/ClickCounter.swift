/// A counter of clicks that recognizes a second press of the same button on the same cell, and the click that brought
/// the window to the front.
struct ClickCounter {
  /// The maximum time between the presses of a double click, in milliseconds.
  static let doubleClickTime = 500
  /// The maximum time between the focus report and the press of the click that caused it, in milliseconds.
  static let focusTime = 100

  private var last: (mouse: Mouse, time: Int)?
  private var focusTime: Int?
  private var isActivating = false

  /// Records that the window got the focus.
  mutating func focused(at time: Int) { focusTime = time }

  /// Returns the event with its click count; a third press counts as the first again. Returns nil for the press, the
  /// drags and the release of the click that brought the window to the front: it was meant for the window.
  mutating func counted(_ mouse: Mouse, at time: Int) -> Mouse? {
    guard mouse.action == .press else {
      let isIgnored = isActivating && (mouse.action == .drag || mouse.action == .release)
      if mouse.action == .release { isActivating = false }
      return isIgnored ? nil : mouse
    }
    isActivating = focusTime.map { time - $0 <= Self.focusTime } ?? false
    focusTime = nil
    if isActivating { return nil }
    var counted = mouse
    if let last, last.mouse.clicks == 1, last.mouse.button == mouse.button, last.mouse.position == mouse.position,
      time - last.time <= Self.doubleClickTime
    {
      counted.clicks = 2
    }
    last = (counted, time)
    return counted
  }
}
