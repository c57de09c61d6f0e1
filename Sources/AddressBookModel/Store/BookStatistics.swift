import GRDB

/// What is in a book, for `stats`.
public struct BookStatistics: Hashable, Sendable {
  /// Contacts that are human beings.
  public let persons: Int
  /// Contacts that are organizations.
  public let organizations: Int
  /// Deleted contacts that can come back.
  public let deleted: Int
  /// Groups.
  public let groups: Int
  /// Phone numbers of contacts that are not deleted.
  public let phones: Int
  /// Email addresses of contacts that are not deleted.
  public let emails: Int
  /// Contacts with a picture.
  public let photos: Int
  /// Contacts with a birthday.
  public let birthdays: Int
  /// Size of the file and its write-ahead log in bytes.
  public let bytes: Int

  /// Counts in one pass over the contacts, without looking at each one's `deleted_at`: asked for those that are not deleted,
  /// SQLite would go through the index of their order and fetch a million rows one by one. Of all that is there, what belongs
  /// to the few deleted ones is taken off.
  init(_ db: Database, path: String?) throws {
    func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
    func living(_ table: String) throws -> Int {
      try count("SELECT count(*) FROM \(table)")
        - count(
          "SELECT count(*) FROM \(table) WHERE contact_id IN (SELECT id FROM contact WHERE deleted_at IS NOT NULL)")
    }
    let all = try Self.kinds(db, "FROM contact NOT INDEXED")
    let gone = try Self.kinds(db, "FROM contact WHERE deleted_at IS NOT NULL")
    deleted = gone.contacts
    organizations = all.organizations - gone.organizations
    persons = all.contacts - gone.contacts - organizations
    birthdays = all.birthdays - gone.birthdays
    groups = try count("SELECT count(*) FROM contact_group")
    phones = try living("phone")
    emails = try living("email")
    photos = try living("avatar")
    bytes = path.map { StoreFile.size(of: $0) + StoreFile.size(of: $0 + "-wal") } ?? 0
  }

  private static func kinds(
    _ db: Database, _ source: String
  ) throws -> (contacts: Int, organizations: Int, birthdays: Int) {
    let sql = "SELECT count(*), count(CASE kind WHEN 1 THEN 1 END), count(birthday) \(source)"
    guard let row = try Row.fetchOne(db, sql: sql) else { return (0, 0, 0) }
    return (row[0], row[1], row[2])
  }
}
