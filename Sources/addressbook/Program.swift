import AddressBookModel
import AddressBookTUI
import ArgumentParser
import AvatarImage
import BookCare
import BookInterchange
import BookSearching
import Glibc
import Messages
import SystemCalls

/// Runs a command line, and turns an error into a message and an exit status.
enum Program {
  /// Runs a command line without the program's name.
  /// - Returns: the exit status, see ``ExitStatus``.
  static func run(_ arguments: [String]) -> Int32 {
    ProcessSetup.run()
    if let variable = ProcessEnvironment.firstWithoutText(of: pathVariables) {
      StandardError.say(strings("Misuse/variableNotUTF8", variable))
      return ExitStatus.misuse.rawValue
    }
    PersonalSettings.applyLanguageAndFields()
    do {
      if try Screen.openAtOnce(arguments) { return ExitStatus.done.rawValue }
      var command = try PackedArguments(arguments).parse() ?? AddressBookCommand.parseAsRoot(arguments)
      try command.run()
      return ExitStatus.done.rawValue
    } catch {
      return report(error, arguments)
    }
  }

  /// The variables that name the program's files.
  private static let pathVariables = StoreLocation.variables + ["XDG_CONFIG_HOME", "XDG_STATE_HOME"]

  /// Refuses an argument that is not UTF-8: otherwise a name would be stored with replacement characters, or a search
  /// would find nothing.
  /// - Parameter number: the number of the argument, from 1.
  /// - Returns: the exit status.
  static func refuseArgument(_ number: Int) -> Int32 {
    ProcessSetup.run()
    StandardError.say(strings("Misuse/notUTF8", number))
    return ExitStatus.misuse.rawValue
  }

  private static func report(_ error: any Error, _ arguments: [String]) -> Int32 {
    switch error {
    case let failure as CommandFailure:
      if !failure.message.isEmpty { StandardError.say(failure.message) }
      if failure.status == .nothingFound, let unknown = UnknownCommand.ofGroup(arguments) {
        StandardError.say(unknown.message)
      }
      return failure.status.rawValue
    case let error as EditError:
      return report(CommandFailure(error), arguments)
    case is BrokenPipe:
      // The reader is gone, for example `head`: there is no one to tell.
      return ExitStatus.brokenPipe.rawValue
    case let error as StoreError:
      StandardError.say(error.message(in: .shared))
      return error.reason == .cancelled ? ExitStatus.interrupted.rawValue : ExitStatus.failed.rawValue
    case let error as BackupError:
      StandardError.say(error.message(in: .shared))
      return ExitStatus.failed.rawValue
    case let failure as FileFailure:
      let reason = failure.isOpenDatabase ? strings("Failed/isBook") : failure.message
      StandardError.say(
        failure.isNotAFile ? strings("Failed/notAFile", failure.path) : strings("Failed/write", failure.path, reason))
      return ExitStatus.failed.rawValue
    case let error as ImportError:
      StandardError.say(error.message(in: .shared))
      return error.reason == .cancelled ? ExitStatus.interrupted.rawValue : ExitStatus.failed.rawValue
    default:
      return reportParsing(error, arguments)
    }
  }

  /// Help and version go to standard output; errors in the command line, with the usage, go to standard error.
  private static func reportParsing(_ error: any Error, _ arguments: [String]) -> Int32 {
    let code = AddressBookCommand.exitCode(for: error)
    let text = AddressBookCommand.fullMessage(for: error, columns: .max)
    // The line that names the command, in help and in errors.
    let usage = text.split(separator: "\n").first { $0.hasPrefix("USAGE: ") || $0.hasPrefix("Usage: ") }
    var output = text
    if let usage, let tree = try? CommandTree.ofProgram() {
      if let unknown = UnknownCommand(arguments, in: tree) {
        StandardError.line(misuseText(unknown.message, unknown.path))
        return ExitStatus.misuse.rawValue
      }
      let path = tree.find(usage.split(separator: " ").dropFirst(2).map(String.init)).path
      guard code == .success else {
        let message = ParserMessage.localized(AddressBookCommand.message(for: error))
        StandardError.line(misuseText(message, path))
        return ExitStatus.misuse.rawValue
      }
      output = HelpPage(path: path).text
    }
    guard code == .success else {
      if !text.isEmpty { StandardError.say(text) }
      return ExitStatus.failed.rawValue
    }
    do {
      let standardOutput = StandardOutput()
      standardOutput.write(output.isEmpty || output.hasSuffix("\n") ? output : output + "\n")
      try standardOutput.flush()
      return ExitStatus.done.rawValue
    } catch {
      return ExitStatus.failed.rawValue
    }
  }

  /// An error in the command line, the usage of the command, and where to read more.
  private static func misuseText(_ message: String, _ path: [CommandTree.Command]) -> String {
    let command = path.map(\.commandName).joined(separator: " ")
    return strings("Heading/Error", message) + "\n" + HelpPage(path: path).usage(strings("Heading/Usage")) + "\n  "
      + strings("Parser/information", command + " --help")
  }
}

/// A word that is not a command, where there should be one.
private struct UnknownCommand {
  let message: String
  /// The commands before it.
  let path: [CommandTree.Command]

