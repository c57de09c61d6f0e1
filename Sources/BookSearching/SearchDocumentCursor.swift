import AddressBookModel
import ContactInterchange
import ContactSearch
import Contacts
import GRDB

/// What the columns of a cursor are in a batch, in the order that the batch asks for.
private struct BatchColumns {
  let texts: [(column: Int, kind: FieldKind)]
  let note: Int
  let phonetic: [Int]
  /// Indexes in the cursor's values.
  let values: [(index: Int, kind: FieldKind)]
  /// The columns of texts, and the indexes of values, that are searched like the note.
  let more: (texts: [Int], values: [Int])

  private static let order: [(ContactField.SearchKind, FieldKind)] = [
    (.nickname, .nickname), (.family, .family), (.given, .given), (.organization, .organization), (.title, .title),
    (.department, .department),
  ]
  private static let lists: [(ContactField.SearchKind, FieldKind)] = [(.email, .email), (.url, .url), (.phone, .phone)]

  /// Returns nil if texts must be joined, because several fields are searched as one.
  init?() {
    let texts = ContactFields.standard.texts.map(\.search)
    let values = ContactFields.standard.values.compactMap(\.search)
    let lists = Dictionary(uniqueKeysWithValues: Self.lists)
    let own = texts.compactMap(\.self).filter { $0 != .more }
    guard Set(own).count == own.count, own.allSatisfy({ lists[$0] == nil }),
      values.allSatisfy({ lists[$0] != nil || $0 == .more }), let note = texts.firstIndex(of: .note)
    else { return nil }
    func columns(of searches: Set<ContactField.SearchKind>) -> [Int] {
      texts.indices.filter { texts[$0].map(searches.contains) == true }.map { ContactCursor.Column.texts + $0 }
    }
    self.texts = Self.order.flatMap { search, kind in columns(of: [search]).map { (column: $0, kind: kind) } }
    self.note = ContactCursor.Column.texts + note
    phonetic = columns(of: [.phoneticFamily, .phoneticGiven])
    more = (columns(of: [.more]), values.indices.filter { values[$0] == .more })
    self.values = Self.lists.flatMap { search, kind in
      values.indices.filter { values[$0] == search }.map { (index: $0, kind: kind) }
    }
  }
}

/// A cursor over the search documents of all contacts, in the order of their ids.
struct SearchDocumentCursor {
  private var contacts: ContactCursor
  private let columns = BatchColumns()

  init(_ db: Database) throws { contacts = try ContactCursor(db, .living, parts: .searched) }

  mutating func next() throws -> SearchDocument? { try contacts.next()?.searchDocument }

  /// Appends the next document to a batch; returns false after the last one. This is quicker than ``next()``, and gives
  /// the same.
  mutating func appendNext(to batch: inout SearchDocumentBatch) throws -> Bool {
    guard let row = try contacts.nextRow() else { return false }
    guard let columns, !columns.phonetic.contains(where: { !row.isEmpty($0) }) else {
      batch.append(try contacts.contact(row).searchDocument)
      return true
    }
    let id = row.integer(ContactCursor.Column.id)
    row.withText(ContactCursor.Column.derived) {
      batch.begin(id, isPerson: row.number(ContactCursor.Column.kind) == Contact.Kind.person.rawValue, name: $0)
    }
    batch.mark(hasPhoto: try contacts.photos?.isAt(id) == true, hasBirthday: ContactCursor.birthday(row) != nil)
    for (column, kind) in columns.texts { batch.append(kind) { row.append(column, to: &$0) } }
    try contacts.groups?.forEachRow(of: id) { row in batch.append(.group) { row.append(1, to: &$0) } }
    // The parts are joined in Swift: SQLite takes as long to concatenate one address as to read ten.
    let parts = 2...AddressPart.inCardOrder.count + 1
    try contacts.addresses?.forEachRow(of: id) { row in batch.append(.address) { row.append(joined: parts, to: &$0) } }
    batch.append(.note) { row.append(columns.note, to: &$0) }
    for column in columns.more.texts where !row.isEmpty(column) { row.withText(column) { batch.append(more: $0) } }
    for index in columns.more.values {
      try contacts.values[index].forEachRow(of: id) { row in row.withText(2) { batch.append(more: $0) } }
    }
    // Nearly all cards are only looked at as bytes.
    try contacts.cards?.forEachRow(of: id) { row in
      guard row.withText(1, { FurtherTexts.mayOccur(in: $0) }) else { return }
      for further in FurtherTexts.texts(in: StoredLines.lines(row.text(1))) {
        Array(further.text.utf8).withUnsafeBufferPointer { batch.append(more: $0) }
      }
    }
    for (index, kind) in columns.values {
      try contacts.values[index].forEachRow(of: id) { row in batch.append(kind) { row.append(2, to: &$0) } }
    }
    return true
  }
}

