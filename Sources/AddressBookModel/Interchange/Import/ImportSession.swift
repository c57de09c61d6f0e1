import ContactInterchange
import Contacts
import GRDB
import PictureFormat

/// The processing of the cards of one import, inside its transaction: matching, merging, writing and counting.
struct ImportSession {
  private(set) var report = ImportReport()
  /// The cards seen so far, including groups that wait for their members.
  private(set) var cardsSeen = 0
  var onNotice: (ImportNotice) -> Void = { _ in }
  /// Called for each card that changed a contact of the book.
  var onChange: ((ImportChange) -> Void)?

  /// The number of contacts in the step of the history so far.
  var recordedCount: Int { writer.recordedCount }

  let moment = Timestamp.now()

  private let writer: BulkWriter
  private let matcher: CardMatcher
  private let photos: ImportedPhotos
  private var groups: ImportedGroups
  private let groupsWithCard: Set<String>
  /// The search index of a book that was empty; nil if the book was not empty, or if no index was requested.
  let newIndex: NewBookIndex?

  /// - Parameters:
  ///   - replacesTriggers: see `BulkWriter`; the caller calls ``finish()`` or ``cancel()``.
  ///   - indexes: true to make the search index of an empty book.
  init(
    _ db: Database, limits: ImageLimits, keepsPhotoMetadata: Bool, matching kinds: Set<MatchKind>,
    recorder: StepRecorder, damage: DamageLog, replacesTriggers: Bool = false, indexes: Bool = false
  ) throws {
    photos = ImportedPhotos(db: db, limits: limits, keepsMetadata: keepsPhotoMetadata)
    if keepsPhotoMetadata { try PhotoMetadataChoice.setKept(db) }
    writer = try BulkWriter(
      db, groupPolicy: .add, recorder: recorder, damage: damage, replacesTriggers: replacesTriggers, moment: moment)
    matcher = try CardMatcher(db, by: kinds)
    newIndex = try indexes && FreeUIDs.isBookEmpty(db) ? NewBookIndex() : nil
    groups = ImportedGroups(db, writer, matcher, newIndex)
    groupsWithCard = Set(try StoredGroupCard.fetch(db).map(\.name))
  }

  // MARK: - Counting

  /// Passes on a notice, without counting a card.
  func report(_ kind: ImportNotice.Kind, file: String, line: Int) {
    onNotice(ImportNotice(file: file, line: line, kind: kind))
  }

  /// Counts a card that cannot be imported, and passes on a notice about it.
  mutating func refuse(_ kind: ImportNotice.Kind, file: String, line: Int) {
    cardsSeen += 1
    skip(kind, file: file, line: line)
  }

  private mutating func skip(_ kind: ImportNotice.Kind, file: String, line: Int) {
    self.report.unreadable += 1
    report(kind, file: file, line: line)
  }

  private mutating func count(_ outcome: BulkWriter.Outcome) {
    switch outcome {
    case .added: report.imported += 1
    case .updated: report.updated += 1
    case .unchanged: report.unchanged += 1
    }
  }

  // MARK: - Cards

  func prepare(for cards: [PipedEvent]) throws { try matcher.prepare(for: cards) }

  /// Imports a card whose rows may have been made in advance.
  mutating func importCard(_ piped: PipedCard, file: String) throws {
    // Nearly every card of a first import passes. The others take a slower path, which copies the contact.
    guard let image = piped.image, try matcher.isNew(piped) else { return try importCard(piped.card, file: file) }
    cardsSeen += 1
    let id = try add(image, of: piped.card.contact, line: piped.card.line, key: piped.uidKey)
    newIndex?.add(piped, image, id: id)
    if !piped.card.reference.isEmpty { groups.add(id, reference: piped.card.reference) }
  }

