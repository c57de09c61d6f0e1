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
