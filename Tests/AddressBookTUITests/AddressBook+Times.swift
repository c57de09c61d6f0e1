import AddressBookModel
import GRDB

extension AddressBook {
  /// Pretends that a contact was added and changed at these times.
  func setTimes(of id: Int64, added: String, changed: String) throws {
    try database.write { db in
      try db.execute(
        sql: "UPDATE contact SET created_at = ?, modified_at = ? WHERE id = ?", arguments: [added, changed, id])
    }
  }
}
