import GRDB

/// When contacts last wrote or were written to, as `collect` finds it in somebody's mail.
extension AddressBook {
  /// Keeps when contacts last wrote or were written to; an earlier time does not replace a later one. This is no step of
  /// the history: nothing that anybody typed is changed. Times in the future and contacts that are gone are ignored.
  /// - Parameter times: seconds since 1970, by the id of the contact.
  /// - Returns: the number of contacts with a new time.
  @discardableResult
  public func recordLastContact(_ times: [Int64: Int]) throws(StoreError) -> Int {
    let now = Timestamp.now()
    return try store.write { db in
      let statement = try db.makeStatement(
        sql: """
          INSERT INTO contacted(contact_id, at) SELECT id, :at FROM contact
          WHERE id = :id AND deleted_at IS NULL AND :at <= :now
          ON CONFLICT(contact_id) DO UPDATE SET at = excluded.at WHERE excluded.at > at
          """)
      var count = 0
      for (id, seconds) in times.sorted(by: { $0.key < $1.key }) {
        try statement.execute(arguments: ["id": id, "at": Timestamp.text(secondsSince1970: seconds), "now": now])
        count += db.changesCount
      }
      return count
    }
  }

  /// Returns the times of last contact, as numbers of which a later one is greater, by the id of the contact.
  package static func lastContacts(_ db: Database) throws -> [Int64: Int] {
    let rows = try Row.fetchCursor(db, sql: "SELECT contact_id, unixepoch(at) FROM contacted")
    var times: [Int64: Int] = [:]
    while let row = try rows.next() { times[row.integer(0)] = row.number(1) }
    return times
  }

  /// Gives a contact the latest time of contacts that are merged into it.
  static func mergeLastContact(of ids: [Int64], into id: Int64, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO contacted(contact_id, at)
        SELECT ?, max(at) FROM contacted WHERE contact_id IN (SELECT value FROM json_each(?)) HAVING max(at) NOT NULL
        ON CONFLICT(contact_id) DO UPDATE SET at = excluded.at WHERE excluded.at > at
        """, arguments: [id, ContactLoader.json(ids)])
  }
}
