import Contacts
import VCard

/// A composer of a contact's card from the lines that the contact keeps.
///
/// What the kept lines say is compared with the contact, field by field. A line of an unchanged field stays at its
/// position, and as it is unless the version changes. An edited value is written into its line, a removed one is
/// removed with its line, and a new one gets a line next to those of its field or else after those of earlier fields.
/// Lines without a field are kept, except Apple's additions to a removed or relabeled value, what repeats a value that is
/// edited (`removeOutdated()`), and a KIND that contradicts the contact's; REV is updated if the contact has changed.
struct CardComposer {
  private let version: CardVersion
  private let contact: Contact
  private let kept: ParsedCard
  private let vocabulary: CardVocabulary
  private let maker: CardFieldMaker
  private var rewriter: LineRewriter
  private let indicesByField: [CardField.Identity: [Int]]
  /// What is written instead of each kept line.
  private var written: [[CardLine]]
  /// New lines by the index of the kept line that they follow; -1 for the beginning.
  private var inserted: [Int: [CardLine]] = [:]
  /// The index after which new lines of the current step are written.
  private var position = -1
  /// Whether the contact differs from what the kept lines say.
  private var isChanged = false

  /// Returns the card of a contact.
  /// - Parameters:
  ///   - photo: its photo; the contact has only a summary of it.
  ///   - version: nil for that of the kept lines.
  static func card(
    of contact: Contact, photo: CardBinary?, version: CardVersion?, vocabulary: CardVocabulary
  ) -> Card {
    var kept = ParsedCard(kept: contact.cardLines, vocabulary)
    if version == nil || version == kept.version {
      if let lines = kept.lines(ifUnchanged: contact, photo) { return Card(version: kept.version, lines: lines) }
    } else {
      kept = ParsedCard(kept: contact.cardLines, for: version, vocabulary)
    }
    var composer = CardComposer(contact, kept, version: version, vocabulary: vocabulary)
    return Card(version: composer.version, lines: composer.lines(photo: photo))
  }

  private init(_ contact: Contact, _ kept: ParsedCard, version: CardVersion?, vocabulary: CardVocabulary) {
    self.contact = contact
    self.kept = kept
    self.vocabulary = vocabulary
    indicesByField = kept.indicesByField
    self.version = version ?? kept.version
    maker = CardFieldMaker(contact, version: self.version, custom: vocabulary.custom)
    rewriter = LineRewriter(kept, maker, version: self.version)
    written = Array(repeating: [], count: kept.lines.count)
  }

  private mutating func lines(photo: CardBinary?) -> [CardLine] {
    for (index, line) in kept.lines.enumerated() where kept.fields[index] == nil {
      written[index] = [line.converted(to: version)]
    }
    addUID()
    for step in vocabulary.steps {
      let identity = step.identity
      let indices = indicesByField[identity] ?? []
      // X-ABShowAs may be anywhere.
      if identity != .kind { position = max(position, indices.last ?? -1) }
      switch step {
      case .photo: addPhoto(photo, indices.first)
      case .groups: addGroups(indices)
      case .values, .addresses: addList(step, indices)
      // Written where the card has it, with ``updateReading()``.
      case .text(let field) where kept.reading != nil && vocabulary.readings.contains(field): break
      default: addSingle(step, indices.first)
      }
    }
    updateReading()
    removeOutdated()
    removeAdditions()
    if isChanged { revise() }
    var result = inserted[-1] ?? []
    for index in written.indices {
      result += written[index]
      if let new = inserted[index] { result += new }
    }
    return result
  }

  // MARK: - Single fields

  private mutating func addUID() {
    let index = indicesByField[.uid]?.first
    if kept.contact.uid == contact.uid {
      if let index { written[index] = rewriter.preserved(index) }
    } else if contact.uid.isEmpty {
      isChanged = true
    } else if let index {
      isChanged = true
      written[index] = rewriter.rewritten(index, .uid(contact.uid))
    } else {
      // A UID that the book assigned is not a change to the contact.
      inserted[-1, default: []] += maker.lines(of: .uid(contact.uid))
    }
  }

  private mutating func addSingle(_ step: CardVocabulary.Step, _ index: Int?) {
    let (now, before) = (step.fields(of: contact).first, step.fields(of: kept.contact).first)
    if now == before, let index {
      written[index] = rewriter.preserved(index)
    } else if now == before, let field = now ?? step.emptyName(version) {
      if isNeeded(step) { insert(maker.lines(of: field)) }
    } else if now != before {
      isChanged = true
      if step.identity == .kind { removeOtherKind() }
      guard let index else { return insert(now.map(maker.lines) ?? []) }
      let field = now ?? step.emptyName(version)
      written[index] = field.map { rewriter.rewritten(index, $0) } ?? []
    }
  }

