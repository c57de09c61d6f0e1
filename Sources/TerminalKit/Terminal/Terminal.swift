/// The seam between a program and the screen: ``NcursesTerminal`` draws on a real one, and `RecordingTerminal` of the module
/// TerminalKitTesting records for tests. A program may have one of its own, such as a window or a web page.
///
/// A program draws a whole ``Canvas`` for each state; the terminal shows it and sends only what changed. What differs is told by
/// ``Canvas/changedLines(since:)`` and ``Canvas/changedColumns(ofLine:since:limit:)``, the cells are
/// ``Canvas/cells(ofLine:)``, the images that a picture needs ``Canvas/images``. All is called on the main actor.
@MainActor
public protocol Terminal: AnyObject {
  /// The size now. It changes only in ``updateSize()`` and ``enter()``.
  var size: Size { get }
  /// How many colors it shows: 0 for none, 8, 16, 256, or 16 777 216.
  var colors: Int { get }
  /// Pixels of a cell where the terminal shows images (``TerminalImage``); nil where it does not.
  var imageCell: PixelSize? { get }
  /// Brings the screen to this state, the cursor included. The canvas may have another size than the terminal for a moment:
  /// what is outside is cut off. Nothing happens between ``leave()`` and ``enter()``.
  func present(_ canvas: Canvas)
  /// Drops what is known of the screen: the next `present` sends everything (Ctrl-L).
  func invalidate()
  /// Rings the bell, or flashes.
  func bell()
  /// Sends text to the system's clipboard by OSC 52, wrapped for tmux where needed.
  func copyToClipboard(_ text: String)
  /// Says that a report of the mouse came just now, and whether a button is held down: more of them may be on their way when
  /// the terminal is given back, and must not reach the shell.
  func noteMouse(isHeld: Bool)
  /// Asks for the size again, after SIGWINCH or a stop, and returns it.
  func updateSize() -> Size
  /// Gives the terminal back as it was found: before a stop, and while another program has it.
  func leave()
  /// Takes the terminal again after ``leave()``; the next `present` sends everything.
  func enter()
}

extension Terminal {
  /// No images.
  public var imageCell: PixelSize? { nil }
  /// Silence.
  public func bell() {}
  /// Nothing: there is no clipboard.
  public func copyToClipboard(_ text: String) {}
  /// Nothing: for terminals whose reports nobody else can read.
  public func noteMouse(isHeld: Bool) {}
}

/// Why a terminal cannot be used. The words for a person are the program's.
public enum TerminalError: Error, Hashable, Sendable {
  /// Standard input is not a terminal, and the process has none.
  case inputIsNotATerminal
  /// Standard output is not a terminal, and the process has none.
  case outputIsNotATerminal
  /// TERM is unset or empty.
  case noTerminalType
  /// No description of this TERM is installed.
  case unknownTerminalType(String)
  /// This TERM cannot place a cursor, such as `dumb`.
  case unsuitableTerminalType(String)
  /// The system refused, with `errno`.
  case system(Int32)
}
