import AddressBookModel
import Contacts
import Foundation
import GRDB

/// Writes what can be read of a damaged book into a new one, with the same ids. The change log is not copied, and of
/// `store_info` only the user's choice about photos.
///
/// Values that violate the constraints of a table are adjusted, so that their contact, group or step is not left out.
/// Derived values are recomputed later (``ContentRepair``).
struct BookSalvage {
  private let book: DamagedBook
  private let db: Database
  private let progress: DoctorProgress

  /// Fills the tables of a new, empty book.
  /// - Returns: the contacts that are missing from the new book, and those that lost values.
  /// - Throws: `CancellationError`, or the database's error.
  static func write(_ book: DamagedBook, to db: Database, _ progress: DoctorProgress) throws -> Losses {
    try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    let salvage = BookSalvage(book: book, db: db, progress: progress)
    var losses = Losses()
    try db.inTransaction(.immediate) {
      try OwnVersions.begin(db)
      losses.values = try salvage.copy()
      try salvage.add(to: &losses)
      try OwnVersions.end(db)
      return .commit
    }
    return losses
  }

  /// What the new book lacks, according to the indexes, checksums and section counts of the damaged one.
  struct Losses {
    /// The number of contacts according to the section counts, without deleted ones; nil if the counts are lost.
    var count: Int?
    /// The UIDs of missing contacts, keyed by id; a UID is empty if it is unknown.
    var contacts: [Int64: String] = [:]
    /// The numbers of lost values of contacts in each table, keyed by the contacts' ids.
    var values: [Int64: [String: Int]] = [:]
    /// True if ``contacts`` has all missing contacts.
    var areAllNamed = false
    /// The ids of contacts that were removed for good, as far as the change log goes back.
    var removed: Set<Int64> = []
    /// The tables from which a contact may have lost values that nothing names.
    var untraced: Set<String> = []
  }

  /// - Returns: the numbers of rows of each table that could be read only in part, keyed by the ids of their contacts.
  private func copy() throws -> [Int64: [String: Int]] {
    var cut: [Int64: [String: Int]] = [:]
    let misplaced = book.misplacedContacts()
    for (index, name) in DamagedTable.names.enumerated() {
      progress.onProgress(.salvage, Double(index) / Double(DamagedTable.names.count))
      guard let table = book.table(name) else { continue }
      let statement = try db.makeStatement(sql: table.insertion)
      var count = 0
      try book.forEachRow(of: name) { record in
        count += 1
        if count.isMultiple(of: 1024) { try progress.check() }
        guard table.hasRowIDs == (record.rowID != nil) else { return }
        if !record.isWhole, let id = name == "contact" ? record.rowID : table.contact(of: record) {
          cut[id, default: [:]][name, default: 0] += 1
        }
        var values = table.values(record)
        if name == "contact", let id = record.values.dropFirst().first?.text.flatMap({ misplaced[$0] }) {
          values[0] = id.databaseValue
        }
        adjust(&values, of: name)
        try insert(values, of: name, statement)
      }
    }
    try copyCardLines()
    try copyGroups()
    try copyMembers()
    try copyNumbers()
    try book.forEachRow(of: "store_info") { record in
      if record.values.first?.text == PhotoMetadataChoice.key { try PhotoMetadataChoice.setKept(db) }
    }
    return cut
  }

  private func insert(_ values: [DatabaseValue], of name: String, _ statement: Statement) throws {
    statement.setUncheckedArguments(StatementArguments(values))
    try statement.execute()
    // Another contact or group already has this UID or name: both are kept.
    guard db.changesCount == 0, ["contact", "contact_group", "smart_group"].contains(name),
      try Int.fetchOne(db, sql: "SELECT 1 FROM \(name) WHERE id = ?", arguments: [values[0]]) == nil
    else { return }
    var values = values
    values[1] = Data(UniqueID.make().utf8).databaseValue
    if name != "contact", let text = Data.fromDatabaseValue(values[2]) {
      values[2] = (text + Data(" (\(Int64.fromDatabaseValue(values[0]) ?? 0))".utf8)).databaseValue
    }
    statement.setUncheckedArguments(StatementArguments(values))
    try statement.execute()
  }

  private func adjust(_ values: inout [DatabaseValue], of name: String) {
    func limit(_ column: Int, _ range: ClosedRange<Int64>, else other: Int64) {
      guard let number = Int64.fromDatabaseValue(values[column]), range.contains(number) else {
        values[column] = other.databaseValue
        return
      }
    }
    switch name {
    case "contact":
      let columns = book.table(name)?.columns ?? []
      if Data.fromDatabaseValue(values[1])?.isEmpty != false { values[1] = Data(UniqueID.make().utf8).databaseValue }
      for (index, column) in columns.enumerated() {
        switch column.name {
        case "kind": limit(index, 0...1, else: 0)
        case "section": limit(index, 0...26, else: 26)
        case "version": limit(index, 1...Int64(StoredContact.versions.upperBound), else: 1)
        case "created_at", "modified_at":
          if Data.fromDatabaseValue(values[index])?.isEmpty != false {
            values[index] = Data(Timestamp.now().utf8).databaseValue
          }
        default: break
        }
      }
    case "smart_group": limit(3, 0...1, else: 0)
    case "edit_step": limit(1, 0...2, else: 0)
    default: break
    }
  }

