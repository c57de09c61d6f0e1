import AddressBookModel
import AddressBookTUI
import ArgumentParser
import AvatarImage
import BookCare
import BookInterchange
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
    Language.choose(PersonalSettings.language)
    do {
      if try Screen.openAtOnce(arguments) { return ExitStatus.done.rawValue }
      var command = try PackedArguments(arguments).parse() ?? AddressBookCommand.parseAsRoot(arguments)
      try command.run()
      return ExitStatus.done.rawValue
    } catch {
      return report(error)
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

  private static func report(_ error: any Error) -> Int32 {
    switch error {
    case let failure as CommandFailure:
      if !failure.message.isEmpty { StandardError.say(failure.message) }
      return failure.status.rawValue
    case let error as EditError:
      return report(CommandFailure(error))
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
      return reportParsing(error)
    }
  }

  /// Help and version go to standard output; errors in the command line, with the usage, go to standard error.
  private static func reportParsing(_ error: any Error) -> Int32 {
    let code = AddressBookCommand.exitCode(for: error)
    guard code != .validationFailure else {
      StandardError.line(misuseText(error))
      return ExitStatus.misuse.rawValue
    }
    let text = HelpLayout.wrapped(HelpText.localized(AddressBookCommand.fullMessage(for: error, columns: .max)))
    guard code == .success else {
      if !text.isEmpty { StandardError.say(text) }
      return ExitStatus.failed.rawValue
    }
    do {
      let output = StandardOutput()
      output.write(text.isEmpty || text.hasSuffix("\n") ? text : text + "\n")
      try output.flush()
      return ExitStatus.done.rawValue
    } catch {
      return ExitStatus.failed.rawValue
    }
  }

  /// The message of an error in the command line, with help for the argument and the usage.
  private static func misuseText(_ error: any Error) -> String {
    let message = AddressBookCommand.message(for: error)
    let text = AddressBookCommand.fullMessage(for: error)
    let beginning = "Error: " + message
    guard !message.isEmpty, text.hasPrefix(beginning) else { return HelpText.localized(text) }
    // The message contains what the user typed, so only the rest is translated as help.
    return HelpText.headed("Error", " " + ParserMessage.localized(message))
      + HelpText.localized(String(text.dropFirst(beginning.count)))
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
  /// Control-C or SIGTERM canceled the command: 128 + SIGINT, as in shells.
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

  /// Nothing matched a query or a reference.
  static func nothingFound(_ query: String) -> CommandFailure {
    CommandFailure(.nothingFound, query.isEmpty ? strings("Found/emptyQuery") : strings("Found/none", query))
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
