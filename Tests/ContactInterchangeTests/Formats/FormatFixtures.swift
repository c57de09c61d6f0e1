import Contacts
import SeededRandom

@testable import ContactInterchange

/// Reads a text with a reader of records.
enum Records {
  static func csv(
    _ text: String, isDayFirst: Bool? = nil, _ prepare: (inout CSVReading) -> Void = { _ in }
  ) -> (contacts: [Contact], problems: [RecordProblem]) {
    csv(Array(text.utf8), isDayFirst: isDayFirst, prepare)
  }

  static func csv(
    _ bytes: [UInt8], chunk: Int = 7, isDayFirst: Bool? = nil, _ prepare: (inout CSVReading) -> Void = { _ in }
  ) -> (contacts: [Contact], problems: [RecordProblem]) {
    var reading = CSVReading()
    prepare(&reading)
    return all(CSVReader(reading, isDayFirst: isDayFirst, source: source(bytes, chunk)))
  }

  static func ldif(
    _ text: String, chunk: Int = 5, isDayFirst: Bool = false
  ) -> (records: [ImportedRecord], problems: [RecordProblem]) {
    records(LDIFReader(isDayFirst: isDayFirst, source: source(Array(text.utf8), chunk)))
  }

  static func abook(
    _ bytes: [UInt8], isDayFirst: Bool = false, limit: Int = 1000
  ) -> (contacts: [Contact], problems: [RecordProblem]) {
    all(AbookReader(isDayFirst: isDayFirst, limit: limit, source: source(bytes, 3)))
  }

  /// Returns a source that gives a few bytes at a time.
  static func source(_ bytes: [UInt8], _ chunk: Int) -> () -> [UInt8]? {
    var rest = bytes[...]
    return {
      guard !rest.isEmpty else { return nil }
      defer { rest = rest.dropFirst(chunk) }
      return Array(rest.prefix(chunk))
    }
  }

  static func records<Reader: RecordReader>(
    _ reader: Reader
  ) -> (records: [ImportedRecord], problems: [RecordProblem]) where Reader.Failure == Never {
    var reader = reader
    var records: [ImportedRecord] = []
    var problems: [RecordProblem] = []
    var events: [RecordEvent] = []
    while reader.next(&events) {}
    for event in events {
      switch event {
      case .record(let record): records.append(record)
      case .problem(_, let problem), .refused(_, let problem): problems.append(problem)
      }
    }
    return (records, problems)
  }

  private static func all<Reader: RecordReader>(
    _ reader: Reader
  ) -> (contacts: [Contact], problems: [RecordProblem]) where Reader.Failure == Never {
    let read = records(reader)
    return (read.records.map(\.contact), read.problems)
  }
}

/// Random contacts with awkward texts.
struct RandomContacts {
  var generator: SeededGenerator

  private static let pieces = [
    "Ann", "曾", "国藩", "O'Brien", "a,b", "semi;colon", "quote\"d", "=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)",
    "'=x", "''+y", "＝全角", "ünïcode", "tab\tinside", "😀", "back\\slash", "#hash", "x: y", "<angle>", " ::x",
  ]

  private mutating func text() -> String {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
      .joined(separator: " ").trimmed
  }

  private mutating func maybe(_ share: Double = 0.5) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

  mutating func contact() -> Contact {
    var contact = Contact()
    contact.uid = "uid-\(Int.random(in: 0..<1_000_000, using: &generator))"
    for field in ContactFields.standard.texts where field.role != .fullName && maybe() {
      contact[field] = field.allowsLines ? text() + "\nsecond line, \"quoted\"\n" + text() : text()
    }
    contact.family = text()
    if maybe(0.3) { contact.formattedName = "Shown " + text() }
    if maybe(0.3) { contact.kind = .organization }
    for field in ContactFields.standard.values {
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let label = field.labels.randomElement(using: &generator) ?? ""
        contact[keyPath: field.property].append(
          LabeledValue(label: maybe(0.2) ? "" : maybe(0.2) ? "my own" : label, value: value(of: field)))
      }
    }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      contact.addresses.append(
        PostalAddress(label: maybe() ? "home" : "work", street: "1 Main St\nFlat 2", city: text()))
    }
    if maybe() { contact.birthday = PartialDate(year: maybe() ? 1990 : nil, month: 2, day: 28) }
    if maybe() { contact.groups = Array(Set([text(), "Friends"])).sorted() }
    return contact
  }

  private mutating func value(of field: ContactField.Values) -> String {
    switch field.rule {
    case .phone:
      ["+44 20 7946 0000", "138 0000 1111", "(02) 99-1", "+1 555 0100 ext. 5"].randomElement(using: &generator) ?? ""
    case .email: "a\(Int.random(in: 0..<100, using: &generator))@example.com"
    case .date: maybe() ? "2001-09-11" : "--02-29"
    case .any: text()
    }
  }
}
