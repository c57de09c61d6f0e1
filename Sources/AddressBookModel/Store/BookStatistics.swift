import GRDB

/// What is in a book, for `stats`.
public struct BookStatistics: Hashable, Sendable {
  /// Contacts that are human beings.
  public let persons: Int
  /// Contacts that are organisations.
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

  init(_ db: Database, path: String?) throws {
    func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
    let living = "SELECT id FROM contact WHERE deleted_at IS NULL"
    persons = try count("SELECT count(*) FROM contact WHERE deleted_at IS NULL AND kind = 0")
    organizations = try count("SELECT count(*) FROM contact WHERE deleted_at IS NULL AND kind = 1")
    deleted = try count("SELECT count(*) FROM contact WHERE deleted_at IS NOT NULL")
    groups = try count("SELECT count(*) FROM contact_group")
    phones = try count("SELECT count(*) FROM phone WHERE contact_id IN (\(living))")
    emails = try count("SELECT count(*) FROM email WHERE contact_id IN (\(living))")
    photos = try count("SELECT count(*) FROM avatar WHERE contact_id IN (\(living))")
    birthdays = try count("SELECT count(*) FROM contact WHERE deleted_at IS NULL AND birthday IS NOT NULL")
    bytes = path.map { StoreFile.size(of: $0) + StoreFile.size(of: $0 + "-wal") } ?? 0
  }
}
