/// A problem in the input, and its location.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problems.
  public enum Problem: Hashable, Sendable {
    /// The input is compressed or not text at all; nothing was read.
    case notText
    /// Reading stopped after a large amount of text without a card.
    case noCardFound
    /// Lines outside of any card were skipped: their number and the beginning of the first.
    case textOutsideCard(lines: Int, beginning: String)
    /// The next card or the end of the input came before END:VCARD; the card was kept.
    case missingEnd
    /// A second BEGIN:VCARD directly after the first, or a BEGIN or END of something else; skipped.
    case strayDelimiter
    /// A line without a colon or a property name, left out; with the beginning of its text.
    case malformedLine(String)
    /// A property was longer than this limit in bytes; left out.
    case lineTooLong(limit: Int)
    /// The card had more properties than this limit; the rest were left out.
    case tooManyLines(limit: Int)
    /// The card was longer than this limit in bytes; left out.
    case cardTooLong(limit: Int)
    /// This many unreadable characters were replaced by U+FFFD.
    case unreadableCharacters(Int)
    /// The charset of text without a declaration was guessed.
    case guessedCharset(String)
    /// The declared charset is unknown, or cannot be used in a card.
    case unknownCharset(String)
    /// A version other than 2.1, 3.0 and 4.0 was declared; the card was read as 3.0.
    case unknownVersion(String)
    /// The card declares no version; it was read as 3.0.
    case missingVersion
    /// A photo that is not valid base64; not imported as a photo.
    case unreadablePhoto
    /// The text of a property that should be a date is not one; not imported as a date.
    case notADate(property: String, text: String)
    /// The card has this many more problems.
    case furtherProblems(Int)
  }

  /// The line of the input, from 1.
  public let line: Int
  /// The problem.
  public let problem: Problem

  /// Creates a problem on a line.
  public init(line: Int, problem: Problem) {
    self.line = line
    self.problem = problem
  }

  /// A description in English, for logs: `line 12: no END:VCARD`.
  public var description: String { "line \(line): \(message)" }

  private var message: String {
    switch problem {
    case .notText: return "not a vCard but compressed or binary data"
    case .noCardFound: return "no BEGIN:VCARD in a long stretch of text; reading stopped"
    case .textOutsideCard(let lines, let beginning):
      return "lines outside a card: \(lines), beginning with \(beginning)"
    case .missingEnd: return "no END:VCARD"
    case .strayDelimiter: return "BEGIN or END out of place"
    case .malformedLine(let text): return "not a property: \(text)"
    case .lineTooLong(let limit): return "property longer than \(limit) bytes; left out"
    case .tooManyLines(let limit): return "more than \(limit) properties; the rest were left out"
    case .cardTooLong(let limit): return "card longer than \(limit) bytes; skipped"
    case .unreadableCharacters(let count): return "unreadable characters replaced: \(count)"
    case .guessedCharset(let name): return "undeclared charset; read as \(name)"
    case .unknownCharset(let name): return "unknown charset \(name)"
    case .unknownVersion(let version): return "unknown version \(version); read as 3.0"
    case .missingVersion: return "no VERSION; read as 3.0"
    case .unreadablePhoto: return "photo that cannot be decoded"
    case .notADate(let property, let text): return "\(property) that is not a date: \(text)"
    case .furtherProblems(let count): return "further problems: \(count)"
    }
  }
}
