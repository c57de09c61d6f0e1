import AddressBookModel
import ContactInterchange
import Contacts
import Messages
import PictureFormat
import VCard

/// The result of an import: ``imported`` + ``updated`` + ``skipped`` is the number of cards that were read.
public struct ImportReport: Hashable, Sendable {
  /// Cards that became new contacts or groups, or restored deleted ones.
  public internal(set) var imported = 0
  /// Cards that changed a contact or a group of the book.
  public internal(set) var updated = 0
  /// Cards that are already in the book, unchanged.
  public internal(set) var unchanged = 0
  /// Cards that could not be imported, such as empty ones.
  public internal(set) var unreadable = 0

  /// Cards that changed nothing: ``unchanged`` and ``unreadable`` ones.
  public var skipped: Int { unchanged + unreadable }
  /// Cards that were read.
  public var cards: Int { imported + updated + skipped }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
  /// Cards read so far.
  public let cards: Int
  /// The fraction of the input that was read, 0 to 1; nil if its size is unknown.
  public let fraction: Double?
}

/// What an import changes in one contact of the book, for the report of a dry run.
public struct ImportChange: Sendable {
  /// The contact as it is.
  public let before: Contact
  /// The contact as the import makes it.
  public let after: Contact
  /// The fields that differ.
  public let fields: [ContactField]

  init(from before: Contact, to after: Contact) {
    self.before = before
    self.after = after
    let delta = ContactDelta(from: before, to: after)
    fields = ContactFields.standard.all.filter { delta.changes($0.name) }
  }

  /// Returns the name of the contact, and below it a line for each field, with both values. Text from contacts may
  /// contain control characters.
  public func lines(in words: Localization) -> [String] {
    let differences = fields.map { FieldDifference($0, from: before, to: after, in: words) }
    let shown = differences.filter { !$0.isEmpty }
    // If no displayed value differs, but only the order of a card's lines, the names of the fields are enough.
    let texts = shown.isEmpty ? differences.map(\.title) : shown.map { $0.line(in: words) }
    return [before.displayName] + texts.map { "    " + $0 }
  }
}

/// The formats for import.
public enum ImportFormat: Hashable, Sendable {
  /// vCard 2.1, 3.0 or 4.0.
  case vCard
  /// Contacts as JSON, and JSContact Cards (RFC 9553): an array, or consecutive objects.
  case json
  /// jCard (RFC 7095): one card, an array of cards, or consecutive cards.
  case jCard
  /// Comma-separated values with a header line.
  case csv
  /// LDIF, from a directory or Thunderbird.
  case ldif
  /// The address book of abook.
  case abook
  /// Contacts as text, as an editor shows them.
  case template
}

/// How files are read.
public struct ImportReading: Hashable, Sendable {
  /// Their format; nil to detect it.
  public var format: ImportFormat?
  /// Whether `3/4/1990` is 3 April in CSV, LDIF and abook's file, and otherwise 4 March; nil for 4 March, unless another
  /// date of the same column of CSV shows that the day is first.
  public var isDayFirst: Bool?
  /// How CSV is read.
  public var csv = CSVReading()

  /// A reading that detects everything.
  public init() {}
}

/// A notice about one card for the user: something was left out, adjusted, or skipped.
public struct ImportNotice: Hashable, Sendable {
  /// The kinds of notices.
  public enum Kind: Hashable, Sendable {
    /// A diagnostic of the vCard reader.
    case card(Diagnostic.Problem)
    /// The card is empty.
    case emptyCard
    /// The contact violates a rule; with the rule's message.
    case invalid(String)
    /// Texts were truncated to the maximum length; with the message of the rule.
    case shortened(String)
    /// The card has the same UID as an earlier card, on this line.
    case sameUID(line: Int)
    /// The card has the UID of an earlier card, on this line, about someone else; it got a UID of its own.
    case sharedUID(line: Int)
    /// The card has the UID of another contact of the book, with this name; it got a UID of its own.
    case uidOfOther(name: String)
    /// A card without a UID matches several contacts of the book, so a new one was made. These are the names of the
    /// first two.
    case ambiguous(names: [String])
    /// A card without a UID was matched with the contact of the book with this name by what both share.
    case matched(name: String, by: [DuplicateReason])
    /// More cards were matched like this than are listed.
    case furtherMatches(Int)
    /// A card without a UID matches the contact of the book with this name by a number or an address; its own name was
    /// not imported.
    case matchedOtherName(name: String, own: String)
    /// A card without a UID matches the contact of the book with this name, as did the earlier card on this line; it
    /// was merged into the contact too.
    case mergedToo(name: String, line: Int)
    /// Like ``mergedToo(name:line:)``, but a name, birthday or text contradicts the contact; a new contact was made.
    case matchedTwice(name: String, line: Int)
    /// A card without a UID adds nothing to the contact of an earlier card, on this line.
    case sameCard(line: Int)
    /// These fields were changed in the book and in the card; the values of the book stay.
    case changedHere([ContactField])
    /// A card without a UID has values in these fields that the book had, and has replaced since; those of the book
    /// stay.
    case replacedHere([ContactField])
    /// The photo cannot be shown.
    case photo(PhotoRefusal)
    /// A JSON object refers to a photo that neither it nor its contact in the book contains.
    case photoElsewhere
    /// A member of a group is not in the book.
    case unknownMember(group: String, uid: String)
    /// The group that was made for the card has the name of a smart group.
    case smartGroup(String)
    /// A JSON object is not a valid contact; with the error.
    case unreadableObject(ContactJSONError)
    /// An element of a jCard file is not a jCard.
    case notACard
    /// A problem with a record in another format.
    case record(RecordProblem)
    /// A line of a contact as text that was left out.
    case template(TemplateProblem)
    /// There were too many notices to show them all.
    case manyNotices
  }

