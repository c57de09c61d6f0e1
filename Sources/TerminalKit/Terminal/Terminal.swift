import Glibc

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

/// The terminal as a device: our own descriptors, its modes, its size.
///
/// The device is reopened if possible: then O_NONBLOCK set by another program does not affect our writes, and ours does
/// not affect its reads.
final class TerminalDevice {
  /// For reading; never blocks, if the device could be reopened.
  let input: Int32
  /// For writing; blocks, if the device could be reopened.
  let output: Int32
  /// The modes that we found.
  let savedModes: termios

  /// Opens the terminal of these descriptors, which remain the caller's.
  init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws(TerminalError) {
    guard isatty(input) == 1 else { throw .inputIsNotATerminal }
    guard isatty(output) == 1 else { throw .outputIsNotATerminal }
    var modes = termios()
    guard tcgetattr(output, &modes) == 0 else { throw .system(errno) }
    savedModes = modes
    self.input = Self.reopened(input, O_RDWR | O_NONBLOCK)
    self.output = Self.reopened(output, O_RDWR)
    guard self.input >= 0, self.output >= 0 else { throw .system(errno) }
  }

  /// Returns the terminal of standard input and output; the controlling terminal replaces one that is not a terminal.
  static func ofProcess() throws(TerminalError) -> TerminalDevice {
    let tty = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 ? -1 : openTerminalOfProcess()
    defer { if tty >= 0 { _ = close(tty) } }
    return try TerminalDevice(
      input: isatty(STDIN_FILENO) == 1 || tty < 0 ? STDIN_FILENO : tty,
      output: isatty(STDOUT_FILENO) == 1 || tty < 0 ? STDOUT_FILENO : tty)
  }

  /// True if ``ofProcess()`` finds a terminal to read keys from.
  static var processHasKeyboard: Bool {
    if isatty(STDIN_FILENO) == 1 { return true }
    let tty = openTerminalOfProcess()
    defer { if tty >= 0 { _ = close(tty) } }
    return tty >= 0
  }

  private static func openTerminalOfProcess() -> Int32 { open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC) }

  /// Lines and columns from TIOCGWINSZ; 24 × 80 if the terminal does not know, as on a serial line.
  var size: Size {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else {
      return Size(rows: 24, columns: 80)
    }
    return Size(rows: Int(window.ws_row), columns: Int(window.ws_col))
  }

  /// The size of a cell in pixels, also from TIOCGWINSZ; nil if the terminal does not know it or reports an implausible
  /// one.
  var cellPixels: PixelSize? {
    var window = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else { return nil }
    let cell = PixelSize(
      width: Int(window.ws_xpixel) / Int(window.ws_col), height: Int(window.ws_ypixel) / Int(window.ws_row))
    return (4...64).contains(cell.width) && (8...128).contains(cell.height) ? cell : nil
  }

  /// True while the terminal belongs to us and not to the shell, or if there is no job control.
  var isInForeground: Bool {
    let group = tcgetpgrp(output)
    return group == -1 || group == getpgrp()
  }

  /// Writes all bytes, waiting as necessary; gives up if the terminal is gone.
  func write(_ bytes: [UInt8]) { write(bytes[...]) }

  func write(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        if poll(&descriptor, 1, -1) > 0, descriptor.revents & Int16(POLLOUT) == 0 { return }
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }

  /// Reads and discards input until a reply has arrived, for at most that many milliseconds.
  func discardInput(until answer: [UInt8], atMost milliseconds: Int) {
    let deadline = MonotonicClock.milliseconds + milliseconds
    var tail: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let left = deadline - MonotonicClock.milliseconds
      var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&descriptor, 1, Int32(clamping: left)) >= 0 || errno == EINTR else { return }
      guard descriptor.revents != 0 else { continue }
      guard case .bytes(let count) = DescriptorRead(input, into: &buffer) else { return }
      tail += buffer[..<count]
      if !tail.ranges(of: answer).isEmpty { return }
      tail = Array(tail.suffix(answer.count - 1))
    }
  }

  func restoreModes() {
    var modes = savedModes
    _ = tcsetattr(output, TCSANOW, &modes)
  }

  private static func reopened(_ descriptor: Int32, _ flags: Int32) -> Int32 {
    var name = [CChar](repeating: 0, count: 256)
    if ttyname_r(descriptor, &name, name.count) == 0 {
      let opened = open(name, flags | O_NOCTTY | O_CLOEXEC)
      // In a container without its own /dev/pts, the name may belong to another device.
      if opened >= 0, isSameDevice(opened, descriptor) { return opened }
      if opened >= 0 { _ = close(opened) }
    }
    return fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
  }

  private static func isSameDevice(_ first: Int32, _ second: Int32) -> Bool {
    var one = stat()
    var other = stat()
    return fstat(first, &one) == 0 && fstat(second, &other) == 0 && one.st_rdev == other.st_rdev
  }
}

/// The keyboard of the real terminal, and the process's signals.
@MainActor
final class TerminalInput: InputSource {
  private let device: TerminalDevice
  let signalDescriptor: Int32

  init(device: TerminalDevice, signalDescriptor: Int32) {
    self.device = device
    self.signalDescriptor = signalDescriptor
  }

  var keyboardDescriptor: Int32 { device.input }
  var isInForeground: Bool { device.isInForeground }
  func stopProcess(wholeGroup: Bool) { TerminalGuard.stop(wholeGroup: wholeGroup) }
}
