/// Why a mapping does not fit its model or its database.
public enum InvalidMapping: Error, Hashable, Sendable {
  /// The family of this entity has no table.
  case unmappedEntity(String)
  /// The family has several entities and no column that tells them apart.
  case missingType(entity: String)
  /// The column or relationship of this property cannot be mapped this way, or the two ends of a relationship do not
  /// agree.
  case badProperty(String, entity: String)
  /// The database has no such table.
  case missingTable(String)
  /// The table has no such column.
  case missingColumn(String, table: String)
}
