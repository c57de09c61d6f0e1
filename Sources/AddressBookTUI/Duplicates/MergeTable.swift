import Contacts

/// The values of contacts to be merged, field by field, and the values of the merged contact.
struct MergeTable: Equatable {
  /// A field, or the fields that are merged as one part.
  struct Row: Equatable {
    let name: String
    /// The lines of each contact's value, in the order of the contacts; none where it is empty.
    let cells: [[String]]
    /// The lines of the merged contact's value.
    let merged: [String]
    /// The part to choose, if the contacts differ and only one value can win.
    var part: DuplicateMerge.Part?
    /// The index of the contact whose value wins.
    var winner: Int?
    /// True for the photo if the contacts have different ones: only one is kept, that of the main contact if it has
    /// one.
    var isOtherPhoto = false

    /// True if all contacts have the value of the merged contact.
    var isSame: Bool { cells.allSatisfy { $0 == merged } }
  }

  let rows: [Row]

  /// The index of the first row that offers a choice; 0 if there is none.
  var firstChoice: Int { rows.firstIndex { $0.part != nil } ?? 0 }

  /// - Parameters:
  ///   - contacts: in the order of their columns.
  ///   - merge: the result of merging them.
  init(_ contacts: [Contact], _ draft: MergeDraft, _ merge: DuplicateMerge, strings: Strings) {
    let text = MergeText(strings: strings)
    let open = Set(merge.conflicts.compactMap { DuplicateMerge.Part($0.field) })
    let hasOtherPhoto = merge.conflicts.contains { $0.field == .special(.photo) }
    var rows: [Row] = []
    var seen: Set<DuplicateMerge.Part> = []
    for field in ContactFields.standard.inFormOrder {
      let part = DuplicateMerge.Part(field)
      // The first field of a part stands for the whole part.
      if let part, !seen.insert(part).inserted { continue }
      if part == .kind, !open.contains(.kind) { continue }
      let cells = contacts.map { text.lines(of: field, $0) }
      let merged = text.lines(of: field, merge.merged)
      guard cells.contains(where: { !$0.isEmpty }) || !merged.isEmpty else { continue }
      var row = Row(name: text.name(of: field, contacts), cells: cells, merged: merged)
      if let part, open.contains(part) {
        row.part = part
        let winner =
          draft.choices[part]
          ?? draft.merged.first { id in
            contacts.firstIndex { $0.id == id }.map { !cells[$0].isEmpty } ?? false
          }
        row.winner = contacts.firstIndex { $0.id == winner }
      }
      row.isOtherPhoto = hasOtherPhoto && field == .special(.photo)
      rows.append(row)
    }
    self.rows = rows
  }
}
