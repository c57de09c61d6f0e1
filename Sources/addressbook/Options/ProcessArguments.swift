import CSystem

/// The arguments that the process was started with.
enum ProcessArguments {
  /// An argument that is not UTF-8.
  struct NotText: Error {
    /// Its number, from 1.
    let number: Int
  }

  /// The arguments without the program's name. Unlike `CommandLine`, this does not need /proc.
  static func afterName() throws(NotText) -> [String] {
    var arguments: [String] = []
    for number in 1..<max(1, addressbook_argument_count()) {
      guard let bytes = addressbook_argument(number) else { continue }
      guard let text = String(validatingCString: bytes) else { throw NotText(number: Int(number)) }
      arguments.append(text)
    }
    return arguments
  }
}
