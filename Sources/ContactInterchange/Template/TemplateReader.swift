import Contacts
import VCard

/// A contact of a template.
public struct TemplateContact: Sendable {
  /// The number of its first line.
  public let line: Int
  /// The contact; its id is 0 if the text has none.
  public private(set) var contact = Contact()
  /// What could not be read.
  public private(set) var problems: [(line: Int, problem: TemplateProblem)] = []
  /// The fields that the text has, even if they are empty there.
  private(set) var fields: [ContactField] = []
  /// The lines of fields and of their values, by their key paths in issues, such as `phones[1]`.
  private var lines: [String: Int] = [:]

  /// Reads the lines of a contact.
  /// - Parameters:
  ///   - lines: the lines without their ends.
  ///   - first: the number of the first one.
  ///   - isDayFirst: whether `3/4/1990` is 3 April; otherwise it is 4 March.
  public init(_ lines: some Sequence<Substring>, first: Int, isDayFirst: Bool = false) {
    line = first
    var parser = TemplateParser(Array(lines), first: first)
    let node = parser.document()
    problems = parser.problems.map { ($0.line, .unreadable($0.text)) }
    var seen: Set<String> = []
    if node.entries == nil { refuse(node) }
    for (key, node) in node.entries ?? [] {
      guard seen.insert(key).inserted else {
        refuse(node, .unreadable(key))
        continue
      }
      if !read(key, node, isDayFirst) { refuse(node, .unknownField(key)) }
    }
    problems.sort { $0.line < $1.line }
  }

  /// Whether the text has no value.
  public var isEmpty: Bool { contact == Contact() && problems.isEmpty }

  /// The line about a property of an issue; that of the contact if it has none.
  public func line(of property: String) -> Int {
    let value = property.prefix { $0 != "." }
    return lines[String(value)] ?? lines[String(value.prefix { $0 != "[" })] ?? line
  }

  /// Returns a contact with what the text changes in it, which was made from the contact: what it cannot say stays.
  public func applied(to base: Contact) -> Contact {
    var text = ""
    ContactTemplate.append(base, to: &text)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let before = TemplateContact(lines.dropLast(), first: 1).contact
    var result = base
    for field in contact.changedFields(since: before) {
      switch field {
      case .text(let text): result[text] = contact[text]
      case .values(let list): result[keyPath: list.property] = contact[keyPath: list.property]
      case .special(.kind): result.kind = contact.kind
      case .special(.addresses): result.addresses = contact.addresses
      case .special(.birthday): result.birthday = contact.birthday
      case .special(.groups): result.groups = contact.groups
      case .special(.photo), .special(.cardLines): break
      }
    }
    if contact.uid != before.uid { result.uid = contact.uid }
    result.dropOutdatedFullName(since: base)
    return result
  }

  private mutating func refuse(_ node: TemplateNode, _ problem: TemplateProblem = .unreadable("")) {
    problems.append((node.line, problem))
  }

  /// Reads a field.
  /// - Returns: false if there is none with this name.
  private mutating func read(_ key: String, _ node: TemplateNode, _ isDayFirst: Bool) -> Bool {
    if key == "id" {
      contact.id = text(node).flatMap(Int64.init) ?? 0
      return true
    }
    if key == "groups" {
      fields.append(.special(.groups))
      contact.groups = Array(Set(node.items.compactMap { text($0) }.filter { !$0.isEmpty })).sorted()
      return true
    }
    guard let path = FieldPath(key) else { return false }
    switch path {
    case .text(let field):
      begin(.text(field), node)
      let text = text(node) ?? ""
      contact[field] = field.role == .prose ? text : text.trimmed
    case .uid: contact.uid = text(node) ?? ""
    case .kind:
      begin(.special(.kind), node)
      let name = text(node) ?? ""
      if let kind = Contact.Kind.allCases.first(where: { $0.name == name }) {
        contact.kind = kind
      } else if !name.isEmpty {
        refuse(node, .unknownKind(name))
      }
    case .birthday:
      begin(.special(.birthday), node)
      if let text = text(node), !text.isEmpty { contact.birthday = day(text, node, isDayFirst) }
    case .labeled(let field, label: ""): readValues(field, node, isDayFirst)
    case .address(label: "", part: nil): readAddresses(node)
    case .labeled, .address: return false
    }
    return true
  }

