import AddressBookTUI
import Glibc

/// Opens the screen: the one place where the command meets `AddressBookTUI`.
enum Screen {
  static func open(_ options: BookOptions) throws {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw CommandFailure(.misuse, words("Failed/noTerminal"))
    }
    throw CommandFailure(.failed, words("Failed/noScreen"))
  }
}
