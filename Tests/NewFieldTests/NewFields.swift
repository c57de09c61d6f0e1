import Foundation
import GRDB

@testable import AddressBookModel
@testable import Contacts

/// A text field and a list field, added as CONTRIBUTING.md says, but only in this process. They have what most fields
/// need; their names have several words.
enum NewFields {
  static let text = ContactField.Text(
    "birthFamily", { $0.birthFamily }, { $0.birthFamily = $1 }, limit: 20, search: .more,
    card: .init("X-BIRTH-FAMILY", rank: 45, since: 5), form: .init(65, isRare: true))

  static let list = ContactField.Values(
    "petNames", of: "petName", \.petNames, { $0.petNames }, table: "pet_name", entity: "PetName", search: .more,
    card: .init("X-PET-NAME", rank: 175, since: 5), form: 255, labels: ["school", "home"])

  private static let migration = """
    ALTER TABLE contact ADD COLUMN birth_family TEXT NOT NULL DEFAULT '';
    CREATE TABLE pet_name (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      contact_id INTEGER NOT NULL REFERENCES contact(id) ON DELETE CASCADE,
      position INTEGER NOT NULL DEFAULT 0,
      label TEXT NOT NULL DEFAULT '',
      value TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX pet_name_contact ON pet_name(contact_id, position);
    CREATE TRIGGER part_inserted_pet_name AFTER INSERT ON pet_name
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = NEW.contact_id; END;
    CREATE TRIGGER part_deleted_pet_name AFTER DELETE ON pet_name
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id = OLD.contact_id; END;
    CREATE TRIGGER part_updated_pet_name AFTER UPDATE ON pet_name
    WHEN NOT EXISTS (SELECT 1 FROM store_info WHERE key = 'versions_raised') BEGIN UPDATE contact SET version = \
    version + 1 WHERE id IN (OLD.contact_id, NEW.contact_id); END;
    """

  /// The version of the schema of the program itself.
  static let shipped = Migrations.all.count

  /// Adds both, once, before anything uses the table of fields.
  static let added: Void = {
    _ = shipped
    ContactFields.rows += [.text(text), .values(list)]
    Migrations.all.append(migration)
  }()
}

extension Contact {
  var birthFamily: String {
    get { trial?["birthFamily"]?.first?.value ?? "" }
    set { set("birthFamily", newValue.isEmpty ? [] : [LabeledValue(value: newValue)]) }
  }

  var petNames: [LabeledValue] {
    get { trial?["petNames"] ?? [] }
    set { set("petNames", newValue) }
  }

  /// Contacts without such values are equal to those that never had any.
  private mutating func set(_ name: String, _ values: [LabeledValue]) {
    var all = trial ?? [:]
    all[name] = values.isEmpty ? nil : values
    trial = all.isEmpty ? nil : all
  }
}

/// A folder with a book, which is removed after the test.
final class BookFolder {
  let path = NSTemporaryDirectory() + "/new-field-" + UUID().uuidString
  var location: StoreLocation { .file(file("book.db"), cacheFolder: file("cache")) }

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// Puts a copy of a real book here, as the shipped program leaves it, with what `change` does to it.
  func fill(_ change: String = "") throws {
    let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/Books/v11.sql")
    let sql = try String(contentsOf: fixture, encoding: .utf8)
    let queue = try DatabaseQueue(path: file("book.db"))
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: sql)
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    }
    try Migrations.migrator.migrate(queue, upTo: "v\(NewFields.shipped)")
    try queue.write { db in
      try StoreInfo.set("card_reading", to: "4", db)
      try db.execute(sql: change)
    }
    try queue.close()
    chmod(file("book.db"), 0o600)
  }
}
