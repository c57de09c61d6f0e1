import AddressBookModel
import ContactInterchange
import Contacts
import VCard

enum CardFile {
  /// Returns the cards of a file, whose format is detected unless it is given; nil for an empty file.
  /// - Throws: `ImportError` if it is not a file of cards, as soon as its first bytes show that.
  static func open(
    _ file: String, _ reading: ImportReading, isCancelled: @escaping () -> Bool
  ) throws(ImportError) -> CardSource? {
    try cards(of: ImportInput(path: file, isCancelled: isCancelled), reading)
  }

  /// Reads an input that is not a regular file to its end, because its sender may be slow. Returns nil for a regular
  /// file, and if nothing is at the path.
  /// - Throws: `ImportError` if it is not a file of cards, as soon as its first bytes show that.
  static func spooled(
    _ file: String, _ reading: ImportReading, isCancelled: @escaping () -> Bool
  ) throws(ImportError) -> ImportInput? {
    guard ImportInput.mayBeSlow(file) else { return nil }
    let input = try ImportInput(path: file, isCancelled: isCancelled)
    _ = try format(of: input, reading)
    try input.readToEnd()
    return input
  }

  /// Returns the cards of an open input; nil if it is empty.
  static func cards(of input: ImportInput, _ reading: ImportReading) throws(ImportError) -> CardSource? {
    let isDayFirst = reading.isDayFirst ?? false
    return switch try format(of: input, reading) {
    case nil: nil
    case .vCard: .vCards(input)
    case .json: .json(input)
    case .jCard: .jCards(input)
    case .csv:
      try .records(input) { source throws(ImportError) in
        try CSVReader(reading.csv, isDayFirst: reading.isDayFirst, source: source)
      }
    case .ldif:
      try .records(input) { source throws(ImportError) in
        LDIFReader(isDayFirst: isDayFirst, source: source)
      }
    case .abook:
      try .records(input) { source throws(ImportError) in
        AbookReader(isDayFirst: isDayFirst, source: source)
      }
    case .template: .templates(input, isDayFirst)
    }
  }

  /// Returns the format of an open input, without consuming anything; nil for an empty one.
  static func format(of input: ImportInput, _ reading: ImportReading) throws(ImportError) -> ImportFormat? {
    switch InputKind(try input.peek(), name: input.name, map: reading.csv.map) {
    case .empty: return nil
    case .compressed(let command): throw ImportError(.compressed, file: input.name, detail: command)
    case .foreign(let name): throw ImportError(.foreign, file: input.name, detail: name)
    case .text(let detected): return reading.format ?? detected
    }
  }
}

/// The cards of a file.
final class CardSource {
  /// Reads on, and calls its argument with what it finds, which may be nothing; returns false at the end.
  typealias Reading = (_ body: (consuming CardEvent) -> Void) throws(ImportError) -> Bool

  private let input: ImportInput
  private let reading: Reading

  init(_ input: ImportInput, _ reading: @escaping Reading) {
    self.input = input
    self.reading = reading
  }

  func next(_ body: (consuming CardEvent) -> Void) throws(ImportError) -> Bool { try reading(body) }

  var bytesTaken: Int { input.bytesRead }
  /// The fraction of the input that was read, 0 to 1; nil if its size is unknown.
  var fraction: Double? { input.fraction }

  static func vCards(_ input: ImportInput) -> CardSource {
    let reader = VCardReader { () throws(ImportError) -> [UInt8]? in try input.next() }
    let contacts = ContactCardReader()
    var cards = 0
    return CardSource(input) { body throws(ImportError) in
      guard let event = try reader.next() else {
        if cards == 0 { throw ImportError(.noCards, file: input.name) }
        return false
      }
      switch event {
      case .skipped(let finding):
        switch finding.problem {
        case .notText: throw ImportError(.foreign, file: input.name, detail: "binary")
        case .cardTooLong:
          cards += 1
          body(.unreadable(line: finding.line, .card(finding.problem)))
        default: body(.finding(line: finding.line, .card(finding.problem)))
        }
      case .card(let card):
        cards += 1
        let read = contacts.read(card)
        for problem in read.diagnostics {
          body(.finding(line: problem.line, .card(problem.problem), name: read.contact.displayName))
        }
        body(.card(IncomingCard(read)))
      }
      return true
    }
  }

  static func jCards(_ input: ImportInput) -> CardSource {
    var reader = JCardReader { () throws(ImportError) in try input.next() }
    let contacts = ContactCardReader()
    return CardSource(input) { body throws(ImportError) in
      switch try reader.next() {
      case nil: return false
      case .malformed(let line): throw ImportError(.notJSON, file: input.name, line: line)
      case .unreadable(let line): body(.unreadable(line: line, .notACard))
      case .card(let card): give(contacts.read(card), body)
      }
      return true
    }
  }

