import Glibc
import Synchronization

/// A pipe whose ends never block and are closed on exec.
final class Pipe: Sendable {
  /// The end to poll and read; -1 if no descriptor was available.
  let readEnd: Int32
  private let writeEnd: Mutex<Int32>

  init() {
    let ends = TerminalGuard.makePipe() ?? (-1, -1)
    readEnd = ends.readEnd
    writeEnd = Mutex(ends.writeEnd)
  }

  deinit {
    if readEnd >= 0 { _ = close(readEnd) }
    closeWriteEnd()
  }

  /// The end to write to from a signal handler.
  var writeDescriptor: Int32 { writeEnd.withLock { $0 } }

  /// Writes as much as fits. A full pipe is already readable, which is enough for a wake-up.
  func write(_ bytes: [UInt8]) {
    writeEnd.withLock { end in
      guard end >= 0 else { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(end, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
  }

  func closeWriteEnd() {
    writeEnd.withLock { end in
      if end >= 0 { _ = close(end) }
      end = -1
    }
  }
}