  /// Imports a card. Groups are filled after all cards are imported.
  mutating func importCard(_ card: IncomingCard, file: String) throws {
    cardsSeen += 1
    var card = card
    if let group = card.group {
      groups.add(group, file: file)
      return
    }
    // A JSON object with a UID may clear fields of the contact.
    let mayClear = card.patch != nil && !card.contact.uid.isEmpty
    if card.isEmpty, !mayClear {
      skip(.emptyCard, file: file, line: card.line)
      return
    }
    if let issue = Self.error(in: card.contact) {
      card.contact = card.contact.shortened
      if let issue = Self.error(in: card.contact) {
        skip(.invalid(issue.message), file: file, line: card.line)
        return
      }
      report(.shortened(issue.message), file: file, line: card.line)
    }
    let note = { [onNotice, line = card.line] (kind: ImportNotice.Kind) in
      onNotice(ImportNotice(file: file, line: line, kind: kind))
    }
    var photo = photos.extract(&card, note)
    var contact = card.contact
    let match = try match(&contact, file: file, line: card.line)
    var known: Contact?
    if let match {
      let loaded = try load(match.id)
      known = loaded
      contact = try merged(card, &photo, with: match, loaded, file: file)
    } else if card.isEmpty {
      skip(.emptyCard, file: file, line: card.line)
      return
    } else if contact.uid.isEmpty {
      contact.uid = UniqueID.make()
    }
    // If the UIDs differ, the card is about another person with the same name, numbers and addresses.
    let isAbout = match.flatMap { $0.uid == contact.uid ? $0.id : nil }
    let stored = try photos.toStore(photo, of: card, &contact, about: isAbout, note)
    let id =
      match == nil ? try add(contact, stored, line: card.line) : try write(contact, stored, over: known, card.line)
    if !card.reference.isEmpty { groups.add(id, reference: card.reference) }
  }

  /// Merges a card into the contact that it refers to. A second card without a UID that differs from the first makes a
  /// new contact, unless it was matched by what the user chose.
  private func merged(
    _ card: IncomingCard, _ photo: inout Photo?, with match: CardMatcher.Match, _ known: Contact, file: String
  ) throws -> Contact {
    var contact = card.contact
    if card.contact.uid.isEmpty {
      var card = card
      if match.guess != nil, known.hasName {
        if match.guess == .unnamed, known.contradicts(card.contact) {
          report(.matchedOtherName(name: match.name, own: card.contact.displayName), file: file, line: card.line)
        }
        card.contact = card.contact.withoutName
      }
      contact = known.adding(
        card.isPartial || match.guess != nil ? card.contact.withoutValues(of: known) : card.contact)
      if let line = match.line, match.guess != nil {
        report(
          known.hasSameTexts(as: contact) ? .sameCard(line: line) : .mergedToo(name: match.name, line: line),
          file: file, line: card.line)
      } else if let line = match.line {
        guard known.hasSameTexts(as: contact) else {
          contact = card.contact
          contact.uid = UniqueID.make()
          return contact
        }
        report(.sameCard(line: line), file: file, line: card.line)
      }
    } else {
      if let line = match.line { report(.sameUID(line: line), file: file, line: card.line) }
      if let patch = card.patch {
        contact = patch.applied(to: known)
        if Self.error(in: contact) != nil { contact = contact.shortened }
      } else if card.isPartial {
        contact = known.adding(card.contact.withoutValues(of: known))
      } else if match.line != nil {
        contact = known.adding(card.contact)
      } else {
        contact = try updated(known, by: card, &photo, file: file)
      }
    }
    contact.uid = match.uid
    return contact
  }

  /// Returns the contact of the book with what changed in its card since the last import. If a field was changed in the
  /// book too, the value in the book stays, and a different value in the card is reported. A contact that was not
  /// imported has no common base with the card, unless it was never edited.
  private func updated(
    _ known: Contact, by card: IncomingCard, _ photo: inout Photo?, file: String
  ) throws -> Contact {
    var theirs = card.contact
    theirs.photo = photo?.summary
    let writer = ContactCardWriter()
    if known.cardLines == theirs.cardLines || writer.writes(theirs.cardLines, for: known) { return known }
    if writer.writes(theirs.cardLines, for: known.outside(groupsWithCard)) { return known }
    let base = ContactCardReader().original(of: known) ?? (known.version <= 1 ? known : Contact())
    var merge = ThreeWayMerge(base: base, mine: known, theirs: theirs)
    var contact = merge.run()
    contact.cardLines = theirs.cardLines
    if contact.photo?.sha256 != theirs.photo?.sha256 { photo = nil }
    let open = merge.conflicts.compactMap { conflict -> ContactField? in
      guard conflict.kept == .each, case .field(let field) = conflict.subject else { return nil }
      return field
    }
    if !open.isEmpty { report(.changedHere(Array(Set(open))), file: file, line: card.line) }
    return contact
  }

