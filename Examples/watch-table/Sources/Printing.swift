import ResultsController

func printList<Record>(_ controller: FetchedRecordsController<Record>, line: (Record) -> String) throws(ResultsError) {
  for (number, section) in controller.sections.enumerated() {
    print("\(section.title.isEmpty ? "—" : section.title) (\(section.count))")
    for row in 0..<section.count {
      print("  " + line(try controller.object(at: RowPath(section: number, row: row))))
    }
  }
}

/// Prints the changes in an update: deleted and inserted sections, then rows. Deleted rows have their old paths,
/// inserted and updated rows their new ones, moved rows both.
func printChanges(_ update: ResultsUpdate) {
  let changes = update.changes
  for section in changes.deletedSections { print("- section \(section.ordinal) \(section.info.title)") }
  for section in changes.insertedSections { print("+ section \(section.ordinal) \(section.info.title)") }
  for row in changes.deletes { print("- \(row.path) id \(row.id)") }
  for row in changes.inserts { print("+ \(row.path) id \(row.id)") }
  for move in changes.moves { print("> \(move.from) to \(move.to) id \(move.id)") }
  for change in changes.updates { print("* \(change.to) id \(change.id)") }
}
