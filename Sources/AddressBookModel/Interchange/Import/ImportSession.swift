import Contacts
import Foundation
import GRDB
import PictureFormat

/// The cards of one import as they arrive: matched, merged, written, counted. It lives inside the transaction.
struct ImportSession {
  private(set) var report = ImportReport()
  /// Cards that were seen, groups that wait for their members among them.
  private(set) var cardsSeen = 0
  var onNotice: (ImportNotice) -> Void = { _ in }

  var keepsJournal: Bool {
    get { writer.keepsJournal }
    set { writer.keepsJournal = newValue }
  }

  private let writer: BulkWriter
  private let matcher: CardMatcher
  private let db: Database
  private let limits: ImageLimits
  private let keepsPhotoMetadata: Bool
  private var groups: [(card: GroupCard, file: String)] = []

  init(
    _ db: Database, limits: ImageLimits, keepsPhotoMetadata: Bool, journal: BulkJournal, damage: DamageLog
  ) throws {
    self.db = db
    self.limits = limits
    self.keepsPhotoMetadata = keepsPhotoMetadata
    if keepsPhotoMetadata { try PhotoMetadataChoice.keep(db) }
    writer = try BulkWriter(db, groupPolicy: .add, journal: journal, damage: damage)
    matcher = try CardMatcher(db)
  }

  // MARK: - Counting

  /// A finding about a card that is taken all the same.
  func report(_ kind: ImportNotice.Kind, file: String, line: Int) {
    onNotice(ImportNotice(file: file, line: line, kind: kind))
  }

  /// A card that cannot be taken.
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

  /// Takes a card. A group waits until all members can be there.
  mutating func take(_ card: IncomingCard, file: String) throws {
    cardsSeen += 1
    var card = card
    if let group = card.group {
      groups.append((group, file))
      return
    }
    // An object with a UID may empty what the contact has.
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
    // The same name, numbers and addresses twice in one import, but something differs: somebody else.
    let isAbout = match.flatMap { $0.uid == contact.uid ? $0.id : nil }
    try write(contact, photo(card, about: isAbout, file: file), card.line)
  }

  /// What a card makes of the contact that it is about. Of a second card without a UID that differs from the first, a new
  /// contact.
  private func merged(_ card: IncomingCard, with match: CardMatcher.Match, file: String) throws -> Contact {
    var contact = card.contact
    if card.contact.uid.isEmpty {
      let known = try load(match.id)
      contact = known.adding(card.contact)
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

  /// The contact that a card is about, if it is in the book. A card whose UID belongs to somebody else gets another one.
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

  private mutating func write(_ contact: Contact, _ photo: Photo?, _ line: Int) throws {
    let (outcome, id) = try writer.write(contact, photo: photo)
    matcher.remember(id, line: line, as: contact)
    count(outcome)
  }

  /// The photo to store; nil to leave what is there.
  /// - Parameter id: the contact in the book, if the card is about one.
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
      report(.photo(RefusedPicture(error)), file: file, line: card.line)
      return nil
    }
    // A photo that the book holds with its metadata, because one asked, is no change.
    if photo.data != Data(picture), try storedDigest(id) == SHA256.hexadecimal(of: picture) { return nil }
    return photo
  }

  private func storedDigest(_ id: Int64?) throws -> String? {
    try String.fetchOne(db, sql: "SELECT sha256 FROM avatar WHERE contact_id = ?", arguments: [id])
  }

  // MARK: - Groups

  /// Puts contacts into the groups that group cards named, once every card is in the book. A group inside a group is
  /// reported like a member that is not there.
  mutating func finish() throws {
    for (card, file) in groups {
      let existing = try Int64.fetchOne(db, sql: "SELECT id FROM contact_group WHERE name = ?", arguments: [card.name])
      var outcome = existing == nil ? BulkWriter.Outcome.added : .unchanged
      let group = try existing ?? makeGroup(card)
      for member in card.members {
        guard let match = try matcher.match(member: member) else {
          report(.unknownMember(group: card.name, uid: member), file: file, line: card.line)
          continue
        }
        try writer.record(changeOf: match.id) {
          try db.execute(
            sql: "INSERT INTO group_member (group_id, contact_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [group, match.id])
          guard db.changesCount > 0 else { return }
          try db.execute(
            sql: "UPDATE contact SET version = version + 1, modified_at = ? WHERE id = ?",
            arguments: [Timestamp.now(), match.id])
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
    try db.execute(
      sql: "INSERT INTO contact_group (uid, name) VALUES (?, ?)",
      arguments: [isFree ? card.uid : UniqueID.make(), card.name])
    return db.lastInsertedRowID
  }
}

extension Contact {
  /// True when two contacts differ in nothing that a card says.
  fileprivate func hasSameTexts(as other: Contact) -> Bool {
    var (left, right) = (self, other)
    left.uid = ""
    right.uid = ""
    return left == right
  }
}