  /// Returns whether a card of this version must have the property. A card that came with only one of FN and N, in the
  /// same version, stays like that.
  private func isNeeded(_ step: CardVocabulary.Step) -> Bool {
    switch step.identity {
    case .shownName: version != kept.version || !kept.hasName
    case .parts: version != .v40 && (version != kept.version || !kept.hasName)
    default: false
    }
  }

  /// Removes any other KIND, because a card may have only one.
  private mutating func removeOtherKind() {
    guard contact.kind == .organization, version == .v40 else { return }
    for (index, line) in kept.lines.enumerated() where kept.fields[index] == nil && line.isNamed("KIND") {
      written[index] = []
    }
  }

  private mutating func addPhoto(_ photo: CardBinary?, _ index: Int?) {
    guard let photo else {
      if index != nil { isChanged = true }
      return
    }
    guard let index else {
      isChanged = true
      return insert([CardLine("PHOTO", binary: photo, version: version)])
    }
    let isKept = contact.digest(of: photo) == kept.photoDigest
    if !isKept { isChanged = true }
    written[index] = [rewriter.photo(index, photo, isKept: isKept)]
  }

  // MARK: - Lists

  private mutating func addList(_ step: CardVocabulary.Step, _ indices: [Int]) {
    let (now, before) = (step.fields(of: contact), step.fields(of: kept.contact))
    if now == before {
      for index in indices { written[index] = rewriter.preserved(index) }
      return
    }
    isChanged = true
    var list = ListPlan(now, kept, indices)
    var outputs = now.indices.map { number -> [CardLine] in
      guard let index = list.partner[number] else { return rewriter.grouped(maker.lines(of: now[number])) }
      return line(index, saying: now[number])
    }
    if !list.isOrder(kept: outputs.map { $0.first?.preference }) {
      list.followOrder()
      if outputs.contains(where: { $0.first?.preference != nil }) {
        for number in outputs.indices where !outputs[number].isEmpty {
          outputs[number][0] = outputs[number][0].preferred(number == 0)
        }
      }
    }
    for (number, field) in now.enumerated() {
      switch list.position(of: number) {
      case .line(let index):
        written[index] = outputs[number]
        for index in list.repeats(of: list.partner[number] ?? index) { written[index] = line(index, saying: field) }
      case .after(let index): insert(outputs[number], after: index)
      case .anywhere: insert(outputs[number])
      }
    }
  }

  private mutating func line(_ index: Int, saying field: CardField) -> [CardLine] {
    kept.fields[index] == field ? rewriter.preserved(index) : rewriter.rewritten(index, field)
  }

  /// Removes the groups that the contact is no longer in, and adds its new ones to the first line of groups, or in a
  /// new line.
  private mutating func addGroups(_ indices: [Int]) {
    let own = Set(contact.groups)
    guard own != Set(kept.contact.groups) else {
      for index in indices { written[index] = rewriter.preserved(index) }
      return
    }
    isChanged = true
    var new = own.subtracting(kept.contact.groups).sorted()
    for index in indices {
      guard case .groups(let names)? = kept.fields[index] else { continue }
      let left = names.filter(own.contains) + new
      new = []
      if left == names {
        written[index] = rewriter.preserved(index)
      } else if !left.isEmpty {
        written[index] = rewriter.rewritten(index, .groups(left))
      }
    }
    if !new.isEmpty { insert(maker.lines(of: .groups(new))) }
  }

  // MARK: - What repeats another value

  /// Writes an edited phonetic name to where the card has it: the reading of a name, or the text that it is sorted by.
  private mutating func updateReading() {
    guard let source = kept.reading else { return }
    let (now, before) = (vocabulary.readings.map { contact[$0] }, vocabulary.readings.map { kept.contact[$0] })
    guard now != before else { return }
    isChanged = true
    let texts = now.reversed().drop(while: \.isEmpty).reversed().map { $0 }
    switch source {
    case .parameter(let index):
      guard let line = written[index].first else { return }
      written[index][0] =
        texts.isEmpty
        ? line.withoutParameters(["SORT-AS"]) : line.withParameter(CardParameter(name: "SORT-AS", values: texts))
    case .line(let index):
      let line = kept.lines[index].converted(to: version)
      let parts = Dictionary(uniqueKeysWithValues: zip(now.indices, now))
      let text = CardLine(line.name, text: texts.joined(separator: ", "), version: version)
      written[index] =
        texts.isEmpty ? [] : [line.isReading ? line.withComponents(parts, least: 5) : line.withValue(of: text)]
    }
  }

