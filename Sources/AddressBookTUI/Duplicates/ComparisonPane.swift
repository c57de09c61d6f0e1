import AddressBookModel
import Contacts
import TerminalKit

/// The comparison of the contacts of one candidate with the merged contact, and the focused value.
@MainActor
final class ComparisonPane {
  /// True while the pane fills the window and handles the keys.
  private(set) var isOpen = false
  private let environment: AppEnvironment
  private var table: ChoiceTable
  private var candidate: DuplicatesState.Candidate?
  /// The decisions that the table shows; nil until its contacts are read.
  private var draft: MergeDraft?
  /// What can be chosen in each row of the table.
  private var choices: [Choice] = []
  /// True when the pane was opened, or got another candidate, before its contacts were read.
  private var rewindsAfterReading = true
  private var isEmpty = true

  private enum Choice: Equatable {
    case part(DuplicateMerge.Part)
    /// The photo of another contact than the main one is not kept.
    case mainPhoto
    case nothing
  }

  init(environment: AppEnvironment) {
    self.environment = environment
    table = ChoiceTable(theme: environment.theme, strings: environment.strings)
    table.resultTitle = environment.strings("duplicates.column.merged")
  }

  // MARK: State

  func open() {
    isOpen = true
    rewind()
  }

  func close() { isOpen = false }

  /// Drops the contacts, which are read again before they are next drawn.
  func invalidate() { draft = nil }

  /// The contact whose column is focused; nil if none is compared.
  var focusedID: Int64? {
    guard let ids = draft?.ids, let column = table.column, ids.indices.contains(column) else { return nil }
    return ids[column]
  }

  func move(rows: Int = 0, columns: Int = 0) { table.move(rows: rows, columns: columns) }

  /// Focuses the first field whose value can be chosen, or else the first field.
  private func rewind() {
    let first = choices.firstIndex { if case .part = $0 { true } else { false } }
    table.focus(row: draft == nil ? 0 : first ?? 0, column: 0)
    table.rewind()
    rewindsAfterReading = draft == nil
  }

  /// Chooses the focused value for the merged contact.
  /// - Returns: a message if the value cannot be chosen.
  func applySelection(to draft: inout MergeDraft?) -> String? {
    guard let id = focusedID, let shown = self.draft, let column = table.column, choices.indices.contains(table.row)
    else { return nil }
    let strings = environment.strings
    switch choices[table.row] {
    case .nothing: return strings("duplicates.nothingToChoose")
    case .mainPhoto: return strings("duplicates.photoStays", environment.keys.label(of: .mergeMain, in: .merge))
    case .part(let part):
      if table.rows[table.row].values[column].lines.isEmpty { return strings("duplicates.hasNothing") }
      if shown.leftOut.contains(id) { return strings("duplicates.isLeftOut") }
      draft?.choose(part, from: id)
      return nil
    }
  }

  /// Focuses the pressed value, or at least its field; the wheel moves the focus by rows.
  /// - Returns: true if a value was pressed.
  func handle(_ mouse: Mouse) -> Bool { !isEmpty && table.handle(mouse) != nil }

  // MARK: Drawing

  /// Lays out the contacts of a candidate, which are read again if they or the user's decisions have changed.
  func prepare(
    _ candidate: DuplicatesState.Candidate?, _ draft: MergeDraft?, _ actions: DuplicateActions, in rect: Rect
  ) {
    isEmpty = true
    guard let candidate, let draft, !rect.isEmpty else { return }
    if self.draft != draft || self.candidate != candidate {
      if self.candidate?.ids != candidate.ids { rewindsAfterReading = true }
      self.candidate = candidate
      self.draft = read(candidate, draft, actions) ? draft : nil
      if rewindsAfterReading { rewind() }
    }
    isEmpty = self.draft == nil
    guard !isEmpty else { return }
    move()
    table.isFocused = isOpen
    table.layOut(in: rect)
  }

  /// Reads the contacts into the table; false if one was just deleted and the list has not been updated, or if the book
  /// cannot be read.
  private func read(_ candidate: DuplicatesState.Candidate, _ draft: MergeDraft, _ actions: DuplicateActions) -> Bool {
    let strings = environment.strings
    do {
      let contacts = try environment.book.contacts(ids: draft.ids)
      let merge = try environment.book.mergePreview(
        draft.merged, choices: draft.choices, localization: strings.localization)
      guard contacts.map(\.id) == draft.ids else { return false }
      table.columns = contacts.enumerated().map { index, contact in
        .init(
          title: "\(index + 1) " + DisplayText.clean(actions.parts.name(of: contact)),
          note: role(of: contact.id, draft),
          short: String(index + 1))
      }
      table.caption = candidate.reason(strings)
      let (shown, all) = (strings.number(contacts.count), strings.number(candidate.ids.count))
      table.remark = candidate.ids.count > contacts.count ? strings("duplicates.limited", shown, all) : ""
      fill(contacts, draft, merge)
      return true
    } catch {
      if case EditError.missing = error { return false }
      actions.status.show(reading: error)
      return false
    }
  }

  /// Returns the role of a contact; empty for one that is merged into the main one.
  private func role(of id: Int64, _ draft: MergeDraft) -> String {
    if id == draft.main { return environment.strings("duplicates.column.main") }
    return draft.leftOut.contains(id) ? environment.strings("duplicates.column.leftOut") : ""
  }

  /// Fills the rows, one for each field, or for fields that are merged as one part.
  private func fill(_ contacts: [Contact], _ draft: MergeDraft, _ merge: DuplicateMerge) {
    let text = ValueText(strings: environment.strings)
    let open = Set(merge.conflicts.compactMap { DuplicateMerge.Part($0.field) })
    let hasOtherPhoto = merge.conflicts.contains { $0.field == .special(.photo) }
    var seen: Set<DuplicateMerge.Part> = []
    (table.rows, choices) = ([], [])
    for field in ContactFields.standard.inFormOrder {
      let part = DuplicateMerge.Part(field)
      // The first field of a part stands for the whole part.
      if let part, !seen.insert(part).inserted { continue }
      if part == .kind, !open.contains(.kind) { continue }
      let values = contacts.map { text.lines(of: field, $0) }
      let merged = text.lines(of: field, merge.merged)
      guard values.contains(where: { !$0.isEmpty }) || !merged.isEmpty else { continue }
      let choice = part.flatMap { open.contains($0) ? $0 : nil }
      let winner = choice.flatMap { part -> [String]? in
        func lines(_ id: Int64) -> [String]? { contacts.firstIndex { $0.id == id }.map { values[$0] } }
        return draft.choices[part].flatMap(lines) ?? draft.merged.compactMap(lines).first { !$0.isEmpty }
      }
      table.rows.append(
        .init(
          name: text.name(of: field, contacts),
          values: zip(contacts, values).map { contact, lines in
            let isLeftOut = draft.leftOut.contains(contact.id)
            let canWin = choice != nil && !isLeftOut && !lines.isEmpty
            return .init(
              lines: lines, isChosen: canWin ? lines == winner : nil,
              isQuiet: isLeftOut || choice != nil && lines != winner)
          }, result: merged))
      choices.append(choice.map(Choice.part) ?? (hasOtherPhoto && field == .special(.photo) ? .mainPhoto : .nothing))
    }
  }

  func draw(on canvas: inout Canvas) {
    if !isEmpty { table.draw(on: &canvas) }
  }
}
