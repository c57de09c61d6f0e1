import Contacts
import VCard

/// Assembles the properties of a contact; kept lines are preferred to generated ones.
struct CardComposer {
  let version: CardVersion
  private(set) var lines: [CardLine] = []
  private let contact: Contact
  private let vocabulary: CardVocabulary
  private let maker: CardLineMaker
  private var kept: KeptLines
  private var usedGroups: Set<String>
  private var nextGroup = 1

  init(_ contact: Contact, version: CardVersion?, vocabulary: CardVocabulary) {
    self.contact = contact
    self.vocabulary = vocabulary
    kept = KeptLines(contact.cardLines, target: version, vocabulary: vocabulary)
    self.version = version ?? kept.originalVersion
    maker = CardLineMaker(version: self.version)
    usedGroups = kept.groups
  }

  mutating func compose(photo: CardBinary?, revision: String?) {
    addSingle(.uid, maker.text("UID", contact.uid))
    for step in vocabulary.steps { add(step, photo) }
    let isOrganization = contact.kind == .organization
    for line in kept.rest() {
      let key = line.key
      if revision != nil, key == "REV" { continue }
      // KIND may only occur once, and the contact's own was written.
      if isOrganization, version == .v40, key == "KIND" { continue }
      lines.append(line)
    }
    if let revision {
      let time = version == .v40 ? revision.filter { $0 != "-" && $0 != ":" } : revision
      lines.append(CardLine("REV", plain: time, version: version))
    }
  }

  private mutating func add(_ step: CardVocabulary.Step, _ photo: CardBinary?) {
    let maker = self.maker
    switch step {
    case .kind: addKind()
    case .shownName: addSingle(.shownName, CardLine("FN", text: contact.cardFormattedName, version: version))
    case .text(let field): addSingle(.text(field), maker.text(field.card.name, contact[field]))
    case .parts(let parts): addSingle(.parts(parts), made(parts))
    case .values(let field):
      let values = contact[keyPath: field.property]
      let isInFour = field.card.form == .date && version == .v40
      let anniversary = isInFour ? values.first { $0.label == "anniversary" } : nil
      add(values.map { (.value(field, $0), $0) }) { maker.lines($0, of: field, isAnniversary: $0 == anniversary) }
    case .addresses: add(contact.addresses.map { (.address($0), $0) }, make: maker.address)
    case .birthday: addSingle(.birthday, contact.birthday.map(maker.birthday))
    case .groups: addGroups()
    case .photo: if let photo { lines.append(CardLine("PHOTO", binary: photo, version: version)) }
    }
  }

  private mutating func addKind() {
    guard contact.kind == .organization else { return }
    let made =
      version == .v40
      ? CardLine("KIND", plain: "org", version: version)
      : CardLine("X-ABShowAs", plain: "COMPANY", version: version)
    addSingle(.kind, made)
  }

  /// A structured value; nil if it is not needed. Before 4.0, N is written even if it is empty, and always with all its
  /// parts.
  private func made(_ parts: CardParts) -> CardLine? {
    var texts = parts.fields.map { contact[$0] }
    let isName = parts.property == "N"
    guard texts.contains(where: { !$0.isEmpty }) || (isName && version != .v40) else { return nil }
    if !isName { while texts.last?.isEmpty == true { texts.removeLast() } }
    return CardLine(parts.property, components: texts, version: version)
  }

  /// Writes a field that a contact has once: its first kept line if that still matches the contact, otherwise the
  /// generated one; then the other kept ones, which were never part of the contact.
  private mutating func addSingle(_ identity: CardField.Identity, _ made: CardLine?) {
    let indices = kept.indices(of: identity)
    var isWritten = false
    for (number, index) in indices.enumerated() {
      if number == 0 {
        guard kept.field(at: index)?.isHeld(by: contact) == true else { continue }
        isWritten = true
      } else if number == 1, !isWritten, let made {
        lines.append(made)
        isWritten = true
      }
      kept.use(index)
      lines.append(kept.lines[index])
      lines += kept.companions(of: index, withLabel: true)
    }
    if !isWritten, let made { lines.append(made) }
  }

  /// Writes the values of a field with several values, in the contact's order.
  private mutating func add<Value>(_ values: [(field: CardField, value: Value)], make: (Value) -> [CardLine]) {
    guard !kept.lines.isEmpty else {
      for entry in values { addMade(make(entry.value), companions: [], group: "") }
      return
    }
    var taken = values.map { kept.take($0.field) }
    let last = Dictionary(values.indices.map { (values[$0].field, $0) }) { $1 }
    for (number, entry) in values.enumerated() {
      if let index = taken[number] {
        lines.append(kept.lines[index])
        lines += kept.companions(of: index, withLabel: true)
        // Several properties with the same fact were read as one.
        while last[entry.field] == number, let again = kept.take(entry.field) {
          lines.append(kept.lines[again])
          lines += kept.companions(of: again, withLabel: true)
        }
      } else if let index = kept.takeRelabeled(entry.field) {
        taken[number] = index
        addMade(
          make(entry.value), companions: kept.companions(of: index, withLabel: false), group: kept.lines[index].group)
      } else {
        addMade(make(entry.value), companions: [], group: "")
      }
    }
  }

  /// Writes generated lines. Those that need a group, and companions, get the group of the line that they replace or a
  /// new one.
  private mutating func addMade(_ made: [CardLine], companions: [CardLine], group: String) {
    guard made.count > 1 || !companions.isEmpty else {
      lines += made
      return
    }
    let name = group.isEmpty ? newGroup() : group
    lines += made.map { $0.inGroup(name) } + companions
  }

  private mutating func newGroup() -> String {
    while usedGroups.contains("item\(nextGroup)") { nextGroup += 1 }
    usedGroups.insert("item\(nextGroup)")
    return "item\(nextGroup)"
  }

  /// A kept CATEGORIES stays as long as the contact is in all its groups; the other groups get another line.
  private mutating func addGroups() {
    let own = Set(contact.groups)
    var written: Set<String> = []
    var indices: [Int] = []
    for index in kept.indices(of: .groups) {
      guard case .groups(let names)? = kept.field(at: index), own.isSuperset(of: names) else { continue }
      written.formUnion(names)
      indices.append(index)
    }
    let left = contact.groups.filter { !written.contains($0) }
    if !left.isEmpty { lines.append(CardLine("CATEGORIES", list: left, version: version)) }
    for index in indices {
      kept.use(index)
      lines.append(kept.lines[index])
      lines += kept.companions(of: index, withLabel: true)
    }
  }
}
