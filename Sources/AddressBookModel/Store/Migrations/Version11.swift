extension Migrations {
  /// One checksum is enough: lists no longer have one of their own.
  static let version11 = "ALTER TABLE contact_checksum DROP COLUMN list"
}
