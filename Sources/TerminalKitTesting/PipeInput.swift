import Glibc
import TerminalKit

/// Keys and signals from pipes, for tests.
@MainActor
public final class PipeInput: InputSource {
  private let keyboard = TestPipe()
  private let signals = TestPipe()
  /// The number of requests to stop the process.
  public private(set) var stops = 0
  /// The closure that is called instead of stopping.
  public var onStop: (() -> Void)?
  /// Whether the program is in the foreground; settable, initially true.
  public var isInForeground = true

  /// Creates an input without any data yet.
  public init() {}

  /// The pipe that `type` fills.
  public var keyboardDescriptor: Int32 { keyboard.readEnd }
  /// The pipe that ``signal(_:)`` fills.
  public var signalDescriptor: Int32 { signals.readEnd }

  /// Counts the request, and calls ``onStop``.
  public func stopProcess(wholeGroup: Bool) {
    stops += 1
    onStop?()
  }

  /// Types bytes as a terminal would send them. The pipe holds at most 64 KiB until the loop reads.
  public func type(_ bytes: some Sequence<UInt8>) { keyboard.write(Array(bytes)) }
  /// Types text.
  public func type(_ text: String) { type(text.utf8) }
  /// Delivers a signal.
  public func signal(_ number: Int32) { signals.write([UInt8(truncatingIfNeeded: number)]) }
  /// Closes the terminal's other end.
  public func hangUp() { keyboard.closeWriteEnd() }
}

/// A non-blocking pipe that is closed on exec.
private final class TestPipe {
  let readEnd: Int32
  private var writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no descriptors are left")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    _ = close(readEnd)
    closeWriteEnd()
  }

  /// Writes as much as fits.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(writeEnd, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func closeWriteEnd() {
    if writeEnd >= 0 { _ = close(writeEnd) }
    writeEnd = -1
  }
}
