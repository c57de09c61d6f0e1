import ContactInterchange
import VCard

/// Something about one card that a person should know: what was left out, taken as best it could be, or skipped.
public struct ImportNotice: Hashable, Sendable {
  /// What it is.
  public enum Kind: Hashable, Sendable {
    /// A finding of the vCard reader.
    case card(Diagnostic.Problem)
    /// Nothing is in the card.
    case emptyCard
    /// The contact breaks a rule; its message.
    case invalid(String)
    /// Texts were cut to the longest that a contact holds; the message of the rule.
    case shortened(String)
    /// The UID of a card before it, on this line.
    case sameUID(line: Int)
    /// The UID of a card before it, on this line, that is about somebody else; it got a UID of its own.
    case sharedUID(line: Int)
    /// A card without a UID that says the same as one before it, on this line.
    case sameCard(line: Int)
    /// The photo was left out.
    case photo(RefusedPicture)
    /// A JSON object names a photo that it does not hold.
    case photoElsewhere
    /// A member of a group is not in the book.
    case unknownMember(group: String, uid: String)
    /// A JSON object is no contact; what is wrong with it.
    case unreadableObject(ContactJSONError)
    /// There were too many to show them all.
    case manyNotices
  }

  /// The file as the person named it; `-` for standard input.
  public let file: String
  /// Line of the file, from 1.
  public let line: Int
  /// What it is.
  public let kind: Kind

  /// `file:line: what`, in the words of a localization. Text of cards in it may hold control characters.
  public func message(in words: Localization) -> String {
    let place = file == "-" ? words.text("Import/standardInput", table: "Command") : file
    return words.text("Import/notice", place, line, what(words), table: "Command")
  }

  private func what(_ words: Localization) -> String {
    func text(_ key: String, _ first: any CustomStringConvertible = "", _ second: String = "") -> String {
      words.text("ImportNotice/" + key, first, second, table: "Command")
    }
    switch kind {
    case .card(let problem):
      let (key, first, second) = problem.words
      return text(key, first, second)
    case .emptyCard: return text("emptyCard")
    case .invalid(let message): return text("invalid", message)
    case .shortened(let message): return text("shortened", message)
    case .sameUID(let line): return text("sameUID", line)
    case .sharedUID(let line): return text("sharedUID", line)
    case .sameCard(let line): return text("sameCard", line)
    case .photo(let reason): return text("photo." + reason.rawValue)
    case .photoElsewhere: return text("photoElsewhere")
    case .unknownMember(let group, let uid): return text("unknownMember", group, uid)
    case .unreadableObject(let what): return text("unreadableObject", what.message(in: words))
    case .manyNotices: return text("manyNotices")
    }
  }
}

extension Diagnostic.Problem {
  /// Key of the words and what stands in them.
  fileprivate var words: (key: String, first: String, second: String) {
    switch self {
    case .notText: ("notText", "", "")
    case .noCardFound: ("noCardFound", "", "")
    case .textOutsideCard(let lines, let beginning): ("textOutsideCard", String(lines), beginning)
    case .missingEnd: ("missingEnd", "", "")
    case .strayDelimiter: ("strayDelimiter", "", "")
    case .malformedLine(let text): ("malformedLine", text, "")
    case .lineTooLong(let limit): ("lineTooLong", String(limit), "")
    case .tooManyLines(let limit): ("tooManyLines", String(limit), "")
    case .cardTooLong(let limit): ("cardTooLong", String(limit), "")
    case .unreadableCharacters(let count): ("unreadableCharacters", String(count), "")
    case .unknownCharset(let name): ("unknownCharset", name, "")
    case .unknownVersion(let version): ("unknownVersion", version, "")
    case .missingVersion: ("missingVersion", "", "")
    case .unreadablePhoto: ("unreadablePhoto", "", "")
    case .furtherPhotos(let count): ("furtherPhotos", String(count), "")
    case .furtherProblems(let count): ("furtherProblems", String(count), "")
    }
  }
}