  private mutating func begin(_ field: ContactField, _ node: TemplateNode) {
    fields.append(field)
    lines[field.name] = node.line
  }

  private mutating func text(_ node: TemplateNode) -> String? {
    if let text = node.text { return text }
    refuse(node)
    return nil
  }

  private mutating func day(_ text: String, _ node: TemplateNode, _ isDayFirst: Bool) -> PartialDate? {
    let day = WrittenDate(text, isDayFirst: isDayFirst)?.day
    if day == nil { refuse(node, .notADate(text)) }
    return day
  }

  /// The values of a list with their labels. A value without a label may stand beside the name of the list.
  private mutating func labeled(_ node: TemplateNode) -> [(label: String, node: TemplateNode)] {
    guard let entries = node.entries else { return node.items.map { ("", $0) } }
    return entries.flatMap { label, node in node.items.map { (label, $0) } }
  }

  private mutating func readValues(_ field: ContactField.Values, _ node: TemplateNode, _ isDayFirst: Bool) {
    begin(.values(field), node)
    for (label, node) in labeled(node) {
      guard var value = text(node)?.trimmed, !value.isEmpty else { continue }
      if field.rule == .date {
        guard let day = day(value, node, isDayFirst) else { continue }
        value = day.iso
      }
      lines["\(field.name)[\(contact[keyPath: field.property].count)]"] = node.line
      contact[keyPath: field.property].append(LabeledValue(label: label, value: value))
    }
  }

  private mutating func readAddresses(_ node: TemplateNode) {
    begin(.special(.addresses), node)
    for (label, node) in node.entries?.flatMap({ label, node in node.items.map { (label, $0) } }) ?? [] {
      guard let parts = node.entries else {
        refuse(node)
        continue
      }
      var address = PostalAddress(label: label)
      for (key, node) in parts {
        if let part = AddressPart(rawValue: key) {
          address[part] = text(node)?.trimmed ?? ""
        } else {
          refuse(node, .unknownField(key))
        }
      }
      lines["addresses[\(contact.addresses.count)]"] = node.line
      if !address.isEmpty { contact.addresses.append(address) }
    }
    if node.entries == nil { refuse(node) }
  }
}

/// Why a line of a template was not read.
public enum TemplateProblem: Hashable, Sendable {
  /// It is not a field with its value, or in a form of YAML that templates do not use.
  case unreadable(String)
  /// There is no field with this name.
  case unknownField(String)
  /// The text is not a date.
  case notADate(String)
  /// The text is neither person nor organization.
  case unknownKind(String)
}

/// A reader of contacts as text, with a line of `---` between two; see ``ContactTemplate``.
public struct TemplateReader<Failure: Error> {
  private var lines: TextLines<Failure>
  private var text = ForeignText()
  private let isDayFirst: Bool
  private var isAtEnd = false
  /// More lines than these are read as another contact, so that a file of any size fits into memory.
  private static var mostLines: Int { 50_000 }

  /// Creates a reader.
  /// - Parameters:
  ///   - isDayFirst: whether `3/4/1990` is 3 April; otherwise it is 4 March.
  ///   - source: returns the next bytes, or nil at the end.
  public init(isDayFirst: Bool = false, source: @escaping () throws(Failure) -> [UInt8]?) {
    lines = TextLines(source: source)
    self.isDayFirst = isDayFirst
  }

  /// Returns the next contact, which may be empty; nil at the end.
  public mutating func next() throws(Failure) -> TemplateContact? {
    guard !isAtEnd else { return nil }
    let first = lines.number + 1
    var found: [Substring] = []
    isAtEnd = true
    while let line = try lines.next() {
      text.observe(line)
      let decoded = text.text(of: line).text
      if decoded.trimmed == ContactTemplate.separator {
        isAtEnd = false
        break
      }
      found.append(decoded[...])
      if found.count == Self.mostLines {
        isAtEnd = false
        break
      }
    }
    return TemplateContact(found, first: first, isDayFirst: isDayFirst)
  }
}

extension TemplateReader<Never> {
  /// Returns the contacts of a text.
  public static func contacts(in text: String) -> [TemplateContact] {
    var rest: [UInt8]? = Array(text.utf8)
    var reader = TemplateReader { rest.take() }
    var contacts: [TemplateContact] = []
    while let contact = reader.next() { contacts.append(contact) }
    return contacts.filter { !$0.isEmpty }
  }
}
