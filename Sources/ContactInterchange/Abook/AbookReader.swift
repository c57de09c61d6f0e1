import Contacts
import VCard

/// A reader of the address book of abook (`~/.abook/addressbook`): sections that begin with a number in brackets, with
/// one `key=value` per line.
public struct AbookReader<Failure: Error>: RecordReader {
  private let limit: Int
  private var lines: TextLines<Failure>
  private var text = ForeignText()
  private let isDayFirst: Bool
  private let slots: [String: FieldSlot]
  private let custom = ContactFields.standard.values(named: "custom")
  private var missed: [String: Int] = [:]
  private var section: (line: Int, isContact: Bool, isFormat: Bool)?
  private var assembler: ContactAssembler
  private var problems: [(line: Int, problem: RecordProblem)] = []
  /// The line of the first contact with a key that was not imported.
  private var firstMissed: Int?
  private var unreadable = 0

  /// Creates a reader of a file of abook.
  /// - Parameters:
  ///   - isDayFirst: whether `3/4/1990` is 3 April; otherwise it is 4 March.
  ///   - source: returns the next bytes, or nil at the end.
  public init(isDayFirst: Bool = false, source: @escaping () throws(Failure) -> [UInt8]?) {
    self.init(isDayFirst: isDayFirst, limit: TextLines<Failure>.limit, source: source)
  }

  /// - Parameter limit: the longest line, in bytes.
  init(isDayFirst: Bool = false, limit: Int, source: @escaping () throws(Failure) -> [UInt8]?) {
    self.limit = limit
    lines = TextLines(limit: limit, source: source)
    self.isDayFirst = isDayFirst
    assembler = ContactAssembler(isDayFirst: isDayFirst)
    slots = Self.slots
  }

  /// Reads the next line; the end of a section gives a contact and its problems.
  public mutating func next(_ events: inout [RecordEvent]) throws(Failure) -> Bool {
    if let line = try lines.next() {
      text.observe(line)
      let decoded = text.text(of: line)
      if section?.isContact == true { unreadable += decoded.replaced }
      parse(decoded.text.trimmed, &events)
      return true
    }
    finishSection(&events)
    if !missed.isEmpty { events.append(.problem(line: firstMissed ?? 1, .notImported(missed.skippedColumns))) }
    return false
  }

  private mutating func parse(_ line: String, _ events: inout [RecordEvent]) {
    if line.isEmpty || line.hasPrefix("#") { return }
    if line.hasPrefix("["), line.hasSuffix("]") {
      finishSection(&events)
      section = (lines.number, Int(line.dropFirst().dropLast()) != nil, line.lowercased() == "[format]")
      return
    }
    if section?.isFormat == true { return }
    guard let section, section.isContact else {
      events.append(.problem(line: lines.number, .malformedLine(String(line.prefix(60)))))
      return
    }
    func note(_ problem: RecordProblem) { problems.append((lines.number, problem)) }
    if lines.wasCut { note(.tooLong(limit)) }
    guard let equals = line.firstIndex(of: "=") else { return note(.malformedLine(String(line.prefix(60)))) }
    let key = line[..<equals].lowercased()
    let value = String(line[line.index(after: equals)...]).trimmed
    guard !value.isEmpty else { return }
    func miss() {
      missed[key, default: 0] += 1
      if firstMissed == nil { firstMissed = section.line }
    }
    // Any other key is a field of the user's own.
    guard let slot = slots[key] ?? custom.map({ .value($0, label: key) }) else { return miss() }
    // abook separates several values with commas.
    let isList = slots[key]?.isMultiValued == true && key != "phone"
    let values = isList ? value.split(separator: ",").map(String.init) : [value]
    for value in values {
      switch assembler.add(value, to: slot) {
      case .stored: break
      case .noField: miss()
      case .notADate: note(.notADate(name: key, text: value))
      case .ambiguousDate: note(.ambiguousDate(name: key, text: value, isDayFirst: isDayFirst))
      }
    }
  }

  private mutating func finishSection(_ events: inout [RecordEvent]) {
    guard let section, section.isContact else { return }
    var record = ImportedRecord(line: section.line)
    record.contact = assembler.finish()
    if unreadable > 0 { problems.append((section.line, .unreadableCharacters(unreadable))) }
    events.append(.record(record))
    events += problems.map { .problem(line: $0.line, $0.problem) }
    assembler = ContactAssembler(isDayFirst: isDayFirst)
    problems = []
    unreadable = 0
    self.section = nil
  }

  private static var slots: [String: FieldSlot] {
    var slots: [String: FieldSlot] = [
      "name": .name, "address": .address(.street, label: ""), "address2": .address(.extended, label: ""),
      "city": .address(.city, label: ""), "state": .address(.region, label: ""),
      "zip": .address(.postalCode, label: ""), "country": .address(.country, label: ""), "groups": .groups,
    ]
    let texts = ["nick": "nickname", "notes": "note"]
    for (key, name) in texts { slots[key] = ContactFields.standard.text(named: name).map { .text($0) } }
    let values = [
      ("email", "emails", ""), ("phone", "phones", "home"), ("workphone", "phones", "work"), ("fax", "phones", "fax"),
      ("mobile", "phones", "mobile"), ("url", "urls", ""), ("anniversary", "dates", "anniversary"),
    ]
    for (key, name, label) in values {
      slots[key] = ContactFields.standard.values(named: name).map { .value($0, label: label) }
    }
    return slots
  }
}
