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