  /// Copies the lines of cards from a book of version 6 or earlier, which has one row per line.
  private func copyCardLines() throws {
    var lines: [Int64: [(position: Int64, row: Int64, text: String)]] = [:]
    book.forEachRow(of: DamagedTable.cardLines) { record in
      guard record.values.count == 4, let row = record.rowID, let contact = record.values[1].integer,
        let position = record.values[2].integer, let text = record.values[3].text
      else { return }
      lines[contact, default: []].append((position, row, text))
    }
    for (contact, lines) in lines {
      let ordered = lines.sorted { ($0.position, $0.row) < ($1.position, $1.row) }.map(\.text)
      try db.execute(
        sql: "INSERT OR IGNORE INTO contact_card(contact_id, lines) VALUES (?, ?)",
        arguments: [contact, StoredLines.text(ordered)])
    }
  }

  /// Copies groups from the indexes of their names and UIDs.
  private func copyGroups() throws {
    func texts(_ index: String) -> [Int64: String] {
      var texts: [Int64: String] = [:]
      book.forEachEntry(ofIndex: index) { entry in
        guard entry.values.count == 2, let text = entry.values[0].text, let id = entry.values[1].integer else { return }
        texts[id] = text
      }
      return texts
    }
    let uids = texts("sqlite_autoindex_contact_group_1")
    for (id, name) in texts("sqlite_autoindex_contact_group_2") {
      try db.execute(
        sql: "INSERT OR IGNORE INTO contact_group (id, uid, name) VALUES (?, ?, ?)",
        arguments: [id, uids[id] ?? UniqueID.make(), name])
    }
  }

  /// Copies members of groups, and pairs marked as not the same, from their indexes too.
  private func copyMembers() throws {
    for (index, sql) in [
      ("group_member_contact", "INSERT OR IGNORE INTO group_member (contact_id, group_id) VALUES (?, ?)"),
      ("not_same_second", "INSERT OR IGNORE INTO not_same (second, first) VALUES (?, ?)"),
    ] {
      var pairs: [[Int64]] = []
      book.forEachEntry(ofIndex: index) { pairs.append($0.values.compactMap(\.integer)) }
      let statement = try db.makeStatement(sql: sql)
      for pair in pairs where pair.count == 2 {
        statement.setUncheckedArguments([pair[0], pair[1]])
        try statement.execute()
      }
    }
  }

  /// Copies the last ids of the tables, so that the id of a lost contact is not reused.
  private func copyNumbers() throws {
    let tables = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'"))
    var numbers: [String: Int64] = [:]
    book.forEachRow(of: "sqlite_sequence") { record in
      guard record.values.count == 2, let name = record.values[0].text, let number = record.values[1].integer,
        tables.contains(name), number < 1 << 48
      else { return }
      numbers[name] = max(number, numbers[name] ?? 0)
    }
    for (name, number) in numbers {
      let present = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [name])
      try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [name])
      try db.execute(sql: "INSERT INTO sqlite_sequence VALUES (?, ?)", arguments: [name, max(number, present ?? 0)])
    }
  }

  /// Returns the sum of the section counts; nil if one of them cannot be read.
  private func contactCount() -> Int? {
    var counts: [Int64: Int64] = [:]
    book.forEachRow(of: "section_count") { record in
      guard record.values.count == 2, let section = record.rowID, let count = record.values[1].integer,
        (0..<100_000_000).contains(count)
      else { return }
      counts[section] = count
    }
    let known = Schema.sections.compactMap { counts[Int64($0)] }
    return known.count == Schema.sections.count ? Int(known.reduce(0, +)) : nil
  }

  private func add(to losses: inout Losses) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT id, uid FROM contact")
    let known = Set(rows.map { $0.integer(0) })
    let uids = Set(rows.map { $0.text(1) })
    var hasIndex = false
    book.forEachEntry(ofIndex: "sqlite_autoindex_contact_1") { entry in
      guard entry.values.count == 2, let uid = entry.values[0].text, let id = entry.values[1].integer else { return }
      hasIndex = true
      if !known.contains(id), !uids.contains(uid) { losses.contacts[id] = uid }
    }
    losses.count = contactCount()
    losses.areAllNamed = book.isWhole("sqlite_autoindex_contact_1")
    book.forEachRow(of: "results_log_contact") { record in
      guard record.values.count > 2 else { return }
      if let id = record.values[2].integer { losses.removed.remove(id) }
      if let id = record.values[1].integer, record.values[2].isNull { losses.removed.insert(id) }
    }
    if !hasIndex {
      book.forEachRow(of: "contact_checksum") { record in
        if let id = record.rowID, !known.contains(id) { losses.contacts[id] = "" }
      }
    }
    for table in Schema.labeledTables + ["address"] {
      let rows = Set(try Int64.fetchAll(db, sql: "SELECT id FROM \(table)"))
      book.forEachEntry(ofIndex: table + "_contact") { entry in
        let numbers = entry.values.compactMap(\.integer)
        guard numbers.count == 3, !rows.contains(numbers[2]) else { return }
        losses.values[numbers[0], default: [:]][table, default: 0] += 1
      }
      if !book.isWhole(table), !book.isWhole(table + "_contact") { losses.untraced.insert(table) }
    }
    losses.untraced.formUnion(["contact_card", "avatar"].filter { !book.isWhole($0) })
    let groups = [("group_member", "group_member_contact"), ("contact_group", "sqlite_autoindex_contact_group_2")]
    if groups.contains(where: { !book.isWhole($0) && !book.isWhole($1) }) { losses.untraced.insert("group_member") }
  }
}
