/// An event from the user or the system, as the event loop passes it to the program.
public enum Event: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text was pasted with bracketed paste (DEC mode 2004); a long or slow paste comes in several parts. Control
  /// characters other than tab and newline are already removed.
  case paste(String)
  /// A mouse event (SGR mode 1006).
  case mouse(Mouse)
  /// The window gained or lost the keyboard focus (DEC mode 1004); only if ``NcursesTerminal/Options/focus`` is set.
  case focus(Bool)
  /// The terminal reported its background; only if ``NcursesTerminal/Options/background`` is set. ``EventLoop`` passes
  /// it to the terminal first, which then shows each ``Color/adaptive(dark:light:)`` accordingly.
  case background(isLight: Bool)
  /// The terminal reported the position of its cursor; only if ``NcursesTerminal/Options/ambiguousWidth`` is automatic.
  /// ``EventLoop`` passes it to the terminal first, after which ``TextWidth/ambiguousColumns`` may differ.
  case position(Point)
  /// The terminal was resized.
  case resize(Size)
  /// The program was stopped and continued, or has taken the terminal back from another one; everything must be
  /// redrawn.
  case resumed
  /// The terminal is gone or the program is asked to terminate (such as by SIGTERM): save and exit.
  case terminate(signal: Int32)
}

/// A key with its modifiers.
public struct Key: Hashable, Sendable {
  /// The keys that a terminal can distinguish.
  public enum Code: Hashable, Sendable {
    /// A typed character; never a control character. ``InputDecoder`` delivers each code point of a cluster on its own.
    case character(Character)
    /// Named keys.
    case enter, tab, backTab, escape, backspace, delete, insert
    /// Movement.
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F24.
    case function(Int)
  }

  /// The modifiers that were held down, as far as the terminal reports them.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// The modifier bits.
    public let rawValue: UInt8
    /// Creates modifiers from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Control: `.character("a")` with `.control` is Ctrl-A.
    public static let control = Modifiers(rawValue: 1)
    /// Alt or Meta; also for a key typed right after Esc.
    public static let alt = Modifiers(rawValue: 2)
    /// Shift with a named key; a shifted letter is just the capital letter.
    public static let shift = Modifiers(rawValue: 4)
  }

  /// The key.
  public var code: Code
  /// The modifiers.
  public var modifiers: Modifiers

  /// Creates a key with modifiers.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// True if the key types text in a field: a character without Control or Alt.
  public var typesText: Bool {
    if case .character = code { modifiers.isDisjoint(with: [.control, .alt]) } else { false }
  }

  /// Returns the key of a typed character.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// Returns Ctrl with a letter in lower case: `.control("s")`.
  public static func control(_ character: Character) -> Key { Key(.character(character), .control) }
}

/// A mouse event in cells.
public struct Mouse: Hashable, Sendable {
  /// The kinds of mouse events.
  public enum Action: Hashable, Sendable {
    /// A button was pressed or released, or the pointer moved while it was down.
    case press, release, drag
    /// The wheel was turned away from or toward the user.
    case wheelUp, wheelDown
  }

  /// The kind of event.
  public var action: Action
  /// 0 left, 1 middle, 2 right; 0 for the wheel, and for a release if the terminal does not report the button.
  public var button: Int
  /// The cell under the pointer.
  public var position: Point
  /// 1, or 2 for a second press of the same button within half a second on the same cell.
  public var clicks: Int

  /// Creates a mouse event.
  public init(_ action: Action, button: Int = 0, at position: Point, clicks: Int = 1) {
    self.action = action
    self.button = button
    self.position = position
    self.clicks = clicks
  }
}

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