  /// Removes the lines without a field that repeat an edited value: the delivery text and the country of an address, and
  /// the name in other forms.
  private mutating func removeOutdated() {
    if kept.lines.isEmpty { return }
    let isRenamed =
      contact.displayName != kept.contact.displayName
      || ContactFields.standard.texts.contains { $0.role == .namePart && contact[$0] != kept.contact[$0] }
    var (byLabel, byGroup): ([String: Int], [String: Int]) = ([:], [:])
    for index in (indicesByField[.address] ?? []).reversed() where kept.lines[index].isNamed("ADR") {
      let line = kept.lines[index]
      for key in Card.labelKeys(ofAddress: line) { byLabel[key] = index }
      if line.hasGroup { byGroup[line.group.lowercased()] = index }
    }
    let isResorted = vocabulary.readings.contains { contact[$0] != kept.contact[$0] }
    for (index, line) in kept.lines.enumerated() where !isReading(index) {
      let address = line.hasGroup ? byGroup[line.group.lowercased()] : nil
      if kept.fields[index] != nil {
        if isResorted, line.hasParameters { written[index] = written[index].map { $0.withoutParameters(["SORT-AS"]) } }
      } else if isRenamed && Self.formsOfName.contains(where: line.key.contains)
        || isResorted && line.isNamed("SORT-STRING")
      {
        written[index] = []
      } else if line.isNamed("LABEL") {
        if let address = byLabel[Card.labelKey(of: line)] { updateDeliveryText(index, of: address) }
      } else if let address, ["X-ABADR", "GEO", "TZ"].contains(line.key) {
        let (new, old) = (written[address].first, kept.lines[address].converted(to: version))
        let isSame = line.isNamed("X-ABADR") ? new?.part(6) == old.part(6) : new?.components == old.components
        if !isSame { written[index] = [] }
      }
    }
  }

  /// Words in the names of properties that have a name in another form, such as X-EVOLUTION-FILE-AS.
  private static let formsOfName = ["SORT-STRING", "FILE-AS", "FILEAS", "DISPLAY-NAME", "DISPLAYNAME"]

  private func isReading(_ index: Int) -> Bool {
    switch kept.reading {
    case .line(index)?, .parameter(index)?: true
    default: false
    }
  }

  /// Removes the delivery text of an address that was edited or removed; gives it the types of one with a new label.
  private mutating func updateDeliveryText(_ index: Int, of address: Int) {
    guard let new = written[address].first, new.isNamed("ADR"),
      new.components == kept.lines[address].converted(to: version).components
    else {
      written[index] = []
      return
    }
    if Card.labelKeys(ofAddress: new) != Card.labelKeys(ofAddress: kept.lines[address]), let line = written[index].first
    {
      let types = version == .v40 ? new.types : new.types.map { $0.uppercased() }
      written[index] = [line.inGroup(new.group).withTypes(types)]
    }
  }

  // MARK: - Other lines

  private mutating func insert(_ lines: [CardLine], after index: Int? = nil) {
    var index = index ?? position
    // A label that follows its value stays with it.
    while index >= 0, index + 1 < kept.lines.count, kept.lines[index].hasGroup,
      kept.lines[index + 1].group.lowercased() == kept.lines[index].group.lowercased()
    { index += 1 }
    inserted[index, default: []] += rewriter.grouped(lines)
  }

  /// Removes Apple's additions to a value (X-ABLabel, X-ABADR) with the value, and writes changed labels.
  private mutating func removeAdditions() {
    var values: [String: Bool] = [:]
    for (index, line) in kept.lines.enumerated() where line.hasGroup && kept.fields[index] != nil {
      let group = line.group.lowercased()
      values[group] = values[group] == true || !written[index].isEmpty
    }
    for (index, line) in kept.lines.enumerated() where line.hasGroup && kept.fields[index] == nil {
      let group = line.group.lowercased()
      if values[group] == false, line.key.hasPrefix("X-AB") {
        written[index] = []
      } else if line.isNamed("X-ABLABEL"), let label = rewriter.labels[group] {
        written[index] = label.map { [line.converted(to: version).withValue(of: $0)] } ?? []
      }
    }
  }

  /// Updates REV in its existing form, if the card has one.
  private mutating func revise() {
    guard !contact.modified.isEmpty else { return }
    for (index, line) in kept.lines.enumerated() where line.isNamed("REV") && kept.fields[index] == nil {
      let isExtended = line.text.prefix(10).contains("-")
      let time = isExtended ? contact.modified : contact.modified.filter { $0 != "-" && $0 != ":" }
      written[index] = [line.converted(to: version).replacingValue(after: 0, with: time)]
    }
  }
}

extension CardLine {
  fileprivate func part(_ index: Int) -> String {
    let parts = components
    return index < parts.count ? parts[index] : ""
  }
}
