import AddressBookModel
import ContactInterchange
import Messages

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
    /// No mail was found.
    case noMail
    /// notmuch is not installed, or it failed.
    case notmuchFailed
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

extension ContactJSONError {
  /// Returns the message, with the location of the error.
  public func message(in words: Localization) -> String {
    func text(_ key: String, _ first: String, _ second: String = "") -> String {
      words.text("ErrorString/json." + key, first, second, table: "Command")
    }
    switch self {
    case .notJSON(let byte): return text("notJSON", "\(byte)")
    case .notAnObject(let path): return text("notAnObject", path)
    case .unknownKey(let path): return text("unknownKey", path)
    case .missingKey(let path): return text("missingKey", path)
    case .wrongType(let path, let expected):
      return text("wrongType", path, words.text("JSON/" + expected.rawValue, table: "Command"))
    case .invalidValue(let path, let value): return text("invalidValue", path, value)
    }
  }
}

extension RecordProblem {
  private static let namesShown = 30

  /// The end of the name of the text about the option of the command that changes what this is about; nil for none.
  var option: String? {
    switch self {
    case .notMapped: "map"
    case .ambiguousDate(_, _, isDayFirst: false): "dayFirst"
    case .guessedCharset: "charset"
    default: nil
    }
  }

  /// Returns the message. Text from files in it may contain control characters.
  func message(in words: Localization) -> String {
    func text(_ key: String, _ first: any CustomStringConvertible = "", _ second: String = "") -> String {
      words.text("ImportNotice/" + key, first, second, table: "Command")
    }
    func plural(_ key: String, _ count: Int) -> String {
      words.plural("ImportNotice/" + key, count: count, table: "Command")
    }
    switch self {
    case .notImported(let columns), .notMapped(let columns):
      var names = columns.prefix(Self.namesShown).map { words.noted($0.name, String($0.count)) }
      if columns.count > Self.namesShown { names.append("…") }
      return text("notImported", words.list(names))
    case .absentColumns(let names): return text("absentColumns", words.list(names))
    case .notADate(let name, let value): return text("notADate", name, value)
    case .ambiguousDate(let name, let value, let isDayFirst):
      return text(isDayFirst ? "ambiguousDate.day" : "ambiguousDate.month", name, value)
    case .inferredDateOrder(let name, let proof, let isDayFirst):
      return text(isDayFirst ? "inferredDateOrder.day" : "inferredDateOrder.month", name, proof)
    case .unreadableCharacters(let count): return plural("unreadableCharacters", count)
    case .unclosedQuote: return text("unclosedQuote")
    case .furtherValues(let count): return plural("furtherValues", count)
    case .malformedLine(let line): return text("malformedLine", line)
    case .tooLong(let limit): return text("valueTooLong", limit)
    case .elsewhere(let name): return text("elsewhere", name)
    case .changeRecord(let kind): return text("changeRecord", kind)
    case .notContacts(let count): return plural("notContacts", count)
    case .guessedCharset(let name): return text("textCharset", name)
    case .noKnownColumn: return text("noKnownColumn")
    }
  }
}
