import Contacts

/// A writer of contacts as CSV (RFC 4180, UTF-8, CR LF) with the columns of Google's export, which Outlook, Apple and
/// spreadsheets read too, and further columns for what Google has no name for.
///
/// Photos and the kept lines of cards are not written (``losses``). No spreadsheet runs a cell as a formula
/// (``CSVFormula``).
public struct CSVWriter: Sendable {
  /// How many numbered columns the contacts need.
  public struct Extent: Hashable, Sendable {
    fileprivate var values: [String: Int] = [:]
    fileprivate var addresses = 0

    /// Creates the extent of no contacts.
    public init() {}

    /// Takes a contact into account.
    public mutating func include(_ contact: Contact) {
      for field in ContactFields.standard.values {
        let count = field.read(contact).count
        if count > values[field.name, default: 0] { values[field.name] = count }
      }
      addresses = max(addresses, contact.addresses.count)
    }
  }

  /// A tally of what the written contacts lost.
  public private(set) var losses = LossTally()
  private let extent: Extent

  /// Creates a writer for contacts that this extent includes. If a contact has more values than a field has columns,
  /// the last column gets several. Further addresses are lost, and so are values of a field without columns.
  public init(_ extent: Extent) {
    self.extent = extent
  }

  /// The row with the names of the columns, with its line end.
  public var header: String {
    var names = ["UID"]
    for field in ContactFields.standard.all {
      switch field {
      case .text(let text): names.append(Self.names[text.name] ?? text.name)
      case .values(let values):
        let name = Self.names[values.name] ?? values.singular
        for number in 0..<extent.values[values.name, default: 0] {
          names += ["\(name) \(number + 1) - Label", "\(name) \(number + 1) - Value"]
        }
      case .special(.addresses):
        for number in 0..<extent.addresses {
          names += (["Label"] + Self.parts.map(\.name)).map { "Address \(number + 1) - \($0)" }
        }
      case .special(.kind): names.append("Kind")
      case .special(.birthday): names.append("Birthday")
      case .special(.groups): names.append("Labels")
      case .special(.photo), .special(.cardLines): break
      }
    }
    return Self.row(names)
  }

  /// Returns the row of a contact, with its line end.
  public mutating func row(of contact: Contact) -> String {
    var cells = [contact.uid]
    var lost = LossTally.filled(contact).intersection(["photo", "cardLines"])
    var losesLabel = false
    for field in ContactFields.standard.all {
      switch field {
      case .text(let text): cells.append(contact[text])
      case .values(let values):
        let (items, columns) = (values.read(contact), extent.values[values.name, default: 0])
        cells += Self.cells(items, columns)
        if columns == 0, !items.isEmpty { lost.insert(values.name) }
        if columns > 0, items.dropFirst(columns).contains(where: { !$0.label.isEmpty }) { losesLabel = true }
      case .special(.addresses): cells += addressCells(contact.addresses)
      case .special(.kind): cells.append(contact.kind == .person ? "person" : "organization")
      case .special(.birthday): cells.append(contact.birthday?.iso ?? "")
      case .special(.groups): cells.append(CSVRecord.cell(groups: contact.groups))
      case .special(.photo), .special(.cardLines): break
      }
    }
    if contact.addresses.count > extent.addresses { lost.insert("addresses") }
    losses.add(lost, labels: losesLabel)
    return Self.row(cells)
  }

  private static func cells(_ values: [LabeledValue], _ count: Int) -> [String] {
    var cells: [String] = []
    for number in 0..<count {
      guard number < values.count else {
        cells += ["", ""]
        continue
      }
      // The last column takes all further values, which were added after the columns were counted.
      let here = number == count - 1 ? values[number...] : values[number...number]
      cells += [CSVRecord.escaped(values[number].label), here.map(\.value).joined(separator: CSVRecord.valueSeparator)]
    }
    return cells
  }

  private func addressCells(_ addresses: [PostalAddress]) -> [String] {
    (0..<extent.addresses).flatMap { number -> [String] in
      guard number < addresses.count else { return Array(repeating: "", count: Self.parts.count + 1) }
      return [CSVRecord.escaped(addresses[number].label)] + Self.parts.map { addresses[number][$0.part] }
    }
  }

  /// Returns a line of cells, quoted where necessary, with its line end.
  private static func row(_ cells: [String]) -> String {
    cells.map { cell in
      let text = CSVFormula.guarded(cell)
      guard
        text.utf8.contains(where: { $0 < 0x20 || $0 == CSVByte.quote || $0 == 0x2C || $0 == 0x3B })
          || text != text.trimmed
      else { return text }
      return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }.joined(separator: ",") + "\r\n"
  }

  /// Google's names of columns; a field that is missing here has its own name.
  private static let names: [String: String] = [
    "formattedName": "Full Name", "prefix": "Name Prefix", "given": "First Name", "middle": "Middle Name",
    "family": "Last Name", "suffix": "Name Suffix", "phoneticGiven": "Phonetic First Name",
    "phoneticMiddle": "Phonetic Middle Name", "phoneticFamily": "Phonetic Last Name", "nickname": "Nickname",
    "organization": "Organization Name", "department": "Organization Department", "title": "Organization Title",
    "note": "Notes", "phones": "Phone", "emails": "E-mail", "urls": "Website", "dates": "Event", "handles": "IM",
    "related": "Relation", "custom": "Custom Field",
  ]

  private static let parts: [(name: String, part: AddressPart)] = [
    ("Street", .street), ("Extended Address", .extended), ("City", .city), ("PO Box", .poBox), ("Region", .region),
    ("Postal Code", .postalCode), ("Country", .country),
  ]
}

/// An apostrophe that keeps spreadsheets from running a cell as a formula (CWE-1236). Reading the file removes it again.
///
/// Spreadsheets treat a cell that begins with `=`, `+`, `-`, `@`, a tab or a line end as a formula, and some do so with
/// the fullwidth forms of these signs. Such a cell gets an apostrophe in front. Phone numbers and dates without a year
/// can begin with `+` or `-`, and other programs must be able to read them: a cell that has only digits and the
/// punctuation of phone numbers stays as it is, because it cannot call a function. A cell that begins with apostrophes
/// and then such a character gets one more, so that reading removes exactly the one that was added.
enum CSVFormula {
  /// Returns the text to write into a cell.
  static func guarded(_ text: String) -> String {
    startsFormula(text) || isGuarded(text) ? "'" + text : text
  }

  /// Returns the text of a cell, without an added apostrophe.
  static func bare(_ cell: String) -> String { isGuarded(cell) ? String(cell.dropFirst()) : cell }

  private static func startsFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, isTrigger(first) else { return false }
    guard first == "+" || first == "-" else { return true }
    return !text.unicodeScalars.allSatisfy { ("0"..."9").contains($0) || " +-().#*".unicodeScalars.contains($0) }
  }

  /// Returns whether the text begins with apostrophes and then a character that begins a formula.
  private static func isGuarded(_ text: String) -> Bool {
    guard text.unicodeScalars.first == "'" else { return false }
    return text.unicodeScalars.first { $0 != "'" }.map(isTrigger) ?? false
  }

  private static func isTrigger(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\n", "\r", "＝", "＋", "－", "＠": true
    default: false
    }
  }
}
