import ArgumentParser
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

/// A command whose arguments name any number of contacts.
protocol ReferenceCommand: ParsableCommand {
  /// The references, as typed.
  var references: [String] { get set }
}

/// A command line on which many references are one argument: the time that ArgumentParser takes grows with the square
/// of their number, and is minutes for 100,000.
struct PackedArguments {
  /// The arguments for the parser; nil if there are too few to be packed.
  private let packed: [String]?
  /// No argument can contain this character.
  private static let separator: Character = "\0"
  /// The first arguments of a run may be the command, the name of a group, or the value of an option.
  private static let kept = 8
  private static let minimum = 256

  init(_ arguments: [String]) {
    // The longest run without options.
    let ends = arguments.indices.filter { arguments[$0].hasPrefix("-") } + [arguments.endIndex]
    var (start, run) = (0, 0..<0)
    for end in ends {
      if end - start > run.count { run = start..<end }
      start = end + 1
    }
    guard run.count >= Self.minimum else {
      packed = nil
      return
    }
    let references = arguments[run].dropFirst(Self.kept)
    packed =
      arguments[..<references.startIndex] + [references.joined(separator: String(Self.separator))]
      + arguments[references.endIndex...]
  }

  /// Parses the command line.
  /// - Returns: the command; nil if the arguments must be parsed as they are, because an error names one of them, or
  ///   because the command takes something else.
  func parse() -> (any ParsableCommand)? {
    guard let packed, var command = try? AddressBookCommand.parseAsRoot(packed) as? any ReferenceCommand else {
      return nil
    }
    command.references = command.references.flatMap {
      $0.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    }
    return command
  }
}
