import Contacts
import VCard

/// A reader of the contacts and groups of an LDIF file, as `slapcat`, `ldapsearch` and Thunderbird write it.
///
/// Groups refer to their members by DN. Attributes that were not imported are counted and reported at the end.
public struct LDIFReader<Failure: Error>: RecordReader {
  private var entries: LDIFEntries<Failure>
  private let text = ForeignText()
  private let isDayFirst: Bool
  private let meanings: [String: LDIFVocabulary.Meaning]
  private var missed: [String: Int] = [:]
  /// The line of the first entry with an attribute that was not imported.
  private var firstMissed = 1
  private var others = 0

  /// Creates a reader of an LDIF file.
  /// - Parameters:
  ///   - isDayFirst: whether `3/4/1990` is 3 April; otherwise it is 4 March.
  ///   - source: returns the next bytes, or nil at the end.
  public init(
    isDayFirst: Bool = false, source: @escaping () throws(Failure) -> [UInt8]?
  ) {
    self.isDayFirst = isDayFirst
    entries = LDIFEntries(source: source)
    meanings = LDIFVocabulary.meanings
  }

  /// Appends what is in the next entry: a contact, a group, problems.
  public mutating func next(_ events: inout [RecordEvent]) throws(Failure) -> Bool {
    if let entry = try entries.next() {
      events += read(entry)
      return true
    }
    if others > 0 { events.append(.problem(line: 1, .notContacts(others))) }
    if !missed.isEmpty { events.append(.problem(line: firstMissed, .notImported(missed.skippedColumns))) }
    return false
  }

  private mutating func read(_ entry: LDIFEntries<Failure>.Entry) -> [RecordEvent] {
    var problems: [RecordProblem] = []
    let malformed = entry.malformed.map { RecordEvent.problem(line: $0.line, .malformedLine($0.text)) }
    if entry.isCut { problems.append(.tooLong(TextLines<Failure>.limit)) }
    if let change = entry.values(of: "changetype").first.map(string), change.lowercased() != "add" {
      return [.refused(line: entry.line, .changeRecord(change))] + malformed
    }
    let classes = entry.values(of: "objectclass").map { string($0).lowercased() }
    let isGroup = LDIFVocabulary.isGroup(classes)
    guard isGroup || LDIFVocabulary.isContact(classes, attributes: Set(entry.attributes.map(\.name))) else {
      if !entry.attributes.isEmpty { others += 1 }
      return problems.map { .problem(line: entry.line, $0) } + malformed
    }
    let before = missed.count
    var record = ImportedRecord(line: entry.line)
    record.reference = entry.values(of: "dn").first.map { Self.canonical(string($0)) } ?? ""
    let isThunderbird = classes.contains { $0.hasPrefix("mozillaabperson") }
    // In a file of ``LDIFWriter``, a family name that only repeats the full name is none.
    let repeatsName = isThunderbird && entry.attributes.contains { $0.name == "displayname" }
    var builder = DirectoryPerson(
      meanings: meanings, requiresFamily: !isThunderbird, repeatsName: repeatsName, isDayFirst: isDayFirst)
    for attribute in entry.attributes {
      guard case .bytes(let bytes) = attribute.value else {
        problems.append(.elsewhere(name: attribute.name))
        continue
      }
      if isGroup, ["member", "uniquemember"].contains(attribute.name) {
        record.members = (record.members ?? []) + [Self.canonical(string(bytes))]
        continue
      }
      if isPartOfName(attribute.name, record.reference, isGroup: isGroup) { continue }
      if isGroup, !LDIFVocabulary.isOfGroup(attribute.name, meanings) {
        if !bytes.isEmpty { missed[attribute.name, default: 0] += 1 }
        continue
      }
      switch builder.add(bytes, attribute.name, text) {
      case .stored: break
      case .noField: missed[attribute.name, default: 0] += 1
      case .notADate: problems.append(.notADate(name: attribute.name, text: string(bytes)))
      case .ambiguousDate:
        problems.append(.ambiguousDate(name: attribute.name, text: string(bytes), isDayFirst: isDayFirst))
      }
    }
    if isGroup, record.members == nil { record.members = [] }
    if builder.unreadable > 0 { problems.append(.unreadableCharacters(builder.unreadable)) }
    let finished = builder.finish()
    for name in finished.unused { missed[name, default: 0] += 1 }
    if before == 0, !missed.isEmpty { firstMissed = entry.line }
    record.contact = finished.contact
    record.picture = builder.picture
    problems += finished.problems
    return [.record(record)] + problems.map { .problem(line: entry.line, $0) } + malformed
  }

