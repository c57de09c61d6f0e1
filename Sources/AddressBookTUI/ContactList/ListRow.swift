import AddressBookModel
import BookSearching
import Contacts

/// The texts of one contact's line.
struct ListRow: Equatable {
  /// A text with the matched code points.
  struct Cell: Equatable {
    var text = ""
    var matches: [Range<Int>] = []
  }

  var name = Cell()
  var isFavorite = false
  var phone = Cell()
  var organization = Cell()
  var email = Cell()
  /// The cells of ``ListLayout/others``.
  var others: [Cell] = []
  /// Each match with its field's name, such as `note: …`, and the column that can show it.
  var hints: [(field: ListColumns.Field?, cell: Cell)] = []

  static func == (left: ListRow, right: ListRow) -> Bool {
    left.name == right.name && left.isFavorite == right.isFavorite && left.phone == right.phone
      && left.organization == right.organization
      && left.email == right.email && left.others == right.others
      && left.hints.elementsEqual(right.hints) { $0 == $1 }
  }

  /// The hint for a match that none of these columns shows; nil if there is none, or if one of them shows a match.
  func hint(besides columns: [ListColumns.Field]) -> Cell? {
    guard columns.allSatisfy({ cell($0).matches.isEmpty }) else { return nil }
    return hints.first { hint in hint.field.map { !columns.contains($0) } ?? true }?.cell
  }

  func cell(_ field: ListColumns.Field) -> Cell {
    switch field {
    case .name: name
    case .phone: phone
    case .organization: organization
    case .email: email
    case .other(let index): others.indices.contains(index) ? others[index] : Cell()
    }
  }
}

extension ListRow {
  /// The line of a contact with its search matches.
  /// - Parameters:
  ///   - whole: the whole contact, if the line cannot be made from `contact` alone.
  ///   - names: how names are displayed.
  ///   - others: the texts of ``ListLayout/others``.
  ///   - isDamaged: true when the contact does not match its checksum; its line says so.
  init(
    _ contact: ContactRow, whole: Contact? = nil, names: NameStyle = NameStyle(), others: [String] = [],
    matches: [ContactMatch], isDamaged: Bool = false, strings: Strings
  ) {
    func ranges(_ field: String) -> [Range<Int>] { matches.first { $0.field == field }?.ranges ?? [] }
    name = Cell(
      text: contact.displayName.isEmpty ? strings("contact.nameless") : contact.displayName, matches: ranges("name"))
    if let whole, let composed = names.composed(whole) {
      name = Cell(text: composed.text, matches: composed.ranges(name.matches, of: whole))
    }
    if isDamaged { name = Cell(text: strings("list.damaged", name.text), matches: []) }
    let grouped = PhoneText.grouped(contact.phone)
    phone = Cell(text: grouped, matches: PhoneText.ranges(ranges("phones[0]"), of: contact.phone, in: grouped))
    // An organization's own line does not repeat its name.
    if contact.organization != contact.displayName {
      organization = Cell(text: contact.organization, matches: ranges("organization"))
    }
    email = Cell(text: contact.email, matches: ranges("emails[0]"))
    self.others = others.map { Cell(text: $0) }
    hints = matches.compactMap { match in Self.hint(match, strings) }
  }

  /// The line of a contact that is not in the book.
  init(_ contact: Contact, names: NameStyle = NameStyle(), strings: Strings) {
    let shown = names.name(of: contact)
    name = Cell(text: shown.isEmpty ? strings("contact.nameless") : shown)
    phone = Cell(text: PhoneText.grouped(contact.phones.first { !$0.value.isEmpty }?.value ?? ""))
    if contact.organization != shown { organization = Cell(text: contact.organization) }
    email = Cell(text: contact.emails.first { !$0.value.isEmpty }?.value ?? "")
  }

  /// A match with its field's name, such as `note: …text around the match`, and the column that can show it.
  private static func hint(_ match: ContactMatch, _ strings: Strings) -> (field: ListColumns.Field?, cell: Cell)? {
    guard let first = match.ranges.first, !match.text.isEmpty else { return nil }
    let field: ListColumns.Field? =
      switch match.field {
      case "name": .name
      case "phones[0]": .phone
      case "organization": .organization
      case "emails[0]": .email
      default: nil
      }
    let key = String(match.field.prefix { $0 != "[" })
    let name = strings(
      "search.field." + key, else: ContactFields.standard.field(jsonKey: key).map(strings.name) ?? key)
    let label = strings.label(match.ownName, else: name)
    let scalars = Array(match.text.unicodeScalars)
    // A long text starts a little before the match, so that the match is visible.
    let start = first.lowerBound > leadingText ? first.lowerBound - leadingText : 0
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars.dropFirst(start).prefix(hintLength))
    let prefix = strings("search.matchIn", label, start > 0 ? "…" : "")
    let shift = prefix.unicodeScalars.count - start
    return (
      field,
      Cell(
        text: prefix + String(view),
        matches: match.ranges.compactMap { range in
          range.lowerBound >= start ? range.lowerBound + shift..<range.upperBound + shift : nil
        })
    )
  }

  private static var leadingText: Int { 8 }
  private static var hintLength: Int { 80 }
}

/// The visible lines of the list, ready to be drawn.
///
/// Texts are separate from the selection and the marks, because most keys move the selection and leave all texts
/// unchanged.
struct ListLines {
  /// The texts of the lines, from the top.
  let texts: [ListText]
  /// Changes whenever a text may have changed.
  let revision: Int
  /// The line of the selected contact; nil if it is not visible.
  var selected: Int?
  /// The lines of marked contacts.
  var marked: Set<Int> = []

  var count: Int { texts.count }

  func isMarked(_ index: Int) -> Bool { !marked.isEmpty && marked.contains(index) }

  /// True if that line looks the same in the other list.
  func isSame(_ index: Int, as other: ListLines) -> Bool {
    guard index < other.count, (selected == index) == (other.selected == index),
      isMarked(index) == other.isMarked(index)
    else { return false }
    return revision == other.revision || texts[index] == other.texts[index]
  }
}

/// The text of a line of the list.
enum ListText: Equatable {
  /// A section header with the number of its contacts.
  case header(title: String, count: String)
  case row(ListRow)
  /// A line whose text has not been made yet, or whose contact was just deleted.
  case placeholder
}
