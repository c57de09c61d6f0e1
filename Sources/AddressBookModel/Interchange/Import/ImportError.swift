/// Why an import ended and changed nothing.
public struct ImportError: Error, Hashable, Sendable {
  /// What happened.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There is no such file.
    case missing
    /// The file may not be read.
    case notPermitted
    /// Reading failed.
    case unreadable
    /// The path is a folder.
    case isFolder
    /// The path is the book that is imported into, or a file beside it.
    case isBook
    /// The path is a device or a socket, which may never end.
    case isDevice
    /// The path is a pipe that nobody writes to.
    case noWriter
    /// More came from a pipe than is taken; `detail` is the limit in MiB.
    case tooLong
    /// What came from a pipe could not be kept; `detail` is the system's reason.
    case noSpool
    /// The file is compressed; `detail` is the command that unpacks it.
    case compressed
    /// The file is of another kind; `detail` says which.
    case foreign
    /// No card was found.
    case noCards
    /// The JSON is malformed at `line`.
    case notJSON
    /// The person cancelled.
    case cancelled
  }

  /// What happened.
  public let reason: Reason
  /// The file as the person named it; `-` for standard input.
  public let file: String
  /// Line of the file, from 1; nil when no line is to blame.
  public let line: Int?
  /// More: a command, a kind of file, or the system's words. May be empty.
  public let detail: String

  init(_ reason: Reason, file: String, line: Int? = nil, detail: String = "") {
    self.reason = reason
    self.file = file
    self.line = line
    self.detail = detail
  }
}

extension ImportError: CustomStringConvertible {
  /// The message in the language of the process.
  public var description: String { message(in: .shared) }

  /// What happened, in which file, and what to do.
  /// - Parameter localization: the words to use.
  public func message(in localization: Localization) -> String {
    let place = file == "-" ? localization.text("Import/standardInput", table: "Command") : file
    return localization.text("ErrorString/import.\(reason.rawValue)", place, line ?? 0, detail, table: "Command")
  }
}
