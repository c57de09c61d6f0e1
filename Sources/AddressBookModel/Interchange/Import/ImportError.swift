/// Why a file could not be read or imported.
public struct ImportError: Error, Hashable, Sendable {
  /// The reasons for a failure.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There is no such file.
    case missing
    /// No permission to read the file.
    case notPermitted
    /// Reading failed.
    case unreadable
    /// The path is a folder.
    case isFolder
    /// The path is the book itself, or one of its additional files.
    case isBook
    /// The path is a device or a socket, which may never end.
    case isDevice
    /// The path is a pipe without a writer.
    case noWriter
    /// A pipe sent more than the limit; `detail` is the limit in MiB.
    case tooLong
    /// Data from a pipe could not be stored; `detail` is the system's reason.
    case noSpool
    /// The file is compressed; `detail` is the command that unpacks it.
    case compressed
    /// The file has another type; `detail` says which.
    case foreign
    /// No cards were found.
    case noCards
    /// The JSON is invalid at `line`.
    case notJSON
    /// No column of a CSV file is known.
    case noKnownColumn
    /// The user canceled.
    case cancelled
  }

  /// The reason.
  public let reason: Reason
  /// The file as the user named it; `-` for standard input.
  public let file: String
  /// Line of the file, from 1; nil if the error is not on a line.
  public let line: Int?
  /// Details: a command, a type of file, a limit, or the system's message; may be empty.
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

  /// Returns the message: what happened, in which file, and for most reasons what to do.
  /// - Parameters:
  ///   - localization: the language of the message.
  ///   - isTolerated: true if other files were imported anyway.
  public func message(in localization: Localization, isTolerated: Bool = false) -> String {
    let source = file == "-" ? localization.text("Import/standardInput", table: "Command") : file
    let key = "ErrorString/import.\(reason.rawValue)"
    let hasOwnText = isTolerated && localization.has(key + ".tolerated", table: "Command")
    return localization.text(
      hasOwnText ? key + ".tolerated" : key, source, line ?? 0, detail, table: "Command")
  }
}
