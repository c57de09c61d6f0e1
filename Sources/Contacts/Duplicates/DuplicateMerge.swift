/// A merge of contacts that are the same. It keeps every value except a second photo and a different kind.
///
/// The first contact's UID, id and kind are kept. Its name (all parts and the full name) is one unit, its job
/// (organization, department, job title) another, and each other text except the note is a unit of its own. If nothing
/// in a unit conflicts, its empty texts are filled from the other contact. Otherwise nothing of the unit is taken, and
/// what differs is added to the note: the name as one line, each other text as a line of its own. Notes are joined.
/// Lists have each value once, with the first label that is not empty; of equal phone numbers, the one with the country
/// code is kept.
///
/// A part that a contact has only once is taken from the first contact that has it, or from a chosen contact
/// (``Part``).
public struct DuplicateMerge {
  /// A value that could not be merged: a text or a birthday is in the note, a photo stays with the deleted contact,
  /// and a kind is dropped.
  public struct Conflict: Hashable, Sendable {
    /// The field; the full name for names.
    public let field: ContactField
    /// The value that is kept.
    public let kept: MergeConflict.Value
    /// The value of the other contact.
    public let other: MergeConflict.Value

    /// Key of the field in JSON.
    public var fieldName: String { field.jsonKey }
  }

  /// The merged contact. Its photo is that of ``photoSource``.
  public private(set) var merged: Contact
  /// The values that could not be merged.
  public private(set) var conflicts: [Conflict] = []
  /// The id of the contact that the photo comes from; nil without a photo.
  public private(set) var photoSource: Int64?

  private let line: (ContactField, String) -> String
  /// Lines that are added to the note, after the joined notes.
  private var lines: [String] = []

