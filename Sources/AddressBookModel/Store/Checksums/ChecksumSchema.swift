/// The checksums of contacts, and the triggers that delete them: version 5 of the schema, frozen.
///
/// They are in a separate table, so that setting one is not a write of a contact. Any write of a contact deletes its
/// checksums, whatever program it is from, and so does a write of a part, which increments the contact's version
/// (``VersionSchema``). This program sets them again for what it saves, and later for what other programs wrote. So a
/// contact without checksums has not been checked yet, and one that differs from them is damaged.
enum ChecksumSchema {
  static var statements: [String] {
    [
      """
      CREATE TABLE contact_checksum (
        contact_id INTEGER PRIMARY KEY, whole INTEGER NOT NULL, list INTEGER NOT NULL
      ) STRICT
      """,
      trigger("inserted", "INSERT ON contact", "= NEW.id"),
      trigger("updated", "UPDATE ON contact", "IN (OLD.id, NEW.id)"),
      trigger("deleted", "DELETE ON contact", "= OLD.id"),
      // A write that deletes or renames a group does not write its members, and may leave their versions as they are.
      trigger("left", "DELETE ON group_member", "= OLD.contact_id"),
      trigger(
        "renamed", "UPDATE OF name ON contact_group",
        "IN (SELECT contact_id FROM group_member WHERE group_id IN (OLD.id, NEW.id))"),
    ]
  }

  private static func trigger(_ name: String, _ event: String, _ ids: String) -> String {
    """
    CREATE TRIGGER checksum_\(name) AFTER \(event) BEGIN DELETE FROM contact_checksum WHERE contact_id \(ids); END
    """
  }
}
