import AddressBookModel
import GRDB

/// Reads the rows of a book that SQLite cannot read: from the trees of its tables, as far as they can be followed, and
/// then from the pages that no tree leads to.
///
/// The schema says where the trees begin; if it is lost, they are assumed to begin where they do in a new book. The
/// table of a page without a tree is recognized by the values in its rows. Free pages are ignored: their rows were
/// deleted or moved.
final class DamagedBook {
  private let reader: PageReader
  private let pages: PageFile
  private let progress: DoctorProgress
  private let tables: [String: DamagedTable]
  /// The pages with the rows of each table: first those of its tree, then the others.
  private var rows: [String: [Int]] = [:]
  private var roots: [String: Int] = [:]
  /// True if the schema still has a statement that only a book has.
  private var hasOwnStatement = false
  /// Pages that belong to a tree, or are free.
  private var taken: [Bool]

  init(_ pages: PageFile, _ progress: DoctorProgress) throws {
    self.pages = pages
    self.progress = progress
    reader = PageReader(pages)
    let book = try Migrations.freshBook()
    tables = try DamagedTable.all(in: book)
    taken = Array(repeating: false, count: pages.count + 1)
    try findRoots(ownStatements: DamagedTable.ownStatements(in: book))
    for name in DamagedTable.names + [
      DamagedTable.cardLines, "section_count", "grdb_migrations", "sqlite_sequence", "results_log_contact",
      "store_info",
    ] {
      rows[name] = tables[name].map { leaves(from: roots[name] ?? $0.usualRoot, of: $0) } ?? []
    }
    // Mark the pages of indexes too: their entries are not rows of tables.
    for (name, root) in roots where tables[name] == nil { _ = claimTree(from: root, isIndex: true) { _, _ in true } }
    claimFreePages()
    try claimOrphanPages()
  }

  // MARK: - Reading

  /// True unless the pages are those of another database, or of a book made by a newer version of the program.
  var isOurs: Bool {
    let known = Set(Migrations.migrator.migrations)
    var isNewer = false
    forEachRow(of: "grdb_migrations") { if let name = $0.values.first?.text, !known.contains(name) { isNewer = true } }
    // A flipped bit may have changed a name.
    if isNewer, schemaVersion <= Schema.version { isNewer = false }
    return !isNewer && (roots.isEmpty || hasOwnStatement)
  }

  private var schemaVersion: Int32 {
    pages.page(1).flatMap { reader.number32($0, 60) }.map { Int32(truncatingIfNeeded: $0) } ?? 0
  }

  /// Returns the number of contacts that can be read, or that have values that can be read.
  func contactCount() throws -> Int {
    var ids: Set<Int64> = []
    forEachRow(of: "contact") { record in if let id = record.rowID { ids.insert(id) } }
    for name in Schema.labeledTables + ["address"] {
      guard let table = tables[name] else { continue }
      forEachRow(of: name) { record in if let id = table.contact(of: record), id > 0 { ids.insert(id) } }
    }
    return ids.count
  }

  /// Returns the right ids of contacts whose rows have wrong ones because of damage, keyed by UID. The right id is in
  /// the index of UIDs; the wrong one belongs to another contact there, or has no checksum while the right one does.
  func misplacedContacts() -> [String: Int64] {
    var indexed: [String: Int64] = [:]
    forEachEntry(ofIndex: "sqlite_autoindex_contact_1") { entry in
      guard entry.values.count == 2, let uid = entry.values[0].text, let id = entry.values[1].integer else { return }
      indexed[uid] = id
    }
    let owned = Set(indexed.values)
    var checked: Set<Int64> = []
    forEachRow(of: "contact_checksum") { record in if let id = record.rowID { checked.insert(id) } }
    var misplaced: [String: Int64] = [:]
    forEachRow(of: "contact") { record in
      guard let id = record.rowID, record.values.count > 1, let uid = record.values[1].text, let right = indexed[uid],
        right != id, owned.contains(id) || (checked.contains(right) && !checked.contains(id))
      else { return }
      misplaced[uid] = right
    }
    return misplaced
  }

  /// Calls `body` with the rows of a table, those of its tree first.
  func forEachRow(of name: String, _ body: (PageRecord) throws -> Void) rethrows {
    for number in rows[name] ?? [] {
      guard let page = pages.page(number) else { continue }
      for record in reader.records(page, number) { if let record { try body(record) } }
    }
  }

  func forEachEntry(ofIndex name: String, _ body: (PageRecord) -> Void) {
    guard let root = roots[name] else { return }
    walk(from: root, isIndex: true, mayEnter: { _ in true }) { number, page in
      for case let record? in reader.records(page, number) { body(record) }
    }
  }

  func table(_ name: String) -> DamagedTable? { tables[name] }

  /// Returns true if every page in the tree of a table or an index can be read, and every row in it.
  func isWhole(_ name: String) -> Bool {
    let table = tables[name]
    guard let root = roots[name] ?? table?.usualRoot else { return false }
    let isIndex = table.map { !$0.hasRowIDs } ?? true
    var waiting = [root]
    var visited: Set<Int> = []
    while let number = waiting.popLast() {
      guard visited.insert(number).inserted, let page = pages.page(number), let kind = reader.kind(page, number),
        (kind == .indexLeaf || kind == .indexNode) == isIndex,
        reader.records(page, number).allSatisfy({ record in
          record.map { row in row.isWhole && table.map { mayBelong(row, to: $0) } ?? true } ?? false
        })
      else { return false }
      if kind == .indexNode || kind == .tableNode { waiting += reader.children(page, number) }
    }
    return true
  }

