import Foundation
import TerminalKit
import Testing

/// A pseudo-terminal whose other end a test reads and writes.
public final class PseudoTerminal {
  /// The test's end.
  public let master: Int32
  /// The program's end.
  public let slave: Int32

  /// Opens a terminal of the given size.
  /// - Parameter cell: the size of a cell in pixels; nil if the terminal does not report it.
  public init(_ size: Size, cell: PixelSize? = nil) throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    self.master = master
    self.slave = slave
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    resize(size, cell: cell)
  }

  deinit {
    _ = close(master)
    _ = close(slave)
  }

  /// Resizes the window.
  public func resize(_ size: Size, cell: PixelSize? = nil) {
    var window = winsize(
      ws_row: UInt16(size.rows), ws_col: UInt16(size.columns),
      ws_xpixel: UInt16(size.columns * (cell?.width ?? 0)), ws_ypixel: UInt16(size.rows * (cell?.height ?? 0)))
    _ = ioctl(master, UInt(TIOCSWINSZ), &window)
  }

  /// The terminal modes.
  public var modes: [UInt32] {
    var modes = termios()
    tcgetattr(slave, &modes)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  /// Returns the output since the previous call. The kernel delivers it asynchronously, so this writes a marker after
  /// it and waits for the marker. A small screen fits into the kernel's buffer, so nothing has to be read in the
  /// meantime.
  public func output() -> [UInt8] {
    let mark = Array("\u{1B}]mark\u{7}".utf8)
    _ = write(slave, mark, mark.count)
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !all.suffix(mark.count).elementsEqual(mark) {
      var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      let count = poll(&descriptor, 1, 5000) > 0 ? read(master, &buffer, buffer.count) : 0
      guard count > 0 else {
        Issue.record("the marker after the output did not arrive")
        return all
      }
      all += buffer[..<count]
    }
    return all.dropLast(mark.count)
  }
}
