import AddressBookModel
import Contacts
import GRDB

/// Compares every contact with its checksum, its photo with its digest, and its derived values with what this program
/// derives.
struct ContactCheck {
  /// The number of contacts examined, including deleted ones.
  private(set) var count = 0
  /// Contacts that differ from their checksums.
  private(set) var damaged: [NamedContact] = []
  /// Contacts whose photo differs from its digest.
  private(set) var photos: [NamedContact] = []
  /// Contacts that are not damaged, but whose derived values are not what this program derives.
  private(set) var derived: [NamedContact] = []
  /// The number of contacts without a checksum.
  private(set) var unchecked = 0
  /// The number of contacts in each section, without deleted ones.
  private var sections: [Int: Int] = [:]

  /// - Throws: `CancellationError`, or the database's error.
  init(_ db: Database, _ progress: DoctorProgress) throws {
    let total = max(1, try Int.fetchOne(db, sql: "SELECT max(id) FROM contact") ?? 1)
    var pages = ContactIDPages(of: "contact NOT INDEXED")
    while true {
      try progress.check()
      let ids = try pages.next(db)
      guard let end = ids.last else { return }
      try check(ids, db)
      progress.onProgress(.contacts, min(1, Double(end) / Double(total)))
    }
  }

  private mutating func check(_ ids: [Int64], _ db: Database) throws {
    var digest = ContactDigest()
    var names: [Int64: String] = [:]
    for stored in try ContactLoader(db).loadStored(ids) {
      count += 1
      if !stored.isDeleted { sections[stored.derived.section, default: 0] += 1 }
      let named = NamedContact(id: stored.contact.id, name: stored.derived.displayName)
      if stored.contact.photo != nil { names[named.id] = named.name }
      if stored.checksum == nil { unchecked += 1 }
      if stored.isDamaged(&digest) {
        damaged.append(named)
      } else if !stored.isDerived {
        derived.append(named)
      }
    }
    if !names.isEmpty { try checkPhotos(names, db) }
  }

  private mutating func checkPhotos(_ names: [Int64: String], _ db: Database) throws {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT contact_id, sha256, data FROM avatar WHERE contact_id IN (SELECT value FROM json_each(?))
          ORDER BY contact_id
          """), arguments: [ContactLoader.json(names.keys)])
    while let row = try rows.next() {
      let photo = Photo(mediaType: "", data: row.data(2))
      if photo.summary.sha256 != row.text(1) {
        photos.append(NamedContact(id: row.integer(0), name: names[row.integer(0)] ?? ""))
      }
    }
  }

  func hasRightCounts(_ db: Database) throws -> Bool {
    let rows = try Row.fetchAll(db, sql: "SELECT section, count FROM section_count WHERE count <> 0")
    return Dictionary(rows.map { ($0.number(0), $0.number(1)) }, uniquingKeysWith: { first, _ in first }) == sections
  }

  func findings(_ db: Database) throws -> [Finding] {
    var findings: [Finding] = []
    func add(_ kind: Finding.Kind, _ severity: Finding.Severity, _ contacts: [NamedContact]) {
      guard !contacts.isEmpty else { return }
      findings.append(Finding(kind, severity, count: contacts.count, contacts: contacts, isRepairable: true))
    }
    add(.contacts, .damage, damaged)
    add(.photos, .damage, photos)
    add(.derived, .warning, derived)
    if unchecked > 0 { findings.append(Finding(.unchecked, .note, count: unchecked, isRepairable: true)) }
    if try !hasRightCounts(db) { findings.append(Finding(.sectionCounts, .damage, isRepairable: true)) }
    return findings
  }
}