  private static func give(_ card: ImportedCard, _ body: (consuming CardEvent) -> Void) {
    let problems = card.diagnostics
    let name = problems.isEmpty ? "" : card.contact.displayName
    body(.card(IncomingCard(card)))
    for problem in problems { body(.finding(line: problem.line, .card(problem.problem), name: name)) }
  }

  /// Contacts as JSON, and JSContact Cards.
  static func json(_ input: ImportInput) -> CardSource {
    var elements = JSONElements { () throws(ImportError) -> [UInt8]? in try input.next() }
    let contacts = ContactCardReader()
    return CardSource(input) { body throws(ImportError) in
      guard let (line, bytes) = try elements.nextObject(of: input.name) else { return false }
      do throws(ContactJSONError) {
        if let card = try JSContactReader.card(of: bytes, line: line) {
          give(contacts.read(card), body)
        } else {
          body(.card(IncomingCard(line: line, patch: try ContactPatch(json: bytes))))
        }
      } catch {
        body(.unreadable(line: line, .unreadableObject(error)))
      }
      return true
    }
  }

  static func templates(_ input: ImportInput, _ isDayFirst: Bool) -> CardSource {
    var reader = TemplateReader(isDayFirst: isDayFirst) { () throws(ImportError) in try input.next() }
    return CardSource(input) { body throws(ImportError) in
      guard let found = try reader.next() else { return false }
      if !found.isEmpty { body(.card(IncomingCard(line: found.line, patch: ContactPatch(found)))) }
      for (line, problem) in found.problems { body(.finding(line: line, .template(problem))) }
      return true
    }
  }

  /// Contacts of a format whose records are not cards: CSV, LDIF, abook's file.
  static func records<Reader: RecordReader>(
    _ input: ImportInput,
    _ reader: (_ source: @escaping () throws(ImportError) -> [UInt8]?) throws(ImportError) -> Reader
  ) throws(ImportError) -> CardSource where Reader.Failure == ImportError {
    var reader = try reader { () throws(ImportError) in try input.next() }
    return CardSource(input) { body throws(ImportError) in
      var events: [RecordEvent] = []
      let isBeforeEnd = try reader.next(&events)
      for event in events {
        switch event {
        case .refused(_, .noKnownColumn): throw ImportError(.noKnownColumn, file: input.name)
        case .refused(let line, let problem): body(.unreadable(line: line, .record(problem)))
        case .problem(let line, let problem):
          body(.finding(line: line, .record(problem), name: name(ofRecordAt: line, in: events)))
        case .record(let record): body(.card(IncomingCard(record)))
        }
      }
      return isBeforeEnd
    }
  }

  private static func name(ofRecordAt line: Int, in events: [RecordEvent]) -> String {
    for case .record(let record) in events where record.line == line { return record.contact.displayName }
    return ""
  }
}

enum CardEvent: Sendable {
  case card(IncomingCard)
  /// A problem with a card that is imported, or text between cards.
  case finding(line: Int, ImportNotice.Kind, name: String = "")
  /// A card that cannot be imported.
  case unreadable(line: Int, ImportNotice.Kind)
}

/// A reader of the contacts of a JSON file, one after the other.
public enum JSONFile {
  /// Reads one object, several, or an array of them.
  /// - Parameters:
  ///   - path: the file, or `-` for standard input.
  ///   - isCancelled: called before each read and while waiting for data; if it returns true, the error is
  ///     `ImportError.cancelled`.
  ///   - body: called with the line where each object begins, and the object or its error.
  /// - Throws: `ImportError` if the file cannot be read or is not JSON, and errors of `body`.
  public static func read(
    _ path: String, isCancelled: @escaping () -> Bool,
    _ body: (_ line: Int, Result<ContactPatch, ContactJSONError>) throws -> Void
  ) throws {
    let input = try ImportInput(path: path, isCancelled: isCancelled)
    var elements = JSONElements { () throws(ImportError) -> [UInt8]? in try input.next() }
    while let (line, bytes) = try elements.nextObject(of: path) {
      try body(line, Result { () throws(ContactJSONError) -> ContactPatch in try ContactPatch(json: bytes) })
    }
  }
}

extension JSONElements where Failure == ImportError {
  /// Returns the next object and its line; nil at the end.
  /// - Parameter file: the name of the input in messages.
  mutating func nextObject(of file: String) throws(ImportError) -> (line: Int, bytes: [UInt8])? {
    switch try next() {
    case nil: nil
    case .object(let line, let bytes): (line, bytes)
    case .malformed(let line): throw ImportError(.notJSON, file: file, line: line)
    }
  }
}
