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
