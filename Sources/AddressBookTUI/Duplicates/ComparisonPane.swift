import AddressBookModel
import Contacts
import TerminalKit

/// The comparison of the contacts of one candidate, with the focused value.
@MainActor
final class ComparisonPane {
  /// True while the pane fills the window and handles the keys.
  private(set) var isOpen = false
  private let environment: AppEnvironment
  private let view: MergeView
  private var focus = MergeView.Focus()
  private var top = 0
  /// True when the pane was opened, or got another candidate, before its contacts were read.
  private var rewindsAfterReading = true
  private var candidate: DuplicatesState.Candidate?
  private var content: MergeView.Content?
  private var layout: MergeView.Layout?

  init(environment: AppEnvironment) {
    self.environment = environment
    view = MergeView(theme: environment.theme, strings: environment.strings)
  }

  // MARK: State

  func open() {
    isOpen = true
    rewind()
  }

  func close() { isOpen = false }

  /// Drops the contacts, which are read again before they are next drawn.
  func invalidate() { content = nil }

  /// The contact whose column is focused; nil if none is compared.
  var focusedID: Int64? {
    guard let ids = content?.draft.ids, ids.indices.contains(focus.column) else { return nil }
    return ids[focus.column]
  }

  func move(rows: Int = 0, columns: Int = 0) {
    guard let content else { return }
    focus.row = min(max(0, focus.row + rows), max(0, content.table.rows.count - 1))
    focus.column = min(max(0, focus.column + columns), content.names.count - 1)
  }

  /// Focuses the first field whose value can be chosen, or else the first field.
  private func rewind() {
    focus = MergeView.Focus(row: content?.table.firstChoice ?? 0)
    top = 0
    rewindsAfterReading = content == nil
  }

  /// Chooses the focused value for the merged contact.
  /// - Returns: a message if the value cannot be chosen.
  func applySelection(to draft: inout MergeDraft?) -> String? {
    guard let content, content.table.rows.indices.contains(focus.row), let id = focusedID else { return nil }
    let (row, strings) = (content.table.rows[focus.row], environment.strings)
    guard let part = row.part else {
      let key = environment.keys.label(of: .mergeMain, in: .merge)
      return row.isOtherPhoto ? strings("duplicates.photoStays", key) : strings("duplicates.nothingToChoose")
    }
    if row.cells[focus.column].isEmpty { return strings("duplicates.hasNothing") }
    if content.draft.leftOut.contains(id) { return strings("duplicates.isLeftOut") }
    draft?.choose(part, from: id)
    return nil
  }

  /// Focuses the pressed value, or at least its field; the wheel moves the focus by rows.
  /// - Returns: true if the wheel was turned, or a value was pressed.
  func handle(_ mouse: Mouse) -> Bool {
    guard let layout, layout.rect.contains(mouse.position) else { return false }
    switch mouse.action {
    case .wheelDown: move(rows: 1)
    case .wheelUp: move(rows: -1)
    case .press where mouse.button == 0:
      guard let target = layout.target(at: mouse.position) else { return false }
      focus.row = target.row
      guard let column = target.column else { return false }
      focus.column = column
    case .press, .release, .drag: return false
    }
    return true
  }

  // MARK: Drawing

  /// Lays out the contacts of a candidate, which are read again if they or the user's decisions have changed.
  func prepare(
    _ candidate: DuplicatesState.Candidate?, _ draft: MergeDraft?, _ actions: DuplicateActions, in rect: Rect
  ) {
    guard let candidate, let draft, !rect.isEmpty else { return layout = nil }
    if content == nil || content?.draft != draft || self.candidate != candidate {
      if self.candidate?.ids != candidate.ids { rewindsAfterReading = true }
      self.candidate = candidate
      content = read(candidate, draft, actions)
      if rewindsAfterReading { rewind() }
    }
    move()
    layout = content.map { view.layout($0, focus: isOpen ? focus : nil, from: top, in: rect) }
    top = layout?.top ?? 0
  }

  /// Reads the content to draw; nil if a contact was just deleted and the list has not been updated, or if the book
  /// cannot be read.
  private func read(
    _ candidate: DuplicatesState.Candidate, _ draft: MergeDraft, _ actions: DuplicateActions
  ) -> MergeView.Content? {
    let strings = environment.strings
    do {
      let contacts = try environment.book.contacts(ids: draft.ids)
      let merge = try environment.book.mergePreview(
        draft.merged, choices: draft.choices, localization: strings.localization)
      guard contacts.map(\.id) == draft.ids else { return nil }
      return MergeView.Content(
        table: MergeTable(contacts, draft, merge, strings: strings), draft: draft,
        names: contacts.map(actions.parts.name), reason: MergeText(strings: strings).reason(of: candidate),
        total: candidate.ids.count)
    } catch {
      if case EditError.missing = error { return nil }
      actions.status.show(reading: error)
      return nil
    }
  }

  func draw(on canvas: inout Canvas) {
    if let layout { view.draw(layout, on: &canvas) }
  }
}

/// The columns of the contacts and of the merged contact. If there is not enough room for all contacts, those around
/// the focused one are shown.
struct MergeColumns {
  /// The column of a contact. Its text begins after the marker.
  struct Column {
    let contact: Int
    let start: Int
    /// The number of columns of its text.
    let columns: Int
  }

  /// The number of columns for the names of the fields.
  let label: Int
  let contacts: [Column]
  let merged: (start: Int, columns: Int)
  private let total: Int

  private static let narrowest = 18

  init(_ content: MergeView.Content, _ focus: MergeView.Focus?, in rect: Rect) {
    let names = content.table.rows.map { TextWidth.columns(of: $0.name) }.max() ?? 0
    label = min(names + 2, rect.columns / 5)
    total = content.names.count
    // One column on the right for the scroll bar.
    let room = rect.columns - MergeView.marker - label - 1
    let shown = min(total, max(1, room / Self.narrowest - 1))
    let first = min(max(0, (focus?.column ?? 0) - shown / 2), total - shown)
    let each = room / (shown + 1)
    let start = rect.column + MergeView.marker + label
    let columns = max(1, each - MergeView.marker - 1)
    contacts = (0..<shown).map { Column(contact: first + $0, start: start + $0 * each, columns: columns) }
    merged = (start + shown * each, columns)
  }

  /// Returns which contacts are shown; empty if all are.
  func shownText(_ strings: Strings) -> String {
    guard contacts.count < total, let first = contacts.first else { return "" }
    return Self.text(first.contact, contacts.count, total, strings)
  }

  static func text(_ first: Int, _ count: Int, _ total: Int, _ strings: Strings) -> String {
    strings("duplicates.columns", String(first + 1), String(first + count), String(total))
  }
}

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
