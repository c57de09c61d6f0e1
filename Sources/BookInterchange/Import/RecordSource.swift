import AddressBookModel
import ContactInterchange
import PictureFormat
import VCard

/// Contacts of a format whose records are not cards: CSV, LDIF, abook's file.
final class RecordSource<Reader: RecordReader>: CardSource where Reader.Failure == ImportError {
  private var reader: Reader
  private let input: ImportInput

  init(_ input: ImportInput, _ reader: (@escaping () throws(ImportError) -> [UInt8]?) throws(ImportError) -> Reader)
    throws(ImportError)
  {
    self.input = input
    self.reader = try reader { () throws(ImportError) in try input.next() }
  }

  var bytesTaken: Int { input.bytesRead }
  var fraction: Double? { input.fraction }

  func next(_ body: (consuming CardEvent) -> Void) throws(ImportError) -> Bool {
    var events: [RecordEvent] = []
    let isBeforeEnd = try reader.next(&events)
    for event in events {
      switch event {
      case .refused(_, .noKnownColumn): throw ImportError(.noKnownColumn, file: input.name)
      case .refused(let line, let problem): body(.unreadable(line: line, .record(problem)))
      case .problem(let line, let problem): body(.finding(line: line, .record(problem)))
      case .record(let record): body(.card(IncomingCard(record)))
      }
    }
    return isBeforeEnd
  }
}

extension IncomingCard {
  fileprivate init(_ record: ImportedRecord) {
    line = record.line
    contact = record.contact
    picture = record.picture
    reference = record.reference
    isPartial = true
    isEmpty = record.contact.isEmpty && record.picture == nil
    if record.members == nil { makeCard() }
    if let members = record.members {
      let name = contact.displayName
      group = name.isEmpty ? nil : GroupCard(line: line, uid: contact.uid, name: name, members: members, lines: [])
    }
  }
}

extension IncomingCard {
  /// Gives a contact of another format a card with the same content. The contact of the book keeps it, so that a later
  /// record of the same source is recognized, and what changed there is told from what was edited here.
  mutating func makeCard() {
    var photo: CardBinary?
    if let picture, let facts = ImageFacts(showing: picture) {
      photo = CardBinary(mediaType: facts.format.mediaType, bytes: picture)
    }
    let read = ContactCardReader().read(ContactCardWriter().card(for: contact, photo: photo))
    (contact.cardLines, photoLine) = (read.contact.cardLines, read.photoLine)
  }
}

extension ImageFacts {
  /// The facts of a photo that the book can show; nil for any other bytes.
  fileprivate init?(showing bytes: [UInt8]) {
    do throws(ImageRefusal) { try self.init(bytes, limits: Photo.limits) } catch { return nil }
  }
}

final class JCardSource: CardSource {
  private var reader: JCardReader<ImportError>
  private let contacts = ContactCardReader()
  private let input: ImportInput

  init(_ input: ImportInput) {
    self.input = input
    reader = JCardReader { () throws(ImportError) in try input.next() }
  }

  var bytesTaken: Int { input.bytesRead }
  var fraction: Double? { input.fraction }

  func next(_ body: (consuming CardEvent) -> Void) throws(ImportError) -> Bool {
    switch try reader.next() {
    case nil: return false
    case .malformed(let line): throw ImportError(.notJSON, file: input.name, line: line)
    case .unreadable(let line): body(.unreadable(line: line, .notACard))
    case .card(let card):
      let read = contacts.read(card)
      let problems = read.diagnostics
      body(.card(IncomingCard(read)))
      for problem in problems { body(.finding(line: problem.line, .card(problem.problem))) }
    }
    return true
  }
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