extension SearchIndex {
  /// Replaces contacts by their documents; those without one are removed.
  func replace(_ ids: [Int64], with documents: [SearchDocument]) {
    let found = Set(documents.map(\.id))
    for id in ids where !found.contains(id) { remove(id) }
    upsert(documents)
  }

  /// Replaces everything with the contacts of a snapshot, without deleted ones. Returns false if another rebuild runs.
  /// - Parameter progress: called from time to time with the number of contacts read.
  @discardableResult
  func rebuild(from db: Database, progress: (Int) -> Void = { _ in }) throws -> Bool {
    var cursor = try SearchDocumentCursor(db)
    return try rebuild(reading: { batch throws in try cursor.appendNext(to: &batch) }, progress: progress)
  }
}

extension SearchDocument {
  /// Returns the documents of these contacts, without deleted ones.
  static func of(_ ids: [Int64], _ db: Database) throws -> [SearchDocument] {
    try ContactLoader(db).loadStored(ids).filter { !$0.isDeleted }.map(\.searchDocument)
  }
}

extension AddressBook {
  /// Calls `body` with the search document of every contact, in order of id, in one snapshot of the book, for building
  /// an index.
  /// - Parameter body: returns false to stop; it must not use the book.
  public func forEachSearchDocument(_ body: (SearchDocument) throws -> Bool) throws(StoreError) {
    try store.read { db in
      var documents = try SearchDocumentCursor(db)
      while let document = try documents.next() {
        guard try body(document) else { return }
      }
    }
  }

  /// Returns the search documents of these contacts, for updating an index. Deleted ones are left out.
  public func searchDocuments(ids: [Int64]) throws(StoreError) -> [SearchDocument] {
    try store.read { try SearchDocument.of(ids, $0) }
  }
}

extension Contact {
  /// The searchable content of the contact.
  public var searchDocument: SearchDocument {
    var document = SearchDocument(id: id, name: displayName)
    for field in ContactFields.standard.texts {
      if let kind = field.search { document.add(self[field], as: kind) }
    }
    for field in ContactFields.standard.values {
      if let kind = field.search { document.add(field.read(self).map(\.value), as: kind) }
    }
    document.more += furtherTexts.map(\.text)
    document.addresses = addresses.map { $0.joined() }
    document.groups = groups
    document.hasPhoto = photo != nil
    document.hasBirthday = birthday != nil
    document.isPerson = kind == .person
    return document
  }
}

extension StoredContact {
  /// The searchable content of the contact, with the name that is stored.
  var searchDocument: SearchDocument {
    var document = contact.searchDocument
    document.name = derived.displayName
    return document
  }
}

extension Contact {
  /// The texts of its card that it has no field for, because a field has another one: a second job title or note.
  public var furtherTexts: [(field: ContactField.Text, text: String)] { FurtherTexts.texts(in: cardLines) }
}

extension SearchDocument {
  /// Adds a text of a contact. Texts of one kind are joined.
  mutating func add(_ text: String, as kind: ContactField.SearchKind) {
    switch kind {
    case .family: Self.join(&family, text)
    case .given: Self.join(&given, text)
    case .phoneticFamily: Self.join(&phoneticFamily, text)
    case .phoneticGiven: Self.join(&phoneticGiven, text)
    case .nickname: Self.join(&nickname, text)
    case .organization: Self.join(&organization, text)
    case .department: Self.join(&department, text)
    case .title: Self.join(&title, text)
    case .note: Self.join(&note, text)
    case .phone, .email, .url, .more: if !text.isEmpty { add([text], as: kind) }
    }
  }

  mutating func add(_ values: [String], as kind: ContactField.SearchKind) {
    switch kind {
    case .phone: Self.join(&phones, values)
    case .email: Self.join(&emails, values)
    case .url: Self.join(&urls, values)
    case .more: Self.join(&more, values)
    default: for value in values { add(value, as: kind) }
    }
  }

  private static func join(_ values: inout [String], _ more: [String]) {
    if values.isEmpty { values = more } else { values += more }
  }

  private static func join(_ text: inout String, _ more: String) {
    if text.isEmpty { text = more } else if !more.isEmpty { text += " " + more }
  }
}