  private func load(_ id: Int64) throws -> Contact {
    try writer.content(of: id)
  }

  /// Returns the contact in the book that a card refers to, if any. A card whose UID belongs to someone else gets
  /// another UID.
  private func match(_ card: inout Contact, file: String, line: Int) throws -> CardMatcher.Match? {
    guard !card.uid.isEmpty else {
      guard let match = try matcher.match(content: card) ?? guess(card, file: file, line: line) else { return nil }
      guard match.guess != nil, let earlier = match.line else { return match }
      let known = try load(match.id)
      // Do not replace anything that an earlier card brought.
      guard known.contradicts(card) || known.hasOtherTexts(than: card) else { return match }
      report(.matchedTwice(name: match.name, line: earlier), file: file, line: line)
      return nil
    }
    switch try matcher.find(card) {
    case .free: return nil
    case .contact(let match): return match
    case .taken(let other, let uid):
      report(other.line.map { .sharedUID(line: $0) } ?? .uidOfOther(name: other.name), file: file, line: line)
      card.uid = uid
      return nil
    }
  }

  /// Returns the contact that a card without a UID is about by what the user chose, if it is clear which one.
  private func guess(_ card: Contact, file: String, line: Int) throws -> CardMatcher.Match? {
    let matches = try matcher.guesses(card)
    if matches.count > 1 { report(.ambiguous(names: matches.map(\.name)), file: file, line: line) }
    return matches.count == 1 ? matches[0] : nil
  }

  static func error(in contact: Contact) -> ValidationIssue? {
    guard contact.mayBeInvalid else { return nil }
    return ContactRules.issues(in: contact).first { $0.severity == .error && $0.rule != "nothingToShow" }
  }

  /// Adds a contact whose UID the book does not have.
  private mutating func add(_ contact: Contact, _ photo: Photo?, line: Int) throws -> Int64 {
    let image = ContactImage(contact, DerivedColumns(contact), photo: photo, moment: moment)
    let id = try add(image, of: contact, line: line)
    newIndex?.add(contact, image, id: id, hasPhoto: photo != nil)
    return id
  }

  private mutating func add(
    _ image: ContactImage, of contact: Contact, line: Int, key: String? = nil
  ) throws -> Int64 {
    let id = try writer.add(image)
    matcher.record(id, line: line, as: contact, key: key, isNew: true)
    count(.added)
    return id
  }

  private mutating func write(_ contact: Contact, _ photo: Photo?, over known: Contact?, _ line: Int) throws -> Int64 {
    let (outcome, id) = try writer.write(contact, photo: photo, over: known)
    newIndex?.rewrite(id)
    matcher.record(id, line: line, as: contact, isNew: outcome == .added)
    count(outcome)
    guard let onChange, outcome == .updated, let known, known.id == id else { return id }
    var after = contact
    after.groups = Set(known.groups + contact.groups).sorted()
    after.photo = photo?.summary ?? known.photo
    onChange(ImportChange(from: known, to: after))
    return id
  }

  // MARK: - End

  /// Fills the groups, after all cards are in the book.
  mutating func finish() throws {
    for outcome in try groups.finish(onNotice) { count(outcome) }
    try writer.finish()
  }

  /// Ends an import whose transaction is about to be rolled back.
  func cancel() {
    writer.cancel()
    newIndex?.cancel()
  }
}

extension Contact {
  /// True if it has a name of its own.
  fileprivate var hasName: Bool {
    !formattedName.isEmpty || !composedName.isEmpty || kind == .organization && !organization.isEmpty
  }

  fileprivate var withoutName: Contact {
    var contact = self
    for field in ContactFields.standard.texts where [.namePart, .fullName, .phonetic].contains(field.role) {
      contact[field] = ""
    }
    return contact
  }

  /// Returns true if both have a text in a field, such as the job title or the note, and the texts differ. Names are
  /// not compared.
  fileprivate func hasOtherTexts(than other: Contact) -> Bool {
    ContactFields.standard.texts.contains { field in
      ![.namePart, .fullName, .phonetic].contains(field.role) && !self[field].isEmpty && !other[field].isEmpty
        && self[field] != other[field]
    }
  }

  fileprivate func hasSameTexts(as other: Contact) -> Bool {
    var (left, right) = (self, other)
    left.uid = ""
    right.uid = ""
    return left == right
  }
}
