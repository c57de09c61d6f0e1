/// Something in the input that is not as it should be, and where.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  /// What may be wrong.
  public enum Problem: Hashable, Sendable {
    /// The input is compressed or of another kind altogether; nothing of it was read.
    case notText
    /// So much text without a card that reading stopped.
    case noCardFound
    /// Lines outside any card were passed over: their number and the beginning of the first.
    case textOutsideCard(lines: Int, beginning: String)
    /// The next card or the end of the input came before END:VCARD; the card was kept.
    case missingEnd
    /// A second BEGIN:VCARD directly after the first, or an END that names something else; passed over.
    case strayDelimiter
    /// A line without a colon or a property name; left out. The beginning of its text.
    case malformedLine(String)
    /// A property was longer than the limit of so many bytes; left out.
    case lineTooLong(limit: Int)
    /// The card had more properties than this limit; the rest was left out.
    case tooManyLines(limit: Int)
    /// The card was longer than this limit in bytes; it was left out.
    case cardTooLong(limit: Int)
    /// Characters that could not be read were replaced by U+FFFD: their number.
    case unreadableCharacters(Int)
    /// A charset that is not known was declared.
    case unknownCharset(String)
    /// A version other than 2.1, 3.0 and 4.0; the card was read as 3.0.
    case unknownVersion(String)
    /// The card says no version; it was read as 3.0.
    case missingVersion
    /// A picture that is not base64; it was not taken over.
    case unreadablePhoto
    /// The card has more than one picture; this many after the first were not taken over.
    case furtherPhotos(Int)
    /// The card has this many more problems.
    case furtherProblems(Int)
  }

  /// Line of the input, from 1.
  public let line: Int
  /// What is wrong there.
  public let problem: Problem

  /// A finding on a line.
  public init(line: Int, problem: Problem) {
    self.line = line
    self.problem = problem
  }

  /// The finding in English, for logs: `line 12: no END:VCARD`.
  public var description: String { "line \(line): \(message)" }

  private var message: String {
    switch problem {
    case .notText: return "not a vCard but compressed or binary data"
    case .noCardFound: return "no BEGIN:VCARD in a long stretch of text; reading stopped"
    case .textOutsideCard(let lines, let beginning): return "\(lines) line(s) outside a card: \(beginning)"
    case .missingEnd: return "no END:VCARD"
    case .strayDelimiter: return "BEGIN or END out of place"
    case .malformedLine(let text): return "not a property: \(text)"
    case .lineTooLong(let limit): return "property longer than \(limit) bytes left out"
    case .tooManyLines(let limit): return "more than \(limit) properties; the rest left out"
    case .cardTooLong(let limit): return "card longer than \(limit) bytes left out"
    case .unreadableCharacters(let count): return "\(count) unreadable character(s) replaced"
    case .unknownCharset(let name): return "unknown charset \(name)"
    case .unknownVersion(let version): return "unknown version \(version), read as 3.0"
    case .missingVersion: return "no VERSION, read as 3.0"
    case .unreadablePhoto: return "picture that cannot be decoded left out"
    case .furtherPhotos(let count): return "\(count) picture(s) after the first left out"
    case .furtherProblems(let count): return "\(count) further problem(s)"
    }
  }
}
