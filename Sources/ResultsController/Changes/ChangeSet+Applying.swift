extension ChangeSet {
  /// Makes the new list of the old one, in arrays of a program's own: one for each section.
  ///
  /// ```swift
  /// var names: [[String]] = []
  /// for try await update in list.updates { update.changes.apply(to: &names) { list[$0].name } }
  /// ```
  /// - Parameters:
  ///   - sections: the elements of the old list by section; no arrays before an initial update.
  ///   - element: returns the element of a row of the new list that was inserted, or whose content changed. If it throws,
  ///     the arrays stay as they were.
  public func apply<Element, Failure>(
    to sections: inout [[Element]], _ element: (_ path: RowPath) throws(Failure) -> Element
  ) throws(Failure) {
    var arriving: [RowPath: Element] = [:]
    for row in inserts { arriving[row.path] = try element(row.path) }
    for move in moves {
      arriving[move.to] = move.contentChanged ? try element(move.to) : sections[move.from.section][move.from.row]
    }
    var changed: [(path: RowPath, element: Element)] = []
    for update in updates { changed.append((update.to, try element(update.to))) }

    for (section, paths) in Dictionary(grouping: vacated, by: \.section) {
      let rows = Set(paths.map(\.row))
      sections[section] = sections[section].indices.filter { !rows.contains($0) }.map { sections[section][$0] }
    }
    for section in deletedSections.reversed() { sections.remove(at: section.ordinal) }
    for section in insertedSections { sections.insert([], at: section.ordinal) }
    for (section, paths) in Dictionary(grouping: occupied, by: \.section) {
      var kept = sections[section].makeIterator()
      sections[section] = (0..<sections[section].count + paths.count).compactMap { row in
        arriving[RowPath(section: section, row: row)] ?? kept.next()
      }
    }
    for (path, element) in changed { sections[path.section][path.row] = element }
  }
}