  /// Returns whether an attribute only keeps the name of the entry apart from others.
  private func isPartOfName(_ name: String, _ reference: String, isGroup: Bool) -> Bool {
    name == (isGroup ? "businesscategory" : "uid") && reference.contains("+\(name)=")
  }

  private func string(_ bytes: [UInt8]) -> String { text.text(of: bytes).text }

  /// Returns the form in which DNs are compared: regardless of case and of blanks around commas.
  private static func canonical(_ name: String) -> String {
    name.lowercased().split(separator: ",").map { String($0).trimmed }.joined(separator: ",")
  }
}

/// The entries of an LDIF file (RFC 2849), one at a time.
struct LDIFEntries<Failure: Error> {
  /// An attribute with its value; the name is in lower case and without options.
  struct Attribute {
    enum Value {
      case bytes([UInt8])
      /// The URL of a value (`:<`), which is never read.
      case reference
    }

    let name: String
    let value: Value
  }

  /// An entry, and the line where it begins, from 1.
  struct Entry {
    let line: Int
    var attributes: [Attribute] = []
    /// The lines that are not attributes, up to a limit: their numbers and beginnings.
    var malformed: [(line: Int, text: String)] = []
    var isCut = false

    /// Returns the values of an attribute, except those behind a URL.
    func values(of name: String) -> [[UInt8]] {
      attributes.compactMap { attribute in
        guard attribute.name == name, case .bytes(let bytes) = attribute.value else { return nil }
        return bytes
      }
    }
  }

  private struct Line {
    var bytes: [UInt8]
    /// The number of its first line, before the continuations.
    let number: Int
    var isCut: Bool
  }

  /// More than anyone reads.
  private static var malformedLimit: Int { 500 }

  private let limit: Int
  private var lines: TextLines<Failure>
  private var ahead: Line?

  /// - Parameter limit: the longest line with its continuations, in bytes.
  init(limit: Int = TextLines<Failure>.limit, source: @escaping () throws(Failure) -> [UInt8]?) {
    self.limit = limit
    lines = TextLines(limit: limit, source: source)
  }

  mutating func next() throws(Failure) -> Entry? {
    var entry: Entry?
    while let line = try unfolded() {
      if line.bytes.isEmpty {
        if let entry { return entry }
        continue
      }
      if line.bytes[0] == UInt8(ascii: "#") { continue }
      var current = entry ?? Entry(line: line.number)
      current.isCut = current.isCut || line.isCut
      if let attribute = Self.attribute(line.bytes) {
        // The version comes before the first entry, with or without an empty line after it.
        if entry != nil || attribute.name != "version" { current.attributes.append(attribute) } else { continue }
      } else if current.malformed.count < Self.malformedLimit {
        current.malformed.append((line.number, String(decoding: line.bytes.prefix(60), as: UTF8.self)))
      }
      entry = current
    }
    return entry
  }

  /// Returns a line with its continuations, which begin with a space; nil at the end.
  private mutating func unfolded() throws(Failure) -> Line? {
    var next = ahead.take()
    if next == nil { next = try readLine() }
    guard var line = next else { return nil }
    if line.bytes.isEmpty { return line }
    while let next = try readLine() {
      guard next.bytes.first == 0x20 else {
        ahead = next
        break
      }
      let rest = next.bytes.dropFirst()
      let room = limit - line.bytes.count
      line.isCut = line.isCut || next.isCut || rest.count > room
      line.bytes += rest.prefix(room)
    }
    return line
  }

  private mutating func readLine() throws(Failure) -> Line? {
    guard let bytes = try lines.next() else { return nil }
    return Line(bytes: bytes, number: lines.number, isCut: lines.wasCut)
  }

  private static func attribute(_ line: [UInt8]) -> Attribute? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return nil }
    let name = String(decoding: line[..<colon].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self).lowercased()
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    let rest = line[(colon + 1)...]
    switch rest.first {
    case UInt8(ascii: ":"):
      let bytes = Base64.decode(rest.dropFirst().drop { $0 == 0x20 })
      return bytes.map { Attribute(name: name, value: .bytes($0)) }
    case UInt8(ascii: "<"): return Attribute(name: name, value: .reference)
    default: return Attribute(name: name, value: .bytes(Array(rest.drop { $0 == 0x20 })))
    }
  }
}
