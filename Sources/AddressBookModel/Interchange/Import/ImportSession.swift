import Contacts
import Foundation
import GRDB
import PictureFormat

/// Processes the cards of one import: matches, merges, writes and counts them. It lives inside the transaction.
struct ImportSession {
  private(set) var report = ImportReport()
  /// The cards seen so far, including groups that wait for their members.
  private(set) var cardsSeen = 0
  var onNotice: (ImportNotice) -> Void = { _ in }

  /// The number of contacts in the step of the history so far.
  var recordedCount: Int { writer.recordedCount }

  private let writer: BulkWriter
  private let matcher: CardMatcher
  private let db: Database
  private let limits: ImageLimits
  private let keepsPhotoMetadata: Bool
  private var groups: [(card: GroupCard, file: String)] = []
  /// The contacts by the references of their cards, for groups of the same import.
  private var references: [String: Int64] = [:]

  init(
    _ db: Database, limits: ImageLimits, keepsPhotoMetadata: Bool, recorder: StepRecorder, damage: DamageLog
  ) throws {
    self.db = db
    self.limits = limits
    self.keepsPhotoMetadata = keepsPhotoMetadata
    if keepsPhotoMetadata { try PhotoMetadataChoice.keep(db) }
    writer = try BulkWriter(db, groupPolicy: .add, recorder: recorder, damage: damage)
    matcher = try CardMatcher(db)
  }

  // MARK: - Counting

  /// Reports a problem of a card that is imported all the same.
  func report(_ kind: ImportNotice.Kind, file: String, line: Int) {
    onNotice(ImportNotice(file: file, line: line, kind: kind))
  }

  /// Reports a card that cannot be imported.
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

