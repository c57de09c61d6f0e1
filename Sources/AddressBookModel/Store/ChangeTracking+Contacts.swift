import ChangeLog

extension ChangeTracking {
  /// How lists and caches learn of written contacts: each save of a contact raises its version; so does a change of its phones,
  /// groups or picture.
  public static let contacts = ChangeTracking(table: "contact", content: .columns(["version"]))
}
