import Glibc
import SystemCalls

/// A directory, and the credentials and protection of a connection to it.
public struct DirectoryAccess: Hashable, Sendable {
  /// The address.
  public var url: DirectoryURL
  /// The DN to bind with; nil to bind anonymously.
  public var user: String?
  /// The password of the user, in UTF-8; nil for none.
  public var password: [UInt8]?
  /// Whether to connect without TLS to an `ldap://` address. Otherwise a connection to another machine is protected
  /// with StartTLS, or refused.
  public var allowsClearText = false
  /// How long to wait for the server, in seconds: to connect, and for each part of an answer.
  public var timeout = 10

  /// Creates access as the user in the address, or anonymous access.
  public init(_ url: DirectoryURL) {
    self.url = url
    user = url.user
  }

  /// Whether StartTLS protects the connection.
  var startsTLS: Bool { url.scheme == .ldap && !url.isLoopback && !allowsClearText }

  /// Whether others could read what is sent.
  var sendsClearText: Bool { url.scheme == .ldap && !url.isLoopback && allowsClearText }
}

/// Why a directory could not be searched.
public struct DirectoryError: Error, Hashable, Sendable {
  /// The failures that messages tell apart.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// OpenLDAP's library is not installed.
    case noLibrary
    /// No connection, or it was lost; `detail` is the library's reason.
    case unreachable
    /// The server did not answer in time.
    case timedOut
    /// The connection is not protected: the server refuses StartTLS, or requires encryption; `detail` says why.
    case notProtected
    /// The server's certificate is not valid or not trusted, or the port does not use TLS.
    case untrusted
    /// A password would be sent without encryption.
    case passwordInClear
    /// The name or the password is wrong.
    case wrongPassword
    /// No password for the user; `detail` is the program that should have printed it, empty if none is set.
    case noPassword
    /// The server does not allow this user, or anonymous users, to search.
    case notPermitted
    /// The server does not name a base, and neither does the address.
    case noBase
    /// The base does not exist; `detail` is the base.
    case missingBase
    /// The filter in the address is not valid.
    case badFilter
    /// The entries are on another server.
    case referral
    /// Anything else; `detail` is the server's message.
    case refused
    /// The search was stopped.
    case cancelled
  }

  /// What failed.
  public let reason: Reason
  /// Details, often text from the server; may be empty.
  public let detail: String

  /// Creates an error; only some reasons have details.
  public init(_ reason: Reason, detail: String = "") {
    self.reason = reason
    self.detail = detail
  }
}

/// A program that prints a password, as in the settings of git and aerc; run without a shell.
public struct PasswordProgram: Hashable, Sendable {
  /// Why there is no password.
  public enum Failure: Error, Hashable, Sendable {
    /// It did not start: the value of `errno`.
    case notStarted(Int32)
    /// It ended with this status, or 128 plus the number of the signal that ended it.
    case ended(Int32)
    /// The first line of its output is empty.
    case noPassword
  }

  /// The program and its arguments.
  public let words: [String]
  /// Roughly how many bytes of output are kept.
  private static let outputLimit = 1 << 16

  /// Creates a program with its arguments.
  /// - Parameter words: at least one, and without NUL; otherwise the result is nil.
  public init?(words: [String]) {
    guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.contains("\0") }) else { return nil }
    self.words = words
  }

  /// Creates a program with its arguments, separated by blanks. Quotation marks and backslashes work as in a shell,
  /// except that nothing else is special, so `\$` in double quotation marks keeps its backslash.
  /// - Returns: nil if a quotation mark is not closed, nothing follows a backslash, there is no program, or a word has
  ///   a NUL.
  public init?(_ text: String) {
    guard let words = Self.words(of: text) else { return nil }
    self.init(words: words)
  }

  private static func words(of text: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      switch (quote, character) {
      case (nil, "\\"), ("\"", "\\"):
        guard let next = rest.popFirst() else { return nil }
        // Inside quotation marks a backslash only escapes a quotation mark or a backslash.
        let isKept = quote != nil && next != "\"" && next != "\\"
        word = (word ?? "") + (isKept ? "\\" : "") + String(next)
      case (nil, "\""), (nil, "'"):
        quote = character
        word = word ?? ""
      case (let open?, _) where open == character: quote = nil
      case (nil, _) where character.isWhitespace:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if quote != nil { return nil }
    if let word { words.append(word) }
    return words
  }

  /// Returns the program with each `{}` in its arguments replaced by a text.
  public func with(_ text: String) -> PasswordProgram {
    var filled = self.words
    for index in filled.indices.dropFirst() {
      filled[index] = filled[index].split(separator: "{}", omittingEmptySubsequences: false).joined(separator: text)
    }
    return PasswordProgram(words: filled) ?? self
  }

  /// Runs the program to its end.
  /// - Parameter usesTerminal: true to let the program ask on the terminal; false while the screen uses the terminal.
  /// - Returns: the first line of its output.
  public func run(usesTerminal: Bool) throws(Failure) -> [UInt8] {
    let output: [UInt8]
    let end: ChildProcess.End
    do throws(FileFailure) {
      (output, end) = try ChildProcess.run(
        words, terminal: usesTerminal ? .shared : .none, limit: Self.outputLimit)
    } catch {
      throw .notStarted(error.code)
    }
    if case .status(let status) = end, status != 0 { throw .ended(status) }
    let line = output.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty else { throw .noPassword }
    return Array(line)
  }
}