  /// Imports a card. A group waits until all its members can be in the book.
  mutating func take(_ card: IncomingCard, file: String) throws {
    cardsSeen += 1
    var card = card
    if let group = card.group {
      groups.append((group, file))
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
    var contact = card.contact
    let match = try match(&contact, file: file, line: card.line)
    if let match {
      contact = try merged(card, with: match, file: file)
    } else if card.isEmpty {
      skip(.emptyCard, file: file, line: card.line)
      return
    } else if contact.uid.isEmpty {
      contact.uid = UniqueID.make()
    }
    // The same name, numbers and addresses occur twice in one import, but something else differs: another person.
    let isAbout = match.flatMap { $0.uid == contact.uid ? $0.id : nil }
    let id = try write(contact, photo(card, about: isAbout, file: file), card.line)
    if !card.reference.isEmpty { references[card.reference] = id }
  }

  /// Merges a card into the contact that it refers to. A second card without a UID that differs from the first makes a
  /// new contact.
  private func merged(_ card: IncomingCard, with match: CardMatcher.Match, file: String) throws -> Contact {
    var contact = card.contact
    if card.contact.uid.isEmpty {
      let known = try load(match.id)
      contact = known.adding(card.onlyAdds ? card.contact.withoutValues(of: known) : card.contact)
      if let line = match.line {
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
        contact = patch.applied(to: try load(match.id))
        if Self.error(in: contact) != nil { contact = contact.shortened }
      } else if card.onlyAdds {
        let known = try load(match.id)
        contact = known.adding(card.contact.withoutValues(of: known))
      } else if match.line != nil {
        contact = try load(match.id).adding(card.contact)
      }
    }
    contact.uid = match.uid
    return contact
  }

  private func load(_ id: Int64) throws -> Contact {
    guard let known = try ContactLoader(db).load([id]).first else { throw StoreError(.damaged, path: "") }
    return known
  }

  /// The contact in the book that a card refers to, if any. A card whose UID belongs to someone else gets another one.
  private func match(_ card: inout Contact, file: String, line: Int) throws -> CardMatcher.Match? {
    guard !card.uid.isEmpty else { return try matcher.match(content: card) }
    switch try matcher.find(card) {
    case .free: return nil
    case .contact(let match): return match
    case .taken(let other, let uid):
      report(.sharedUID(line: other), file: file, line: line)
      card.uid = uid
      return nil
    }
  }

  private static func error(in contact: Contact) -> ValidationIssue? {
    guard contact.mayBeInvalid else { return nil }
    return ContactRules.issues(in: contact).first { $0.severity == .error && $0.rule != "nothingToShow" }
  }

  private mutating func write(_ contact: Contact, _ photo: Photo?, _ line: Int) throws -> Int64 {
    let (outcome, id) = try writer.write(contact, photo: photo)
    matcher.remember(id, line: line, as: contact)
    count(outcome)
    return id
  }

  /// The photo to store; nil to keep the present one.
  /// - Parameter id: the contact in the book, if the card refers to one.
  private func photo(_ card: IncomingCard, about id: Int64?, file: String) throws -> Photo? {
    guard let picture = card.picture else {
      if case .digest(let digest)? = card.patch?.picture, try storedDigest(id) != digest {
        report(.photoElsewhere, file: file, line: card.line)
      }
      return nil
    }
    let photo: Photo
    do throws(ImageRefusal) {
      photo = try Photo(taking: picture, limits: limits, keepsMetadata: keepsPhotoMetadata)
    } catch {
      report(.photo(PhotoRefusal(error)), file: file, line: card.line)
      return nil
    }
    // A photo that the book keeps with its metadata, by request, is unchanged.
    if photo.data != Data(picture), try storedDigest(id) == SHA256.hexadecimal(of: picture) { return nil }
    return photo
  }

  private func storedDigest(_ id: Int64?) throws -> String? {
    try String.fetchOne(db, sql: "SELECT sha256 FROM avatar WHERE contact_id = ?", arguments: [id])
  }

  // MARK: - Groups

  /// Adds contacts to the groups that group cards listed, after all cards are in the book. A group inside a group is
  /// reported like a member that does not exist.
  mutating func finish() throws {
    for (card, file) in groups {
      let existing = try Int64.fetchOne(db, sql: "SELECT id FROM contact_group WHERE name = ?", arguments: [card.name])
      var outcome = existing == nil ? BulkWriter.Outcome.added : .unchanged
      let group = try existing ?? makeGroup(card)
      for member in card.members {
        guard let id = try references[member] ?? matcher.match(member: member)?.id else {
          report(.unknownMember(group: card.name, uid: member), file: file, line: card.line)
          continue
        }
        try writer.record(changeOf: id) {
          try db.execute(
            sql: "INSERT INTO group_member (group_id, contact_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [group, id])
          guard db.changesCount > 0 else { return }
          try db.execute(
            sql: "UPDATE contact SET version = version + 1, modified_at = ? WHERE id = ?",
            arguments: [Timestamp.now(), id])
          if outcome == .unchanged { outcome = .updated }
        }
      }
      count(outcome)
    }
    groups = []
  }

  private func makeGroup(_ card: GroupCard) throws -> Int64 {
    let isFree =
      try card.uid.isEmpty == false
      && Int64.fetchOne(db, sql: "SELECT id FROM contact_group WHERE uid = ?", arguments: [card.uid]) == nil
    let uid = isFree ? card.uid : UniqueID.make()
    try db.execute(sql: "INSERT INTO contact_group (uid, name) VALUES (?, ?)", arguments: [uid, card.name])
    let id = db.lastInsertedRowID
    try writer.record(newGroup: card.name, uid: uid)
    return id
  }
}

extension Contact {
  /// The contact without the values that another one has, whatever their labels, which some formats lose.
  fileprivate func withoutValues(of known: Contact) -> Contact {
    var rest = self
    for field in ContactFields.standard.values {
      let keys = Set(known[keyPath: field.property].map { field.key(of: LabeledValue(value: $0.value)) })
      rest[keyPath: field.property].removeAll { keys.contains(field.key(of: LabeledValue(value: $0.value))) }
    }
    return rest
  }

  /// True if two contacts differ in nothing that a card contains.
  fileprivate func hasSameTexts(as other: Contact) -> Bool {
    var (left, right) = (self, other)
    left.uid = ""
    right.uid = ""
    return left == right
  }
}
