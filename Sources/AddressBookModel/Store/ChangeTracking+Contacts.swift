import ChangeLog

extension ChangeTracking {
  /// The tracking that tells lists and caches which contacts were written: each save of a contact raises its version,
  /// and so does a change to its phones, groups or photo.
  public static let contacts = ChangeTracking(table: "contact", content: .columns(["version"]))
}
