import AddressBookModel
import GRDB
import Glibc
import SystemCalls

/// Examines a book and repairs it. This process must not have the book open.
///
/// An examination writes neither to the book nor to its log. A repair corrects the book in place; if SQLite cannot read
/// the file reliably, it makes a new book from what can be read (`BookSalvage`). Before it repairs damage, it keeps
/// the previous book, or a copy of it, under another name.
public struct BookDoctor {
  let location: StoreLocation
  let progress: DoctorProgress
  /// How many times an examination is tried if other programs write to the book meanwhile.
  private static let attempts = 3

  /// - Parameters:
  ///   - location: the book.
  ///   - progress: reports progress, and stops the work.
  public init(_ location: StoreLocation, progress: DoctorProgress = DoctorProgress()) {
    self.location = location
    self.progress = progress
  }

  /// Examines the book without changing it. The contacts and the history of an older book, or of one with missing or
  /// altered tables, are not examined.
  /// - Throws: `StoreError` if that is not possible, such as `cancelled` or `busy`.
  public func examine() throws(StoreError) -> Examination {
    guard let path = location.path else {
      return Examination(path: "", findings: [], contacts: nil, needsSalvage: false)
    }
    if AddressBook.isOpen(path: path) { throw StoreError(.busy, path: path) }
    try ForeignLog.setAside(location)
    let file = ExaminedFile(path: path)
    do {
      for attempt in 1... {
        let stamp = file.stamp
        let examination = try examine(file)
        if stamp == file.stamp || attempt == Self.attempts { return examination }
      }
    } catch {
      throw StoreError(error, path: path)
    }
    throw StoreError(.other, path: path)
  }

  private func examine(_ file: ExaminedFile) throws -> Examination {
    let state: StoreFile.State
    do {
      state = try StoreFile.inspect(location)
    } catch {
      return try unopenable(file, error)
    }
    let around = FileCheck(location, path: file.path).findings
    guard case .book(let version) = state else {
      return examination(file, [Finding(.missing, .warning, details: [file.path])] + around, contacts: nil)
    }
    var findings = around
    if version < Schema.version { findings.append(Finding(.olderSchema, .note, count: Int(version))) }
    do {
      let queue = try file.open()
      defer { try? queue.close() }
      let content = try queue.read { try ContentExamination($0, version: version, progress) }
      findings += content.findings + CacheCheck(location, path: file.path).findings
      return examination(file, findings, contacts: content.contacts, needsSalvage: content.needsSalvage)
    } catch let error where Self.isDamage(error) {
      let readable = try Self.readableContacts(file, progress)
      let words = [(error as? DatabaseError)?.message ?? String(describing: error)]
      findings.append(Finding(.structure, .damage, count: 1, details: words, isRepairable: readable > 0))
      return examination(file, findings, contacts: readable, needsSalvage: readable > 0)
    }
  }

  /// Examines a file that must not be opened, but may still hold a book.
  private func unopenable(_ file: ExaminedFile, _ error: StoreError) throws -> Examination {
    var findings = [Finding(.unopenable, .warning, error: error)]
    var readable: Int?
    switch error.reason {
    case .damaged, .notADatabase, .foreign, .newerSchema, .emptied:
      let count = try Self.readableContacts(file, progress)
      guard count > 0 else {
        // What is around the file of another program is not examined.
        if [.notADatabase, .foreign].contains(error.reason) { return examination(file, findings, contacts: nil) }
        if error.reason == .damaged { findings = [Finding(.cut, .damage)] }
        break
      }
      readable = count
      let kind: Finding.Kind =
        switch error.reason {
        case .damaged: .cut
        case .emptied: .emptied
        default: .header
        }
      findings = [Finding(kind, .damage, isRepairable: true)]
    case .notAFile: return examination(file, findings, contacts: nil)
    default: break
    }
    findings += FileCheck(location, path: file.path).findings
    return examination(file, findings, contacts: readable, needsSalvage: readable != nil)
  }

  private func examination(
    _ file: ExaminedFile, _ findings: [Finding], contacts: Int?, needsSalvage: Bool = false
  ) -> Examination {
    Examination(path: file.path, findings: findings, contacts: contacts, needsSalvage: needsSalvage)
  }

  /// Returns the number of contacts that a salvage would find; 0 if the file cannot be salvaged.
  private static func readableContacts(_ file: ExaminedFile, _ progress: DoctorProgress) throws -> Int {
    guard let pages = PageFile(ReadableFile(file.path), log: file.path + "-wal") else { return 0 }
    let book = try DamagedBook(pages, progress)
    return book.isOurs ? try book.contactCount() : 0
  }

  /// Returns true for an error caused by damage.
  static func isDamage(_ error: any Error) -> Bool {
    // A value whose type is not that of its column.
    if error is RowDecodingError { return true }
    guard let error = error as? DatabaseError else { return false }
    switch error.resultCode {
    case .SQLITE_IOERR: return [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ].contains(error.extendedResultCode)
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return true
    // A missing table or column, or a schema that cannot be parsed.
    case .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_MISMATCH: return true
    default: return false
    }
  }
}

/// Checks the contents of a book that SQLite can open.
struct ContentExamination {
  private(set) var findings: [Finding] = []
  private(set) var contacts: Int?
  private(set) var needsSalvage = false

  /// - Parameter version: the version of the schema according to the header.
  init(_ db: Database, version: Int32, _ progress: DoctorProgress) throws {
    // The log may have a newer header than the file.
    let version = min(Schema.version, max(version, try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? version))
    let schema = try SchemaCheck(db, version: version)
    findings += schema.findings
    progress.onProgress(.structure, nil)
    let structure = try StructureCheck(db, progress)
    findings += structure.findings
    needsSalvage = structure.needsSalvage || !schema.tables.isEmpty
    findings += try StructureCheck.references(db, schema)
    // An older book has other tables until it is opened and migrated.
    guard version == Schema.version, schema.tables.isEmpty else { return }
    findings += try GroupCheck(db).findings
    let check = try ContactCheck(db, progress)
    contacts = check.count
    findings += try check.findings(db)
    findings += try NumberCheck.findings(db)
    findings += try HistoryCheck.findings(db, progress)
  }
}
