/// A counter of clicks that recognizes a second press of the same button on the same cell.
struct ClickCounter {
  /// The maximum time between the presses of a double click, in milliseconds.
  static let doubleClickTime = 500

  private var last: (mouse: Mouse, time: Int)?

  /// Returns the event with its click count; a third press counts as the first again.
  mutating func counted(_ mouse: Mouse, at time: Int) -> Mouse {
    guard mouse.action == .press else { return mouse }
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