  /// Nil if the command line has no such word; below the program's own commands, also if none is similar to the word,
  /// which may be an argument of the default command.
  init?(_ arguments: [String], in tree: CommandTree) {
    let (path, unknown) = tree.find(tree.words(of: arguments))
    guard let unknown, let command = path.last else { return nil }
    let names = command.visibleSubcommands.map(\.commandName)
    let nearest = names.map { (name: $0, changes: Self.changes(from: unknown, to: $0)) }.min { $0.changes < $1.changes }
    if path.count == 1, let known = Self.otherNames[unknown] {
      message = strings("Parser/unknownCommand.suggestion", unknown, known)
    } else if let nearest, nearest.changes <= (unknown.count < 4 ? 1 : 2) {
      message = strings("Parser/unknownCommand.suggestion", unknown, nearest.name)
    } else if path.count == 1 {
      message = strings("Parser/unknownCommand", unknown)
    } else {
      return nil
    }
    self.path = path
  }

  /// What abook, khard and shells call commands, and the commands here.
  private static let otherNames = [
    "search": "list", "find": "list", "grep": "list", "ls": "list", "view": "show", "details": "show", "cat": "show",
    "new": "add", "create": "add", "modify": "edit", "remove": "delete", "rm": "delete", "email": "query",
    "phone": "query", "convert": "export", "settings": "config",
  ]

  /// The same for a word that was taken for the argument of a default command, such as `lst` of `group lst`.
  static func ofGroup(_ arguments: [String]) -> UnknownCommand? {
    let isGroup = AddressBookCommand.configuration.subcommands.contains { command in
      command.configuration.defaultSubcommand != nil && arguments.contains(command.configuration.commandName ?? "")
    }
    guard isGroup, let tree = try? CommandTree.ofProgram() else { return nil }
    return UnknownCommand(arguments, in: tree)
  }

  /// The number of letters to insert, remove, replace or swap with their neighbors (optimal string alignment).
  private static func changes(from one: String, to other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    var rows = [Array(0...other.count)]
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}

/// The program's exit statuses.
enum ExitStatus: Int32 {
  /// Success.
  case done = 0
  /// Nothing was found or chosen; or a sync left conflicts or skipped files; or `merge-cards` found a conflict.
  case nothingFound = 1
  /// The command line was invalid, or there is no suitable terminal.
  case misuse = 2
  /// A failure that changed nothing in the book; or a sync could not be completed; or `doctor` found something that
  /// needs attention, or left it after a repair.
  case failed = 3
  /// A conflicting change was made in the meantime; nothing was changed.
  case conflict = 4
  /// Only a part was done: the change was stored but its ids or report could not be printed, some of several files
  /// could not be read, or a directory did not send all results.
  case incomplete = 5
  /// Control-C or SIGTERM canceled the command, or the user canceled `pick`: 128 + SIGINT, as in shells.
  case interrupted = 130
  /// The reader of the output is gone: 128 + SIGPIPE.
  case brokenPipe = 141
}

/// The failure of a command, with a message in the user's language; empty if no message should be printed.
struct CommandFailure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// The book was not changed.
  init(_ error: EditError) {
    let status: ExitStatus =
      switch error {
      case .conflict, .writtenSince, .missing: .conflict
      case .store(let error) where error.reason == .cancelled: .interrupted
      case .invalid, .exists, .store: .failed
      }
    self.init(status, error.message(in: .shared))
  }

  /// There is no contact with an id, UID, URI or name.
  static func noContact(_ reference: some CustomStringConvertible) -> CommandFailure {
    CommandFailure(.nothingFound, strings("Found/noContact", reference))
  }

  /// Nothing matched a query or a reference.
  static func nothingFound(_ query: String) -> CommandFailure {
    CommandFailure(.nothingFound, query.isEmpty ? strings("Found/emptyQuery") : strings("Found/none", query))
  }

  /// Nothing matched words that contain a field that does not exist, such as `city:berlin`; nil if they contain none.
  /// Only then are they refused: the words may be text of a contact.
  static func unknownField(in words: String) -> CommandFailure? {
    BookSearch.unknownField(in: words).map { field, known in
      CommandFailure(.misuse, strings("Misuse/searchField", field, Localization.shared.list(known)))
    }
  }
}

/// Prepares the process before anything is opened.
private enum ProcessSetup {
  static func run() {
    // A book must not get the number of a closed standard descriptor: messages would be written into it.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    // Otherwise a closed pipe or a file size limit would end the program; the failed write reports it instead.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // If the parent ignored it, the exit status of a program that this one starts would be unknown.
    signal(SIGCHLD, SIG_DFL)
    HeapLimits.setIfLimited()
    AddressBook.simplifySQLiteMemory()
    Localization.reserveMessageDescriptor()
  }
}

extension DecodingProcess {
  /// Decodes photos in a second process of this program, started when it is first needed.
  static func ofProgram() -> DecodingProcess {
    // The child runs this very file, even if another file has taken its path in the meantime.
    DecodingProcess(executable: "/proc/self/exe")
  }
}