  // MARK: - Trees

  /// Visits the pages of a tree, parents before children, and each once: in a damaged tree, a page may be its own
  /// ancestor.
  private func walk(from root: Int, isIndex: Bool, mayEnter: (Int) -> Bool, _ visit: (Int, [UInt8]) -> Void) {
    var waiting = [root]
    var visited: Set<Int> = []
    while let number = waiting.popLast() {
      guard visited.insert(number).inserted, let page = pages.page(number), let kind = reader.kind(page, number),
        (kind == .indexLeaf || kind == .indexNode) == isIndex, mayEnter(number)
      else { continue }
      visit(number, page)
      if kind == .indexNode || kind == .tableNode { waiting += reader.children(page, number).reversed() }
    }
  }

  /// Finds the pages of a tree that are not taken yet and that `fits` accepts, marks them as taken and returns them.
  private func claimTree(from root: Int, isIndex: Bool, _ fits: (Int, [UInt8]) -> Bool) -> [Int] {
    var found: [Int] = []
    walk(from: root, isIndex: isIndex, mayEnter: { !taken[$0] }) { number, page in
      guard fits(number, page) else { return }
      taken[number] = true
      found.append(number)
    }
    return found
  }

  private func leaves(from root: Int, of table: DamagedTable) -> [Int] {
    guard root > 0, root <= pages.count else { return [] }
    return claimTree(from: root, isIndex: !table.hasRowIDs) { number, page in
      reader.kind(page, number) == .tableNode || holds(page, number) { mayBelong($0, to: table) }
    }.filter { number in pages.page(number).map { reader.kind($0, number) != .tableNode } ?? false }
  }

  /// Returns true if at least half of the readable rows among the first 12 of a page fit.
  private func holds(_ page: [UInt8], _ number: Int, _ fits: (PageRecord) -> Bool) -> Bool {
    let records = reader.records(page, number, atMost: 12).compactMap(\.self)
    return records.count(where: fits) * 2 >= records.count
  }

  /// Returns true if a row in the tree of a table can be one of its rows: it fits or, if another program may have added
  /// columns, begins like one and fits no other table.
  private func mayBelong(_ record: PageRecord, to table: DamagedTable) -> Bool {
    table.fits(record) || table.matchesBeginning(of: record) && !tables.values.contains { $0.fits(record) }
  }

  // MARK: - Finding

  /// Reads the schema, from whichever pages have its rows.
  private func findRoots(ownStatements: Set<String>) throws {
    for number in 1...pages.count {
      if number.isMultiple(of: 4096) {
        try progress.check()
        progress.onProgress(.salvage, Double(number) / Double(pages.count))
      }
      guard let page = pages.page(number), reader.kind(page, number) == .tableLeaf else { continue }
      guard reader.records(page, number, atMost: 4).contains(where: { $0.flatMap(Self.root) != nil }) else { continue }
      taken[number] = true
      for case let record? in reader.records(page, number) {
        guard let (name, root) = Self.root(record) else { continue }
        if root > 0, root <= pages.count, roots[name] == nil { roots[name] = root }
        if let statement = record.values[4].text, ownStatements.contains(statement) { hasOwnStatement = true }
      }
    }
  }

  /// Returns the name and the root page in a row of the schema; nil for a row of another table.
  private static func root(_ record: PageRecord) -> (String, Int)? {
    guard record.values.count == 5, let type = record.values[0].text, ["table", "index", "trigger"].contains(type),
      let name = record.values[1].text, let root = record.values[3].integer
    else { return nil }
    return (name, Int(truncatingIfNeeded: root))
  }

  /// Marks the pages in SQLite's list of free pages as taken.
  private func claimFreePages() {
    guard let header = pages.page(1), var trunk = reader.number32(header, 32) else { return }
    var left = pages.count
    while trunk > 0, trunk <= pages.count, !taken[trunk], left > 0, let page = pages.page(trunk) {
      taken[trunk] = true
      left -= 1
      let count = min(reader.number32(page, 4) ?? 0, pages.pageSize / 4 - 2)
      for index in 0..<max(0, count) {
        if let free = reader.number32(page, 8 + index * 4), free > 1, free <= pages.count { taken[free] = true }
      }
      trunk = reader.number32(page, 0) ?? 0
    }
  }

  /// Finds the tables of leaf pages that no tree leads to.
  private func claimOrphanPages() throws {
    var labeled: [Int] = []
    for number in 1...pages.count where !taken[number] {
      if number.isMultiple(of: 4096) { try progress.check() }
      guard let page = pages.page(number), reader.kind(page, number) == .tableLeaf else { continue }
      let records = reader.records(page, number).compactMap(\.self)
      guard !records.isEmpty else { continue }
      let fitting = tables.values.filter { table in
        table.hasRowIDs && holds(page, number) { table.fits($0) }
      }.map(\.name)
      if fitting.contains(Schema.labeledTables[0]) {
        labeled.append(number)
      } else if let name = (DamagedTable.names + [DamagedTable.cardLines]).first(where: fitting.contains) {
        rows[name, default: []].append(number)
      }
    }
    for (number, name) in LabeledPages(self, labeled).tables { rows[name, default: []].append(number) }
  }

  func records(ofPage number: Int) -> [PageRecord] {
    pages.page(number).map { reader.records($0, number).compactMap(\.self) } ?? []
  }
}
