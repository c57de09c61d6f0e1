import GRDB

/// Ranges of contacts in the history whose ends differ between the table and its index, which only damage can cause.
/// With an end that is too low, an undo would leave contacts of the step in the book.
package struct RangeCheck {
  package struct Difference {
    package let step: Int64
    /// The first contact.
    let contact: Int64
    /// The last contact, from the table.
    let last: Int64
    /// The last contact, from the index.
    let indexed: Int64
  }

  private struct Key: Hashable {
    let step: Int64
    let contact: Int64
  }

  package let differences: [Difference]

  /// Returns steps whose ranges have more contacts than the step wrote: undoing such a step would delete contacts that
  /// others added.
  /// - Parameter step: only this one; nil for all.
  package static func stepsWithTooManyContacts(_ db: Database, step: Int64? = nil) throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        SELECT step_id FROM edit_entry JOIN edit_step s ON s.id = step_id
        WHERE last_id IS NOT NULL AND (?1 IS NULL OR step_id = ?1)
        GROUP BY step_id HAVING total(last_id - contact_id + 1) > s.count
        """, arguments: [step])
  }

  /// Returns true if undoing a step could change more than the step did, or less.
  static func isDamaged(_ db: Database, step: Int64) throws -> Bool {
    try !stepsWithTooManyContacts(db, step: step).isEmpty || !Self(db, step: step).differences.isEmpty
  }

  /// - Parameter step: only this one; nil for all.
  package init(_ db: Database, step: Int64? = nil) throws {
    // SQLite ignores NOT INDEXED for a table without rowids, but it cannot use the partial index for this condition.
    let ends = try Self.ends(db, "NOT INDEXED WHERE typeof(last_id) = 'integer'", step)
    let indexed = try Self.ends(db, "INDEXED BY edit_entry_range WHERE last_id IS NOT NULL", step)
    differences = ends.compactMap { key, last in
      indexed[key].flatMap { other in
        other == last ? nil : Difference(step: key.step, contact: key.contact, last: last, indexed: other)
      }
    }.sorted { ($0.step, $0.contact) < ($1.step, $1.contact) }
  }

  private static func ends(_ db: Database, _ source: String, _ step: Int64?) throws -> [Key: Int64] {
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT step_id, contact_id, last_id FROM edit_entry \(source)" + (step == nil ? "" : " AND step_id = ?"),
      arguments: step.map { [$0] } ?? [])
    return Dictionary(
      rows.map { (Key(step: $0.integer(0), contact: $0.integer(1)), $0.integer(2)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Takes the ends from the index if they fit the number of contacts that the step wrote: at least as many as in its
  /// ranges, and at most as many as in all its entries. Call it after REINDEX: SQLite refuses to update a row that its
  /// index lacks.
  /// - Returns: the number of steps that were corrected.
  package func correct(_ db: Database) throws -> Int {
    var count = 0
    for (step, ranges) in Dictionary(grouping: differences, by: \.step) {
      let change = ranges.reduce(into: 0.0) { $0 += Double($1.indexed) - Double($1.last) }
      let fits = try Bool.fetchOne(
        db,
        sql: """
          SELECT total(last_id - contact_id + 1) + ?2
            + (SELECT count(*) FROM edit_entry WHERE step_id = ?1 AND typeof(last_id) <> 'integer') >= s.count
            AND total(last_id - contact_id + 1) + ?2 <= s.count
          FROM edit_entry e JOIN edit_step s ON s.id = e.step_id
          WHERE e.step_id = ?1 AND typeof(e.last_id) = 'integer'
          """, arguments: [step, change])
      guard fits == true, ranges.allSatisfy({ $0.indexed >= $0.contact }) else { continue }
      for range in ranges {
        try db.execute(
          sql: "UPDATE edit_entry SET last_id = ? WHERE step_id = ? AND contact_id = ?",
          arguments: [range.indexed, range.step, range.contact])
      }
      count += 1
    }
    return count
  }
}
