import ChangeLog

extension ChangeTracking {
  /// The tracking by which lists and caches learn of written contacts: each save of a contact raises its version, and
  /// so does a change to its phones, groups or photo.
  public static let contacts = ChangeTracking(table: "contact", content: .columns(["version"]))
}