  /// Merges contacts into the first one, in order.
  /// - Parameters:
  ///   - choices: ids of the contacts that parts are taken from; these then count as having the first contact's.
  ///   - line: the line of the note that says what another contact had in a field; by default the value itself.
  public init(
    _ first: Contact, _ others: [Contact], choices: [Part: Int64] = [:],
    line: @escaping (ContactField, String) -> String = { $1 }
  ) {
    var contacts = [first] + others
    // The first contact and the chosen one swap the part; then the other values are merged as usual.
    for (part, id) in choices {
      if let index = contacts.firstIndex(where: { $0.id == id }), index > 0 {
        let chosen = contacts[index]
        contacts[index].copy(part, from: contacts[0])
        contacts[0].copy(part, from: chosen)
      }
    }
    merged = contacts[0]
    self.line = line
    photoSource = first.photo.map { _ in first.id }
    for other in contacts.dropFirst() { merge(other) }
    tidyLists()
    let noted = Set(Self.lines(of: merged.note))
    lines.removeAll(where: noted.contains)
    merged.note = ([merged.note] + lines).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private mutating func merge(_ other: Contact) {
    if other.kind != merged.kind {
      conflicts.append(
        Conflict(field: .special(.kind), kept: .text(merged.kind.name), other: .text(other.kind.name)))
    }
    mergeName(of: other)
    mergeTexts(ContactFields.standard.texts.filter { $0.role == .employment }, of: other)
    for field in ContactFields.standard.texts where field.role == .phonetic || field.role == .detail {
      mergeTexts([field], of: other)
    }
    for field in ContactFields.standard.texts where field.role == .prose {
      merged[field] = Self.joined(merged[field], other[field])
    }
    mergeBirthday(of: other)
    mergePhoto(of: other)
    for field in ContactFields.standard.values { merged[keyPath: field.property] += other[keyPath: field.property] }
    merged.addresses += other.addresses
    merged.groups = Set(merged.groups + other.groups).sorted()
    mergeLines(of: other)
  }

  // MARK: Texts

  private mutating func mergeName(of other: Contact) {
    var parts = ContactFields.standard.texts.filter { $0.role == .namePart || $0.role == .fullName }
    let whole = ContactField.text(parts.first { $0.role == .fullName } ?? parts[0])
    var other = other
    if merged.kind == .organization, merged.formattedName.isEmpty, !merged.organization.isEmpty {
      // The merged contact's name is its organization. A full name would replace it.
      if !other.formattedName.isEmpty, Self.differ(merged.organization, other.formattedName) {
        note(whole, kept: merged.organization, other: other.formattedName)
      }
      other.formattedName = ""
      parts.removeAll { $0.role == .fullName }
    }
    if contradicts(parts, other) || isNamedDifferently(other) {
      note(whole, kept: merged.shownName, other: other.shownName)
    } else {
      fill(parts, from: other)
      if merged.formattedName == merged.composedName { merged.formattedName = "" }
    }
  }

  /// Returns whether one of the two has its name in parts, the other in one field, and the names differ.
  private func isNamedDifferently(_ other: Contact) -> Bool {
    func parts(_ contact: Contact) -> String { contact.given + contact.middle + contact.family }
    guard parts(merged).isEmpty != parts(other).isEmpty, !merged.shownName.isEmpty, !other.shownName.isEmpty else {
      return false
    }
    let names = [merged, other].map { contact in
      var named = Contact()
      for field in ContactFields.standard.texts where field.role == .namePart || field.role == .fullName {
        named[field] = contact[field]
      }
      return ComparedName(named)
    }
    return ![.same, .compatible, .none].contains(NameRelation(names[0], names[1]))
  }

  private mutating func mergeTexts(_ texts: [ContactField.Text], of other: Contact) {
    guard contradicts(texts, other) else { return fill(texts, from: other) }
    for text in texts where !other[text].isEmpty && Self.differ(merged[text], other[text]) {
      note(.text(text), kept: merged[text], other: other[text])
    }
  }

  private func contradicts(_ texts: [ContactField.Text], _ other: Contact) -> Bool {
    texts.contains { !merged[$0].isEmpty && !other[$0].isEmpty && Self.differ(merged[$0], other[$0]) }
  }

  private static func differ(_ one: String, _ other: String) -> Bool { SameText.folded(one) != SameText.folded(other) }

  private mutating func fill(_ texts: [ContactField.Text], from other: Contact) {
    for text in texts where merged[text].isEmpty { merged[text] = other[text] }
  }

  private mutating func note(_ field: ContactField, kept: String, other: String) {
    conflicts.append(Conflict(field: field, kept: .text(kept), other: .text(other)))
    keep(field, other)
  }

  private mutating func keep(_ field: ContactField, _ value: String) {
    let line = line(field, SameText.content(value).split(whereSeparator: \.isNewline).joined(separator: " "))
    if !lines.contains(line) { lines.append(line) }
  }

  /// Returns the lines of one note, then those of the other that it lacks.
  private static func joined(_ one: String, _ other: String) -> String {
    if SameText.content(one).isEmpty { return other }
    let known = Set(lines(of: one))
    let added = lines(of: other).filter { !known.contains($0) }
    return SameText.content(added.joined()).isEmpty ? one : ([one] + added).joined(separator: "\n")
  }

  private static func lines(of note: String) -> [String] {
    SameText.content(note).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  // MARK: Birthday and photo

  private mutating func mergeBirthday(of other: Contact) {
    guard let birthday = other.birthday else { return }
    guard let known = merged.birthday else { return merged.birthday = birthday }
    let isOneDay =
      known.month == birthday.month && known.day == birthday.day
      && (known.year == nil || birthday.year == nil || known.year == birthday.year)
    if isOneDay {
      if known.year == nil { merged.birthday = birthday }
    } else {
      conflicts.append(Conflict(field: .special(.birthday), kept: .day(known), other: .day(birthday)))
      keep(.special(.birthday), birthday.iso)
    }
  }

  private mutating func mergePhoto(of other: Contact) {
    guard let photo = other.photo else { return }
    if let known = merged.photo {
      guard known.sha256 != photo.sha256 else { return }
      conflicts.append(Conflict(field: .special(.photo), kept: .photo(known), other: .photo(photo)))
    } else {
      merged.photo = photo
      photoSource = other.id
    }
  }

  // MARK: Lists

  private mutating func mergeLines(of other: Contact) {
    let about = merged.cardLines.filter(CardLineUnit.isAboutCard)
    let units = [merged, other].map { contact in
      CardLineUnit.units(of: contact.cardLines.filter { !CardLineUnit.isAboutCard($0) })
    }
    let kept = merged.cardLines.isEmpty ? other.cardLines.filter(CardLineUnit.isAboutCard) : about
    merged.cardLines = kept + CardLineUnit.lines(of: CardLineUnit.joined(units[0], units[1]))
  }

  private mutating func tidyLists() {
    for field in ContactFields.standard.values {
      let values = merged[keyPath: field.property]
      switch field.sameness {
      case .phone: merged[keyPath: field.property] = Self.numbers(values, field)
      case .email:
        merged[keyPath: field.property] = Self.once(values, by: { DuplicateTraits.email($0.value) }, \.label)
      default: merged[keyPath: field.property] = Self.once(values, by: field.key, \.label)
      }
    }
    merged.addresses = Self.once(merged.addresses, by: \.key, \.label)
  }

  private static func once<Value, Key: Hashable>(
    _ values: [Value], by key: (Value) -> Key, _ label: WritableKeyPath<Value, String>
  ) -> [Value] {
    var indexes: [Key: Int] = [:]
    return values.reduce(into: []) { kept, value in
      let key = key(value)
      guard let index = indexes[key] else {
        indexes[key] = kept.count
        return kept.append(value)
      }
      if kept[index][keyPath: label].isEmpty { kept[index][keyPath: label] = value[keyPath: label] }
    }
  }

  private static func numbers(_ values: [LabeledValue], _ field: ContactField.Values) -> [LabeledValue] {
    var numbers: [DialedNumber?] = []
    return once(values, by: field.key, \.label).reduce(into: []) { kept, value in
      let number = DialedNumber(value.value)
      let index = number.flatMap { number in numbers.firstIndex { $0?.isSame(as: number) ?? false } }
      guard let index, let number else {
        numbers.append(number)
        return kept.append(value)
      }
      if kept[index].label.isEmpty { kept[index].label = value.label }
      if let known = numbers[index], number.isLonger(than: known) {
        kept[index].value = value.value
        numbers[index] = number
      }
    }
  }
}

extension Contact {
  /// The displayed name, made only from the parts of the name and the full name.
  fileprivate var shownName: String { formattedName.isEmpty ? composedName : formattedName }
}

extension DuplicateMerge {
  /// A part that a merged contact has only once. It can be taken from any of the contacts.
  ///
  /// Notes are joined, so there is nothing to choose. A photo cannot be chosen: the first contact's photo would be
  /// lost, because a note cannot hold it.
  public enum Part: Hashable, Sendable {
    /// Person or organization.
    case kind
    /// All parts of the name, the full name and the phonetic names.
    case name
    /// Organization, department and job title.
    case employment
    /// One other text, such as the nickname.
    case text(ContactField.Text)
    /// The birthday.
    case birthday

    /// Creates the part that a field belongs to; nil for lists, notes, groups, the photo and the lines of the card.
    public init?(_ field: ContactField) {
      switch field {
      case .special(.kind): self = .kind
      case .special(.birthday): self = .birthday
      case .special, .values: return nil
      case .text(let text):
        switch text.role {
        case .namePart, .fullName, .phonetic: self = .name
        case .employment: self = .employment
        case .detail: self = .text(text)
        case .prose: return nil
        }
      }
    }
  }
}

extension Contact {
  mutating func copy(_ part: DuplicateMerge.Part, from other: Contact) {
    switch part {
    case .kind: kind = other.kind
    case .birthday: birthday = other.birthday
    case .name, .employment, .text:
      for text in ContactFields.standard.texts where DuplicateMerge.Part(.text(text)) == part {
        self[text] = other[text]
      }
    }
  }
}
