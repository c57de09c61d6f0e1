import ContactInterchange
import Contacts

/// CSV, LDIF, abook's file format and templates: small pieces give the same result as the whole, and contacts that are written as
/// CSV, or as LDIF without losses, are read back unchanged.
enum RecordCheck {
  static func checkCSV(_ bytes: [UInt8]) {
    let events = same(bytes) { pieces in CSVReader(source: pieces.next) }
    let contacts = events.compactMap { $0.record?.contact }.prefix(50)
    var extent = CSVWriter.Extent()
    for contact in contacts { extent.include(contact) }
    var writer = CSVWriter(extent)
    let text = contacts.reduce(into: writer.header) { $0 += writer.row(of: $1) }
    if !writer.losses.isEmpty { fatalError("CSV loses \(writer.losses) of contacts read from CSV") }
    let filled = contacts.filter { $0 != Contact() }
    let read = read(CSVReader(source: Pieces(Array(text.utf8), of: text.utf8.count).next)).compactMap(\.record?.contact)
    if read.filter({ $0 != Contact() }) != Array(filled) { fatalError("\(contacts)\nare\n\(text)\nread as\n\(read)") }
  }

  static func checkLDIF(_ bytes: [UInt8]) {
    let events = same(bytes) { pieces in LDIFReader(source: pieces.next) }
    for record in events.compactMap(\.record).prefix(20) where record.members == nil {
      var contact = record.contact
      contact.uid = ""
      var writer = LDIFWriter()
      let text = writer.write(contact, photo: nil)
      guard writer.losses.isEmpty else { continue }
      let read = read(LDIFReader(source: Pieces(Array(text.utf8), of: text.utf8.count).next)).compactMap(\.record)
      if read.map(\.contact) != [contact] { fatalError("\(contact)\nis\n\(text)\nread as\n\(read)") }
    }
  }

  static func checkAbook(_ bytes: [UInt8]) {
    _ = same(bytes) { pieces in AbookReader(source: pieces.next) }
  }

  /// What a template says is written so that it says the same again.
  static func checkTemplate(_ bytes: [UInt8]) {
    for read in TemplateReader.contacts(in: String(decoding: bytes, as: UTF8.self)).prefix(20) {
      var (text, again) = ("", "")
      ContactTemplate.append(read.contact, to: &text)
      let back = TemplateReader.contacts(in: text).first
      if let back { ContactTemplate.append(back.contact, to: &again) }
      if read.contact != Contact(), back?.problems.isEmpty != true || again != text {
        fatalError("\(read.contact)\nis\n\(text)\nread as\n\(String(describing: back))")
      }
    }
  }

  private static func same<Reader: RecordReader>(_ bytes: [UInt8], _ reader: (Pieces) -> Reader) -> [Event]
  where Reader.Failure == Never {
    let whole = read(reader(Pieces(bytes, of: bytes.count)))
    let length = bytes.count % 7 + 1
    if whole != read(reader(Pieces(bytes, of: length))) { fatalError("pieces of \(length) bytes give other records") }
    return whole
  }

  private static func read<Reader: RecordReader>(_ reader: Reader) -> [Event] where Reader.Failure == Never {
    var reader = reader
    var events: [RecordEvent] = []
    while reader.next(&events) {}
    return events.map { event in
      switch event {
      case .record(let record): .record(Record(record))
      case .problem(let line, let problem): .problem(line, problem)
      case .refused(let line, let problem): .refused(line, problem)
      }
    }
  }

  private enum Event: Equatable {
    case record(Record)
    case problem(Int, RecordProblem)
    case refused(Int, RecordProblem)

    var record: Record? {
      guard case .record(let record) = self else { return nil }
      return record
    }
  }

  private struct Record: Equatable {
    let contact: Contact
    let picture: [UInt8]?
    let reference: String
    let members: [String]?
    let line: Int

    init(_ record: ImportedRecord) {
      (contact, picture, reference) = (record.contact, record.picture, record.reference)
      (members, line) = (record.members, record.line)
    }
  }
}
