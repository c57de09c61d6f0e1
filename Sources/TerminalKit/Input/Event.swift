/// What a person or the system did, as the event loop hands it to the program.
public enum Event: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// Text came by bracketed paste (DEC mode 2004); control characters other than tab and newline are already removed.
  case paste(String)
  /// The mouse did something (SGR mode 1006).
  case mouse(Mouse)
  /// The window got the keyboard's focus, or lost it (DEC mode 1004); only where ``NcursesTerminal/Options/focus`` asked for it.
  case focus(Bool)
  /// The terminal has another size now.
  case resize(Size)
  /// The program was stopped and continues; everything must be redrawn.
  case resumed
  /// The terminal is gone or the program is asked to end (SIGHUP, SIGTERM): save and leave.
  case terminate(signal: Int32)
}

/// A key with its modifiers.
public struct Key: Hashable, Sendable {
  /// The keys a terminal can tell apart.
  public enum Code: Hashable, Sendable {
    /// A typed grapheme cluster; never a control character.
    case character(Character)
    /// Named keys.
    case enter, tab, backTab, escape, backspace, delete, insert
    /// Movement.
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F24.
    case function(Int)
  }

  /// Modifiers held down, as far as the terminal reports them.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// One bit a modifier.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Control: `.character("a")` with `.control` is Ctrl-A.
    public static let control = Modifiers(rawValue: 1)
    /// Alt or Meta: also a key typed right after Esc.
    public static let alt = Modifiers(rawValue: 2)
    /// Shift on a named key; a shifted letter is the capital letter without it.
    public static let shift = Modifiers(rawValue: 4)
  }

  /// Which key.
  public var code: Code
  /// With which modifiers.
  public var modifiers: Modifiers

  /// A key with modifiers.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// True when the key types text in a field: a character without Control or Alt.
  public var typesText: Bool {
    if case .character = code { modifiers.isDisjoint(with: [.control, .alt]) } else { false }
  }

  /// A typed character.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// Ctrl with a letter, written small: `.control("s")`.
  public static func control(_ character: Character) -> Key { Key(.character(character), .control) }
}

/// A mouse event in cells.
public struct Mouse: Hashable, Sendable {
  /// What happened.
  public enum Action: Hashable, Sendable {
    /// A button went down, was let go, or the pointer moved with it down.
    case press, release, drag
    /// The wheel turned away from or towards the person.
    case wheelUp, wheelDown
  }

  /// What happened.
  public var action: Action
  /// 0 left, 1 middle, 2 right; 0 for the wheel.
  public var button: Int
  /// The cell.
  public var position: Point
  /// 1, or 2 for the second press within half a second on the same cell.
  public var clicks: Int

  /// A mouse event.
  public init(_ action: Action, button: Int = 0, at position: Point, clicks: Int = 1) {
    self.action = action
    self.button = button
    self.position = position
    self.clicks = clicks
  }
}
