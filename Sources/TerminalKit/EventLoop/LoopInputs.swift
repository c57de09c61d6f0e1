import Glibc
import Synchronization

/// The part of a loop that screens use; tests have their own implementation.
@MainActor
public protocol ProgramLoop: AnyObject, Sendable {
  /// Runs work on the main thread soon; callable from any thread.
  nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void)
  /// Runs work once after that many milliseconds.
  @discardableResult
  func schedule(after milliseconds: Int, _ work: @escaping @MainActor () -> Void) -> TimerID
  /// Cancels a timer; ignored if it has already fired.
  func cancel(_ timer: TimerID)
  /// Stops the program until the shell continues it.
  func suspend()
  /// Runs a program on the terminal, without a shell, and takes the terminal back when it has ended. If the user stops
  /// the program with Ctrl-Z, this program stops too.
  /// - Parameter arguments: its name or path, followed by its arguments; none contains NUL.
  func runOnTerminal(_ arguments: [String]) throws(DetachedProgram.Failure)
  /// Ends the loop after the current event.
  func stop()
}

/// The identifier of a timer of a ``ProgramLoop``.
public struct TimerID: Hashable, Sendable {
  let number: Int

  /// Creates an identifier with that number, for loops other than ``EventLoop``.
  public init(number: Int) { self.number = number }
}

extension EventLoop: ProgramLoop {}

/// The source of keys and signals: the terminal, or a test.
@MainActor
public protocol InputSource: AnyObject {
  /// The descriptor that is readable when keyboard input is available.
  var keyboardDescriptor: Int32 { get }
  /// The descriptor that is readable when signals have arrived, one byte each with the signal's number; -1 for none.
  var signalDescriptor: Int32 { get }
  /// Stops this process as Ctrl-Z does, and returns when it is continued.
  ///
  /// - Parameter wholeGroup: also stop the other programs of the pipeline, as the terminal's own Ctrl-Z does.
  func stopProcess(wholeGroup: Bool)
  /// False while the program is in the background: it must then leave the terminal alone.
  var isInForeground: Bool { get }
}

/// Work posted to the loop by other threads.
final class Inbox: Sendable {
  private let work = Mutex<[@MainActor @Sendable () -> Void]>([])
  private let wake = Pipe()

  /// The descriptor that is readable when there is work.
  var descriptor: Int32 { wake.readEnd }

  func append(_ item: @escaping @MainActor @Sendable () -> Void) {
    let isFirst = work.withLock { items in
      items.append(item)
      return items.count == 1
    }
    // One byte is enough for any number of items.
    if isFirst { wake.write([1]) }
  }

  /// Puts back work that was taken but not done, before all other work.
  func putBack(_ rest: some Collection<@MainActor @Sendable () -> Void>) {
    guard !rest.isEmpty else { return }
    let wasEmpty = work.withLock { items in
      defer { items.insert(contentsOf: rest, at: 0) }
      return items.isEmpty
    }
    if wasEmpty { wake.write([1]) }
  }

  func takeAll() -> [@MainActor @Sendable () -> Void] {
    var bytes = [UInt8](repeating: 0, count: 64)
    while case .bytes = DescriptorRead(wake.readEnd, into: &bytes) {}
    return work.withLock { items in
      defer { items = [] }
      return items
    }
  }
}

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

/// The result of reading a descriptor once.
enum DescriptorRead {
  /// Data was read, and this many bytes of the buffer were filled.
  case bytes(Int)
  /// No data is available.
  case nothing
  /// The other end is closed, or reading failed.
  case closed

  init(_ descriptor: Int32, into buffer: inout [UInt8]) {
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        self = .bytes(count)
      } else if count == 0 {
        self = .closed
      } else if errno == EINTR {
        continue
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        self = .nothing
      } else {
        // For example EIO: the terminal hung up.
        self = .closed
      }
      return
    }
  }
}

/// Work scheduled by time. A screen has a handful of timers, so a sorted array is enough.
struct TimerQueue {
  private struct Entry {
    let id: TimerID
    let deadline: Int
    let work: @MainActor () -> Void
  }

  private var entries: [Entry] = []
  private var lastNumber = 0

  /// When the next timer is due, in milliseconds of the monotonic clock; nil if there is none.
  var nextDeadline: Int? { entries.first?.deadline }

  mutating func add(deadline: Int, _ work: @escaping @MainActor () -> Void) -> TimerID {
    lastNumber += 1
    let entry = Entry(id: TimerID(number: lastNumber), deadline: deadline, work: work)
    // After those with the same deadline, to keep their order.
    let index = entries.firstIndex { $0.deadline > deadline } ?? entries.endIndex
    entries.insert(entry, at: index)
    return entry.id
  }

  mutating func remove(_ id: TimerID) { entries.removeAll { $0.id == id } }

  var newest: TimerID { TimerID(number: lastNumber) }

  /// Removes the first timer that is due and no newer than the given one, and returns its work; nil if there is none.
  mutating func takeDue(at now: Int, upTo newest: TimerID) -> (@MainActor () -> Void)? {
    let index = entries.firstIndex { $0.deadline <= now && $0.id.number <= newest.number }
    return index.map { entries.remove(at: $0).work }
  }
}

/// A clock that never jumps.
enum MonotonicClock {
  /// Milliseconds since an arbitrary point in the past.
  static var milliseconds: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
