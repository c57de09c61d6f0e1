import AddressBookModel
import ContactInterchange
import Contacts
import GRDB
import PictureFormat

/// The processing of the cards of one import, inside its transaction: matching, merging, writing and counting.
package struct ImportSession {
  private(set) var report = ImportReport()
  /// The cards seen so far, including groups that wait for their members.
  private(set) var cardsSeen = 0
  var onNotice: (ImportNotice) -> Void = { _ in }
  /// Called for each card that changed a contact of the book.
  var onChange: ((ImportChange) -> Void)?

  /// The number of contacts in the step of the history so far.
  var recordedCount: Int { writer.recordedCount }

  let moment = Timestamp.now()

  private let db: Database
  private let writer: BulkWriter
  private let matcher: CardMatcher
  private let photos: ImportedPhotos
  private var groups: ImportedGroups
  private var partial = PartialCards()
  private let groupsWithCard: Set<String>
  /// The names of smart groups that no group has.
  private var smartNames: Set<String>

  /// - Parameter replacesTriggers: see `BulkWriter`; the caller calls ``finish()`` or ``cancel()``.
  init(
    _ db: Database, limits: ImageLimits, keepsPhotoMetadata: Bool, matching kinds: Set<MatchKind>,
    recorder: StepRecorder, replacesTriggers: Bool = false
  ) throws {
    self.db = db
    photos = ImportedPhotos(db: db, limits: limits, keepsMetadata: keepsPhotoMetadata)
    if keepsPhotoMetadata { try PhotoMetadataChoice.setKept(db) }
    writer = try BulkWriter(
      db, groupPolicy: .add, recorder: recorder, replacesTriggers: replacesTriggers, moment: moment)
    matcher = try CardMatcher(db, by: kinds)
    groups = ImportedGroups(db, writer, matcher)
    groupsWithCard = Set(try StoredGroupCard.fetch(db).map(\.name))
    smartNames = try String.fetchSet(
      db, sql: "SELECT name FROM smart_group WHERE name NOT IN (SELECT name FROM contact_group)")
  }

  // MARK: - Counting

  /// Passes on a notice, without counting a card.
  func report(_ kind: ImportNotice.Kind, file: String, line: Int, name: String = "") {
    onNotice(ImportNotice(file: file, line: line, kind: kind, name: name))
  }

  /// Counts a card that cannot be imported, and passes on a notice about it.
  mutating func refuse(_ kind: ImportNotice.Kind, file: String, line: Int) {
    cardsSeen += 1
    skip(kind, file: file, line: line)
  }

  private mutating func skip(_ kind: ImportNotice.Kind, file: String, line: Int, name: String = "") {
    self.report.unreadable += 1
    report(kind, file: file, line: line, name: name)
  }

  /// The name for notices about the photo of a card; empty if it has none.
  private static func photoName(_ card: IncomingCard) -> String {
    card.picture == nil && card.patch == nil ? "" : card.contact.displayName
  }

  private mutating func count(_ outcome: BulkWriter.Outcome) {
    switch outcome {
    case .added: report.imported += 1
    case .updated: report.updated += 1
    case .unchanged: report.unchanged += 1
    }
  }

  // MARK: - Cards

  func prepare(for cards: [PipedEvent]) throws {
    try matcher.prepare(
      forUIDs: cards.compactMap { if case .card(let piped) = $0 { piped.card.contact.uid } else { nil } })
  }

  /// Imports a card whose rows may have been made in advance.
  mutating func importCard(_ piped: PipedCard, file: String) throws {
    // Nearly every card of a first import passes. The others take a slower path, which copies the contact.
    guard smartNames.isEmpty, let image = piped.image,
      try matcher.isNew(uid: piped.card.contact.uid, key: piped.uidKey)
    else {
      return try importCard(piped.card, file: file)
    }
    cardsSeen += 1
    let id = try add(image, of: piped.card.contact, line: piped.card.line, key: piped.uidKey)
    if !piped.card.reference.isEmpty { groups.add(id, reference: piped.card.reference) }
  }

  /// Imports a card. Groups are filled after all cards are imported.
  mutating func importCard(_ card: IncomingCard, file: String) throws {
    cardsSeen += 1
    var card = card
    // The card names them, so they are made all the same.
    for name in card.group.map({ [$0.name] }) ?? card.contact.groups where smartNames.remove(name) != nil {
      report(.smartGroup(name), file: file, line: card.line, name: card.group?.name ?? card.contact.displayName)
    }
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
        skip(.invalid(issue.message), file: file, line: card.line, name: card.contact.displayName)
        return
      }
      report(.shortened(issue.message), file: file, line: card.line, name: card.contact.displayName)
    }
    let (line, name) = (card.line, Self.photoName(card))
    let photo = photos.extract(&card) { report($0, file: file, line: line, name: name) }
    if let line = partial.join(card, photo) {
      report(.sameUID(line: line), file: file, line: card.line, name: card.contact.displayName)
      return count(.unchanged)
    }
    try importCard(card, photo, file: file, mayWait: true)
  }

  /// Imports a card that was checked, with its photo.
  /// - Parameter mayWait: whether it waits for other cards of this import with its UID if it lacks lines of the card
  ///   that its contact came from.
  private mutating func importCard(_ card: IncomingCard, _ photo: Photo?, file: String, mayWait: Bool) throws {
    var photo = photo
    let note = { [onNotice, line = card.line, name = Self.photoName(card)] (kind: ImportNotice.Kind) in
      onNotice(ImportNotice(file: file, line: line, kind: kind, name: name))
    }
    var contact = card.contact
    let match = try match(&contact, file: file, line: card.line)
    var known: Contact?
    if let match {
      let loaded = try load(match.id)
      if mayWait, match.line == nil, card.isWhole, contact.saysLess(than: loaded), partial.add(card, photo, file) {
        return
      }
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
  /// new contact, unless it was matched by what it shares with a contact of the book.
  private func merged(
    _ card: IncomingCard, _ photo: inout Photo?, with match: CardMatcher.Match, _ known: Contact, file: String
  ) throws -> Contact {
    func report(_ kind: ImportNotice.Kind) {
      self.report(kind, file: file, line: card.line, name: card.contact.displayName)
    }
    var merged: Merged
    if card.contact.uid.isEmpty {
      if !known.cardLines.isEmpty, known.cardLines == card.contact.cardLines {
        if let line = match.line { report(.sameCard(line: line)) }
        photo = nil
        return known
      }
      merged = try supplemented(known, by: card, photo, match.guess, file)
      if let line = match.line {
        let isSame = known.comparable == merged.contact.comparable
        if match.guess == nil, !isSame {
          var contact = card.contact
          contact.uid = UniqueID.make()
          return contact
        }
        report(isSame ? .sameCard(line: line) : .mergedToo(name: match.name, line: line))
      }
      if match.guess == .unnamed, known.hasName, known.contradicts(card.contact) {
        report(.matchedOtherName(name: match.name, own: card.contact.displayName))
      } else if match.line == nil, !match.reasons.isEmpty {
        report(.matched(name: match.name, by: match.reasons))
      }
    } else {
      if let line = match.line { report(.sameUID(line: line)) }
      if let patch = card.patch {
        merged = Merged(contact: patch.applied(to: known))
        if Self.error(in: merged.contact) != nil { merged.contact = merged.contact.shortened }
      } else if card.isPartial {
        merged = try supplemented(known, by: card, photo, nil, file)
      } else if match.line != nil {
        merged = Merged(contact: known.adding(card.contact))
      } else {
        merged = updated(known, by: card, photo)
      }
    }
    if !merged.conflicts.isEmpty { report(.changedHere(merged.conflicts)) }
    if !merged.replaced.isEmpty { report(.replacedHere(merged.replaced)) }
    if !merged.takesPhoto { photo = nil }
    merged.contact.uid = match.uid
    return merged.contact
  }

  /// A contact of the book merged with a card.
  private struct Merged {
    var contact: Contact
    /// The fields that were changed both in the book and in the card.
    var conflicts: [ContactField] = []
    /// The fields in which the card has what the book had, and replaced.
    var replaced: [ContactField] = []
    /// Whether the contact gets the photo of the card, if there is one.
    var takesPhoto = true

    init(contact: Contact, replaced: [ContactField] = [], takesPhoto: Bool = true) {
      (self.contact, self.replaced, self.takesPhoto) = (contact, replaced, takesPhoto)
    }

    /// Merges what changed in the card since the last import with what changed in the book. If a field was changed in
    /// both, the value in the book stays.
    /// - Parameter sourceTime: the time of the merge, if the contact's card says from now on what theirs says, so that the
    ///   next card of the same source is compared with that. A change that the contact did not take stays one.
    init(base: Contact, mine: Contact, theirs: Contact, sourceTime: String? = nil) {
      var merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs)
      contact = merge.run()
      takesPhoto = contact.photo?.sha256 == theirs.photo?.sha256
      if let sourceTime {
        var source = merge.reverse
        source.modified = sourceTime
        contact.cardLines = ContactCardWriter().keptLines(for: source)
      }
      for conflict in merge.conflicts where conflict.kept == .each {
        if case .field(let field) = conflict.subject, !conflicts.contains(field) { conflicts.append(field) }
      }
    }
  }

  /// Returns the contact of the book with what changed in its card since the last import. A contact that was not
  /// imported has no common base with the card, unless it was never edited.
  private func updated(_ known: Contact, by card: IncomingCard, _ photo: Photo?) -> Merged {
    var theirs = card.contact
    theirs.photo = photo?.summary
    let writer = ContactCardWriter()
    if known.cardLines == theirs.cardLines || writer.writes(theirs.cardLines, for: known)
      || writer.writes(theirs.cardLines, for: known.outside(groupsWithCard))
    {
      return Merged(contact: known, takesPhoto: false)
    }
    let base = ContactCardReader().original(of: known) ?? (known.version <= 1 ? known : Contact())
    var merged = Merged(base: base, mine: known, theirs: theirs)
    merged.contact.cardLines = theirs.cardLines
    return merged
  }

  /// Returns the contact of the book with what a card adds or changes that cannot remove anything: one without a UID,
  /// or a record of a format with few fields. The base is the card that the contact came from or, if it did not come
  /// from a card, the contact itself, so that the card wins. What the book had, and has replaced since, is not taken.
  private func supplemented(
    _ known: Contact, by card: IncomingCard, _ photo: Photo?, _ guess: CardMatcher.Guess?, _ file: String
  ) throws -> Merged {
    let original = ContactCardReader().original(of: known)
    var base = original ?? known
    base.cardLines = known.cardLines
    var added = guess != nil && known.hasName ? card.contact.withoutName() : card.contact
    if card.isPartial || guess != nil { added = added.withoutValues(of: known).withoutValues(of: base) }
    if let photo, photo.summary.sha256 != base.photo?.sha256 { added.photo = photo.summary }
    var past = ReplacedValues(of: known, file: file, db)
    let replaced = card.contact.uid.isEmpty ? try past.remove(from: &added, base) : []
    var theirs = base.adding(added)
    theirs.photo = added.photo ?? base.photo
    let isNew = theirs.linesWithoutField().count > base.linesWithoutField().count
    if !isNew {
      var (one, other) = (base, theirs)
      (one.cardLines, other.cardLines) = ([], [])
      if one == other {
        return Merged(contact: known, replaced: replaced, takesPhoto: false)
      }
    }
    let isSameSource = original.map { $0.uid.isEmpty == card.contact.uid.isEmpty } ?? false
    var merged = Merged(base: base, mine: known, theirs: theirs, sourceTime: isSameSource ? moment : nil)
    merged.replaced = replaced
    if replaced.contains(.special(.photo)) { merged.takesPhoto = false }
    return merged
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
      report(.matchedTwice(name: match.name, line: earlier), file: file, line: line, name: card.displayName)
      return nil
    }
    switch try matcher.find(card) {
    case .free: return nil
    case .contact(let match): return match
    case .taken(let other, let uid):
      let kind = other.line.map { ImportNotice.Kind.sharedUID(line: $0) } ?? .uidOfOther(name: other.name)
      report(kind, file: file, line: line, name: card.displayName)
      card.uid = uid
      return nil
    }
  }

  /// Returns the contact that a card without a UID is about by what it shares with it, if it is clear which one.
  private func guess(_ card: Contact, file: String, line: Int) throws -> CardMatcher.Match? {
    let matches = try matcher.guesses(card)
    if matches.count > 1 {
      report(.ambiguous(names: matches.map(\.name)), file: file, line: line, name: card.displayName)
    }
    return matches.count == 1 ? matches[0] : nil
  }

  package static func error(in contact: Contact) -> ContactIssue? {
    guard contact.mayBeInvalid else { return nil }
    return ContactRules.issues(in: contact).first { $0.severity == .error && $0.rule != "nothingToShow" }
  }

  /// Adds a contact whose UID the book does not have.
  private mutating func add(_ contact: Contact, _ photo: Photo?, line: Int) throws -> Int64 {
    let image = ContactImage(contact, DerivedColumns(contact), photo: photo, moment: moment)
    return try add(image, of: contact, line: line)
  }

  private mutating func add(
    _ image: ContactImage, of contact: Contact, line: Int, key: String? = nil
  ) throws -> Int64 {
    let id = try writer.add(image)
    matcher.record(id, line: line, as: contact, key: key)
    count(.added)
    return id
  }

  private mutating func write(_ contact: Contact, _ photo: Photo?, over known: Contact?, _ line: Int) throws -> Int64 {
    let (outcome, id) = try writer.write(contact, photo: photo, over: known)
    matcher.record(id, line: line, as: contact)
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
    for (card, photo, file) in partial.take() { try importCard(card, photo, file: file, mayWait: false) }
    for outcome in try groups.finish(onNotice) { count(outcome) }
    try writer.finish()
  }

  /// Ends an import whose transaction is about to be rolled back.
  func cancel() { writer.cancel() }
}

extension Contact {
  /// True if it has a name of its own.
  fileprivate var hasName: Bool {
    !formattedName.isEmpty || !composedName.isEmpty || kind == .organization && !organization.isEmpty
  }

  /// Returns true if both have a text in a field, such as the job title or the note, and the texts differ. Names are
  /// not compared.
  fileprivate func hasOtherTexts(than other: Contact) -> Bool {
    ContactFields.standard.texts.contains { field in
      !field.isOfName && !self[field].isEmpty && !other[field].isEmpty && self[field] != other[field]
    }
  }
}
