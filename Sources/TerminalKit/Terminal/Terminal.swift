/// The interface between a program and the screen: ``NcursesTerminal`` draws on a real one, and `RecordingTerminal` in
/// the module TerminalKitTesting records for tests. A program may have its own, such as a window or a web page.
///
/// A program draws a whole ``Canvas`` for each state; the terminal shows it and only sends changes. The differences are
/// found with ``Canvas/changedLines(since:)`` and ``Canvas/changedColumns(ofLine:since:limit:)``, the cells are
/// ``Canvas/cells(ofLine:)``, and the images of a frame are ``Canvas/images``. Everything is called on the main actor.
@MainActor
public protocol Terminal: AnyObject {
  /// The current size. It only changes in ``updateSize()`` and ``enter()``.
  var size: Size { get }
  /// The number of colors: 0 for none, usually 8, 16, 256, or 16,777,216.
  var colors: Int { get }
  /// The size of a cell in pixels if the terminal shows images (``TerminalImage``); otherwise nil. Like ``size``, it
  /// only changes in ``updateSize()`` and ``enter()``.
  var imageCell: PixelSize? { get }
  /// How the terminal shows images, if it does: a program makes a ``TerminalImage`` from a PNG or from sixels
  /// accordingly.
  var imageProtocol: ImageProtocol { get }
  /// Shows a frame, including the cursor. The canvas may briefly differ in size from the terminal; it is then clipped.
  /// Does nothing between ``leave()`` and ``enter()``.
  func present(_ canvas: Canvas)
  /// Drops all knowledge of the screen: the next `present` sends everything (Ctrl-L).
  func invalidate()
  /// Rings the bell or flashes the screen.
  func bell()
  /// Copies text to the system's clipboard; on a real terminal with OSC 52, wrapped for tmux or GNU screen if
  /// necessary.
  func copyToClipboard(_ text: String)
  /// Records that a mouse report has just arrived, and whether a button is held down: more reports may be in transit
  /// when the terminal is released, and must not reach the shell.
  func setMouseHeld(_ isHeld: Bool)
  /// Records whether the terminal's background is light, which it reported: the next `present` shows each
  /// ``Color/adaptive(dark:light:)`` accordingly. A report that was not requested is ignored.
  func setBackground(isLight: Bool)
  /// Records the position of the terminal's cursor, which it reported: the answer to a question about the width of
  /// characters.
  func setPosition(_ position: Point)
  /// Reads the size again, after SIGWINCH or after the process was stopped, and returns it.
  func updateSize() -> Size
  /// Restores the terminal to its original state: before the process is stopped, and while another program uses it.
  func leave()
  /// Takes over the terminal again after ``leave()``; the next `present` sends everything.
  func enter()
}

extension Terminal {
  /// No images.
  public var imageCell: PixelSize? { nil }
  /// ``ImageProtocol/kitty``, which sends PNGs.
  public var imageProtocol: ImageProtocol { .kitty }
  /// Does nothing.
  public func bell() {}
  /// Does nothing, because there is no clipboard.
  public func copyToClipboard(_ text: String) {}
  /// Does nothing, for terminals that show colors in their own way.
  public func setBackground(isLight: Bool) {}
  /// Does nothing, for terminals that are not asked.
  public func setPosition(_ position: Point) {}
  /// Does nothing, for terminals whose reports no other program can read.
  public func setMouseHeld(_ isHeld: Bool) {}
}

/// Why a terminal cannot be used. The program supplies the message.
public enum TerminalError: Error, Hashable, Sendable {
  /// Standard input is not a terminal, and the process has no controlling terminal.
  case inputIsNotATerminal
  /// Standard output is not a terminal, and the process has no controlling terminal.
  case outputIsNotATerminal
  /// TERM is unset or empty.
  case noTerminalType
  /// No description of this TERM is installed, nor one of xterm.
  case unknownTerminalType(String)
  /// This TERM, such as `dumb`, cannot position the cursor.
  case unsuitableTerminalType(String)
  /// A system call failed, with this `errno`.
  case system(Int32)
}
