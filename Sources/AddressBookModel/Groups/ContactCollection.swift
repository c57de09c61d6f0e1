import Contacts
import GRDB

/// Contacts that belong together without being members of a group: found by the time when they were written, by their
/// birthday, or by a rule.
public enum ContactCollection: Hashable, Sendable {
  /// Contacts added in the last `days` days.
  case recentlyAdded(days: Int)
  /// Contacts changed in the last `days` days, after the day on which they were added.
  case recentlyChanged(days: Int)
  /// Contacts with a birthday on a day or in the `days` days after it.
  case birthdays(from: CalendarDay, days: Int)
  /// The contacts of a smart group.
  case found(by: SmartGroup.Rule)
}

extension AddressBook {
  /// Returns those of the given contacts that are members of a group.
  public func members(ofGroup name: String, among ids: [Int64]) throws(StoreError) -> Set<Int64> {
    try store.read { db in
      try Set(
        Int64.fetchAll(
          db.cachedStatement(
            sql: """
              SELECT contact_id FROM group_member WHERE group_id = (SELECT id FROM contact_group WHERE name = ?)
                AND contact_id IN (SELECT value FROM json_each(?))
              """), arguments: [name, ContactLoader.json(ids)]))
    }
  }

  /// Returns the ids of the contacts of a collection, in no particular order. This can read the whole table: call it on
  /// a background thread.
  /// - Parameter search: finds contacts by the text of a search.
  package func ids(
    in collection: ContactCollection, search: (String) throws(StoreError) -> [Int64]
  ) throws(StoreError) -> [Int64] {
    if case .found(let rule) = collection {
      switch rule {
      case .search(let text): return try search(text)
      case .condition(let text): return try contactIDs(where: text)
      }
    }
    // The + keeps SQLite from reading the table in the order of the list's index.
    return try store.read { db in
      switch collection {
      case .found: return []
      case .recentlyAdded(let days):
        return try Int64.fetchAll(
          db, sql: "SELECT id FROM contact WHERE +deleted_at IS NULL AND created_at >= ?",
          arguments: [Timestamp.daysAgo(days)])
      case .recentlyChanged(let days):
        return try Int64.fetchAll(
          db,
          sql: """
            SELECT id FROM contact
            WHERE +deleted_at IS NULL AND modified_at >= ? AND substr(modified_at, 1, 10) > substr(created_at, 1, 10)
            """, arguments: [Timestamp.daysAgo(days)])
      case .birthdays(let first, let days):
        let rows = try Row.fetchCursor(
          db, sql: "SELECT id, birthday FROM contact WHERE birthday <> '' AND +deleted_at IS NULL")
        var found: [Int64] = []
        while let row = try rows.next() {
          guard let birthday = PartialDate(row.text(1)) else { continue }
          if Anniversary(of: birthday, on: first).daysUntilNext <= days { found.append(row.integer(0)) }
        }
        return found
      }
    }
  }

  /// Returns the ids of the contacts that match a saved condition; none if this version of the program does not
  /// understand the condition.
  private func contactIDs(where text: String) throws(StoreError) -> [Int64] {
    let condition: ContactCondition
    do {
      condition = try ContactCondition(text)
    } catch {
      return []
    }
    return try contactIDs(where: condition)
  }
}
