/// Where keys and signals come from: the terminal, or a test.
@MainActor
public protocol InputSource: AnyObject {
  /// Readable when bytes of the keyboard wait.
  var keyboardDescriptor: Int32 { get }
  /// Readable when signals wait, one byte each with the signal's number; -1 for none.
  var signalDescriptor: Int32 { get }
  /// Stops this process as Ctrl-Z does and returns when it is continued.
  ///
  /// - Parameter wholeGroup: stop the programs of the same pipeline too, as the terminal's own Ctrl-Z does.
  func stopProcess(wholeGroup: Bool)
  /// False while the shell has put the program in the background: the terminal must then be left alone.
  var isInForeground: Bool { get }
}

/// Keys and signals from pipes, for tests.
@MainActor
public final class PipeInput: InputSource {
  private let keyboard = Pipe()
  private let signals = Pipe()
  /// How often the process was asked to stop.
  public private(set) var stops = 0
  /// Called instead of stopping.
  public var onStop: (() -> Void)?
  /// Settable; true at first.
  public var isInForeground = true

  /// An input that has nothing to say yet.
  public init() {}

  /// The pipe that ``type(_:)-(String)`` fills.
  public var keyboardDescriptor: Int32 { keyboard.readEnd }
  /// The pipe that ``signal(_:)`` fills.
  public var signalDescriptor: Int32 { signals.readEnd }

  /// Counts, and calls ``onStop``.
  public func stopProcess(wholeGroup: Bool) {
    stops += 1
    onStop?()
  }

  /// Types bytes as a terminal would send them. At most 64 KiB before the loop reads.
  public func type(_ bytes: some Sequence<UInt8>) { keyboard.write(Array(bytes)) }
  /// Types text.
  public func type(_ text: String) { type(text.utf8) }
  /// Delivers a signal.
  public func signal(_ number: Int32) { signals.write([UInt8(truncatingIfNeeded: number)]) }
  /// Closes the terminal's other end.
  public func hangUp() { keyboard.closeWriteEnd() }
}