  /// The file as the user named it; `-` for standard input.
  public let file: String
  /// Line of the file, from 1.
  public let line: Int
  /// The kind of notice.
  public let kind: Kind
  /// The name of the contact on the card; empty if it has none, or if the notice is not about a card.
  public var name = ""

  /// Returns `file:line: message`, localized. Text from cards in it may contain control characters.
  public func message(in words: Localization) -> String {
    let source = file == "-" ? words.text("Import/standardInput", table: "Command") : file
    return words.text("Import/notice", source, line, text(in: words, namesOptions: true), table: "Command")
  }

  /// Returns the message alone.
  /// - Parameters:
  ///   - words: the language.
  ///   - namesOptions: whether it names the option of the command that changes what it is about.
  public func text(in words: Localization, namesOptions: Bool = false) -> String {
    func text(_ key: String, _ first: any CustomStringConvertible = "", _ second: String = "") -> String {
      words.text("ImportNotice/" + key, first, second, table: "Command")
    }
    switch kind {
    case .card(let problem): return problem.message(in: words)
    case .emptyCard: return text("emptyCard")
    case .invalid(let message): return text("invalid", message)
    case .shortened(let message): return text("shortened", message)
    case .sameUID(let line): return text("sameUID", line)
    case .sharedUID(let line): return text("sharedUID", line)
    case .uidOfOther(let name): return text("uidOfOther", name)
    case .ambiguous(let names): return text("ambiguous", words.list(names))
    case .matched(let name, let reasons):
      return text("matched", name, words.list(reasons.map { words.name(of: $0) }))
    case .furtherMatches(let count): return words.plural("ImportNotice/furtherMatches", count: count, table: "Command")
    case .matchedOtherName(let name, let own): return text("matchedOtherName", name, own)
    case .mergedToo(let name, let line): return text("mergedToo", name, String(line))
    case .matchedTwice(let name, let line): return text("matchedTwice", name, String(line))
    case .sameCard(let line): return text("sameCard", line)
    case .changedHere(let fields): return text("changedHere", words.titles(fields))
    case .replacedHere(let fields): return text("replacedHere", words.titles(fields))
    case .photo(let reason): return text("photo." + reason.rawValue)
    case .photoElsewhere: return text("photoElsewhere")
    case .unknownMember(let group, let uid): return text("unknownMember", group, uid)
    case .smartGroup(let name): return text("smartGroup", name)
    case .unreadableObject(let what): return text("unreadableObject", what.message(in: words))
    case .notACard: return text("notACard")
    case .record(let problem):
      let option = namesOptions ? problem.option.map { text("option." + $0) } : nil
      return problem.message(in: words) + (option ?? "")
    case .template(let problem): return problem.message(in: words)
    case .manyNotices: return text("manyNotices")
    }
  }
}

extension Diagnostic.Problem {
  fileprivate func message(in words: Localization) -> String {
    func text(_ key: String, _ first: String = "") -> String {
      words.text("ImportNotice/" + key, first, table: "Command")
    }
    func plural(_ key: String, _ count: Int, _ second: String = "") -> String {
      words.plural("ImportNotice/" + key, count: count, second, table: "Command")
    }
    switch self {
    case .notText: return text("notText")
    case .noCardFound: return text("noCardFound")
    case .textOutsideCard(let lines, let beginning): return plural("textOutsideCard", lines, beginning)
    case .missingEnd: return text("missingEnd")
    case .strayDelimiter: return text("strayDelimiter")
    case .malformedLine(let line): return text("malformedLine", line)
    case .lineTooLong(let limit): return text("lineTooLong", String(limit))
    case .tooManyLines(let limit): return text("tooManyLines", String(limit))
    case .cardTooLong(let limit): return text("cardTooLong", String(limit))
    case .unreadableCharacters(let count): return plural("unreadableCharacters", count)
    case .guessedCharset(let name): return text("guessedCharset", name)
    case .unknownCharset(let name): return text("unknownCharset", name)
    case .unknownVersion(let version): return text("unknownVersion", version)
    case .missingVersion: return text("missingVersion")
    case .unreadablePhoto: return text("unreadablePhoto")
    case .notADate(let property, let value):
      return words.text("ImportNotice/keptDate", property, value, table: "Command")
    case .furtherProblems(let count): return plural("furtherProblems", count)
    }
  }
}

extension TemplateProblem {
  /// What is wrong, for the user.
  public func message(in words: Localization) -> String {
    func text(_ key: String, _ text: String) -> String {
      words.text("Template/" + key, String(text.prefix(60)), table: "Command")
    }
    switch self {
    case .unreadable(let line): return text("unreadable", line)
    case .unknownField(let name): return text("unknownField", name)
    case .notADate(let value): return text("notADate", value)
    case .unknownKind(let value): return text("unknownKind", value)
    }
  }
}

/// Why a card's photo was not imported, for the report of an import.
public enum PhotoRefusal: String, Hashable, Sendable, CaseIterable {
  /// Not an image that the book can show, such as a file in an unknown format.
  case notAPicture
  /// The file exceeds the limit.
  case tooManyBytes
  /// A side or the number of pixels exceeds the limit.
  case tooManyPixels

  init(_ refusal: ImageRefusal) {
    switch refusal {
    case .tooManyBytes: self = .tooManyBytes
    case .sideTooLong, .tooManyPixels: self = .tooManyPixels
    default: self = .notAPicture
    }
  }
}
