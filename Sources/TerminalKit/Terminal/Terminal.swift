/// The seam between a program and the screen: one implementation draws through ncurses, another records for tests.
///
/// A program draws a whole ``Canvas`` for each state; the terminal sends only what changed.
@MainActor
public protocol Terminal: AnyObject {
  /// The size now.
  var size: Size { get }
  /// How many colours it shows: 0 for none, 8, 16, 256, or 16 777 216.
  var colors: Int { get }
  /// Pixels of a cell where the terminal shows images (``TerminalImage``); nil where it does not.
  var imageCell: PixelSize? { get }
  /// Brings the screen to this state, the cursor included.
  func present(_ canvas: Canvas)
  /// Forgets what is on the screen: the next `present` sends everything (Ctrl-L).
  func invalidate()
  /// Rings the bell, or flashes.
  func bell()
  /// Sends text to the system's clipboard by OSC 52, wrapped for tmux where needed.
  func copyToClipboard(_ text: String)
  /// Says that a report of the mouse came just now, and whether a button is held down: more of them may be on their way when
  /// the terminal is given back, and must not reach the shell.
  func noteMouse(isHeld: Bool)
  /// Asks for the size again, after SIGWINCH or a stop.
  func updateSize() -> Size
  /// Gives the terminal back as it was found: before a stop, and while another program has it.
  func leave()
  /// Takes the terminal again after ``leave()``; the next `present` sends everything.
  func enter()
}
