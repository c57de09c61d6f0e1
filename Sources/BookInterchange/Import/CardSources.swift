import AddressBookModel
import ContactInterchange
import Contacts
import VCard

enum CardFile {
  /// Returns the cards of a file, whose format is detected unless it is given; nil for an empty file.
  /// - Throws: `ImportError` if it is not a file of cards, as soon as its first bytes show that.
  static func open(
    _ file: String, _ reading: ImportReading, isCancelled: @escaping () -> Bool
  ) throws(ImportError) -> (any CardSource)? {
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
  static func cards(of input: ImportInput, _ reading: ImportReading) throws(ImportError) -> (any CardSource)? {
    let isDayFirst = reading.isDayFirst
    return switch try format(of: input, reading) {
    case nil: nil
    case .vCard: VCardSource(input)
    case .json: JSONCardSource(input)
    case .jCard: JCardSource(input)
    case .csv:
      try RecordSource(input) { source throws(ImportError) in
        try CSVReader(reading.csv, isDayFirst: isDayFirst, source: source)
      }
    case .ldif:
      try RecordSource(input) { source throws(ImportError) in
        LDIFReader(isDayFirst: isDayFirst, source: source)
      }
    case .abook:
      try RecordSource(input) { source throws(ImportError) in
        AbookReader(isDayFirst: isDayFirst, source: source)
      }
    }
  }

  /// Returns the format of an open input, without consuming anything; nil for an empty one.
  private static func format(of input: ImportInput, _ reading: ImportReading) throws(ImportError) -> ImportFormat? {
    switch InputKind(try input.peek(), map: reading.csv.map) {
    case .empty: return nil
    case .compressed(let command): throw ImportError(.compressed, file: input.name, detail: command)
    case .foreign(let name): throw ImportError(.foreign, file: input.name, detail: name)
    case .text(let detected): return reading.format ?? detected
    }
  }
}

final class VCardSource: CardSource {
  private let reader: VCardReader<ImportError>
  private let contacts = ContactCardReader()
  private let input: ImportInput
  private var cards = 0

  init(_ input: ImportInput) {
    self.input = input
    reader = VCardReader { () throws(ImportError) -> [UInt8]? in try input.next() }
  }

  var bytesTaken: Int { input.bytesRead }
  var fraction: Double? { input.fraction }

  func next(_ body: (consuming CardEvent) -> Void) throws(ImportError) -> Bool {
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
      for problem in read.diagnostics { body(.finding(line: problem.line, .card(problem.problem))) }
      body(.card(IncomingCard(read)))
    }
    return true
  }
}

extension IncomingCard {
  package init(_ card: consuming ImportedCard) {
    line = card.lineNumber
    contact = card.contact
    picture = card.photo?.bytes
    photoLine = card.photoLine
    isEmpty = card.isEmpty
    if case .group(let name, let members) = card.kind, !name.isEmpty {
      if let photo = card.photoLine { contact.keepPhotoLine(photo, digest: nil) }
      group = GroupCard(
        line: line, uid: card.contact.uid, name: name, members: members, lines: contact.cardLines)
    }
  }
}

extension IncomingCard {
  fileprivate init(line: Int, patch: ContactPatch) {
    self.line = line
    self.patch = patch
    contact = patch.applied(to: Contact())
    // Values that only the contact's own book can set.
    contact.id = 0
    contact.created = ""
    contact.modified = ""
    if case .data(let bytes)? = patch.picture { picture = bytes }
    isEmpty = contact.isEmpty && picture == nil
    if contact.uid.isEmpty, contact.cardLines.isEmpty { makeCard() }
  }
}

final class JSONCardSource: CardSource {
  private var elements: JSONElements<ImportError>
  private let input: ImportInput

  init(_ input: ImportInput) {
    self.input = input
    elements = JSONElements { () throws(ImportError) -> [UInt8]? in try input.next() }
  }

  var bytesTaken: Int { input.bytesRead }
  var fraction: Double? { input.fraction }

  func next(_ body: (consuming CardEvent) -> Void) throws(ImportError) -> Bool {
    guard let (line, bytes) = try elements.nextObject(of: input.name) else { return false }
    do throws(ContactJSONError) {
      body(.card(IncomingCard(line: line, patch: try ContactPatch(json: bytes))))
    } catch {
      body(.unreadable(line: line, .unreadableObject(error)))
    }
    return true
  }
}
