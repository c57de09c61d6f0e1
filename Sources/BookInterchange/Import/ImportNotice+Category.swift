import ContactInterchange
import VCard

extension ImportNotice {
  /// What a notice is about, in the order in which a summary lists them.
  public enum Category: String, CaseIterable, Sendable {
    /// Cards that were not imported.
    case refused
    /// Cards that were matched with contacts of the book by what both share.
    case matched
    /// Fields changed on both sides.
    case conflicts
    /// Cards of one import that are about the same person, or share a UID.
    case repeated
    /// Dates that were left out, or can be read in two ways.
    case dates
    /// Photos that were left out.
    case photos
    /// Groups and their members.
    case groups
    /// Values that were left out or shortened.
    case leftOut
    /// Characters, lines and quotes that are not as they should be.
    case text
  }

  /// What the notice is about.
  public var category: Category {
    switch kind {
    case .emptyCard, .invalid, .unreadableObject, .notACard: .refused
    case .matched, .furtherMatches, .matchedOtherName, .ambiguous: .matched
    case .changedHere, .replacedHere: .conflicts
    case .sameUID, .sharedUID, .uidOfOther, .mergedToo, .matchedTwice, .sameCard: .repeated
    case .photo, .photoElsewhere: .photos
    case .unknownMember, .smartGroup: .groups
    case .shortened, .manyNotices: .leftOut
    case .card(let problem): Self.category(of: problem)
    case .record(let problem): Self.category(of: problem)
    case .template(.notADate): .dates
    case .template: .leftOut
    }
  }

  private static func category(of problem: Diagnostic.Problem) -> Category {
    switch problem {
    case .notADate: .dates
    case .unreadablePhoto: .photos
    case .notText, .noCardFound, .cardTooLong: .refused
    case .lineTooLong, .tooManyLines, .furtherProblems, .malformedLine, .textOutsideCard: .leftOut
    default: .text
    }
  }

  private static func category(of problem: RecordProblem) -> Category {
    switch problem {
    case .notADate, .ambiguousDate, .inferredDateOrder: .dates
    case .unreadableCharacters, .unclosedQuote, .guessedCharset: .text
    case .changeRecord, .notContacts, .noKnownColumn: .refused
    default: .leftOut
    }
  }
}
