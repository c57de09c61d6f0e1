import AddressBookTUI

/// Opens the screen: the one place where the command meets `AddressBookTUI`.
enum Screen {
  static func open(_ options: BookOptions) throws {
    do {
      // The command runs on the main thread, and nothing else has used the main actor.
      try MainActor.assumeIsolated { try AddressBookApp.run { try options.openToChange() } }
    } catch AddressBookApp.Failure.terminal(let reason) {
      throw CommandFailure(.misuse, reason)
    }
  }
}
