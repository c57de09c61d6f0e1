import AddressBookModel
import BookInterchange
import BookSearching
import Contacts
import Dispatch
import IDSets
import ResultsController
import TerminalKit

/// The list of contacts: combines the results controller, which knows rows and changes, with the book, which knows
/// contacts.
///
/// It keeps the visible rows, and the id of the selected contact. All changes to the list, by anyone, arrive in one
/// place (`ContactList+Changes`). `ContactList+Filter` filters the list.
@MainActor
final class ContactList {
  /// Runs work on the main thread; callable from any thread.
  typealias Deliver = @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

  let book: AddressBook
  let deliver: Deliver
  let search: BookSearch
  let controller: FetchedRecordsController<ContactRow>
  /// The displayed list.
  var snapshot: ResultsSnapshot { controller.snapshot }
  /// The lines of headers and rows of the snapshot.
  /// How many rows stay visible above and below the selected one.
  var scrollOff = 0
  var viewport = ListViewport(counts: []) {
    didSet {
      revision += 1
      knownTitles = nil
    }
  }
  /// What the list shows.
  var shown = ListRequest() {
    didSet { if shown != oldValue { follow(from: oldValue) } }
  }
  /// What the controller works on.
  var sent: SentRequest?
  /// What the list is to show, from the question until the controller has dealt with it; nil if there is nothing.
  var pending: ListRequest?
  /// Counts the requests, to identify the newest.
  var requests = 0
  /// What the list shows or is to show.
  var asked: ListRequest { pending ?? shown }
  /// What was last asked to be shown.
  var filter: ContactFilter { asked.filter }
  /// How names are displayed and sorted; set before ``start()``.
  var names = NameStyle()
  var layout = ListLayout() {
    didSet { if layout != oldValue { revision += 1 } }
  }
  /// Whether commonly confused sounds are treated as equal, and whether digits also match the letters on their phone keys.
  var searchOptions = BookSearch.Options()
  /// The progress of the search index while a search waits for it.
  var indexingProgress: BookSearch.Progress?
  var isIndexRequested = false
  /// False until the first rows have been read.
  var isLoaded = false
  var selectedID: Int64?
  /// Flat index of the selected row (see ``ListViewport``).
  var selectedRow: Int?
  /// Flat index of the first visible row.
  var top = 0
  /// Increases with every change to the list or to the displayed contacts.
  private var revision = 0
  /// The visible lines; up to date if `visibleKey` is.
  private var visible = VisibleLines()
  private var visibleKey: VisibleKey?
  private var knownTitles: SectionTitles?
  /// The search matches in contacts that are or were visible, keyed by id.
  var matches: [Int64: [ContactMatch]] = [:] {
    didSet { revision += 1 }
  }
  /// The whole contacts of lines that cannot be made from a `ContactRow` alone, keyed by id.
  private var wholes: [Int64: Contact] = [:]
  /// The favorites among the contacts that are or were visible.
  private var favorites: Set<Int64> = []
  /// The last changes to visible contacts, if the list shows them, with the versions of the contacts.
  private var lastChanges: [Int64: (version: Int, change: ContactChange?)] = [:]
  /// The contact shown in the detail: the selected one, or briefly the previous one; nil if there is none.
  private(set) var detailContact: Contact? {
    didSet { detailRevision += 1 }
  }
  /// Increases whenever the detail may have changed: its contact, or whether that is damaged.
  private(set) var detailRevision = 0
  /// Something to be selected as soon as the list has it.
  enum Awaited: Equatable {
    /// A contact, and how many rows below the first visible one it is to be; nil to scroll as little as possible.
    case contact(Int64, line: Int?)
    /// The first in the list of the best matches.
    case best(IDSet)
  }

  var awaited: Awaited?
  /// What the screen follows.
  enum Event {
    /// Rows were written, by anyone.
    case written(ResultsWrites)
    /// The list was updated: for another filter or order, or because anyone changed the book.
    case applied
    /// The list shows what it was last asked for.
    case answered
    /// A contact was found to be damaged, or one of several damaged contacts no longer is.
    case damaged
    /// The list, the search or a contact could not be read.
    case failed(any Error)
  }

  var onEvent: @MainActor (Event) -> Void = { _ in }
  /// True after the first frame.
  private var isFirstFrameShown = false

  /// How names are divided into sections.
  let sections: ContactSections

  init(book: AddressBook, sections: ContactSections = .latin, deliver: @escaping Deliver) {
    self.book = book
    self.sections = sections
    self.deliver = deliver
    search = BookSearch(book: book)
    controller = Self.controller(book, sections, deliver)
    book.damage.onChange { [weak self] in deliver { self?.noteDamage() } }
  }

  /// Lays out the lines for the request that is now shown. Until then they keep the matches of the previous search:
  /// finding the new ones in the old rows would take as long as in the new ones.
  private func follow(from previous: ListRequest) {
    layout.order = shown.order
    layout.firstDay = shown.order == .birthday ? shown.firstDay : nil
    if case .recentlyChanged = shown.filter.collection {
      layout.showsChanges = shown.order == .changed
    } else {
      layout.showsChanges = false
    }
    if shown.filter.query != previous.filter.query || shown.isCorrected != previous.isCorrected { matches = [:] }
  }

  // MARK: Lifetime

  /// Reads the first rows at once; the rest waits for ``readRest()``.
  func start() {
    // Contacts that the list does not show count too: they may come to match the search, or lose their marks.
    controller.listen(includesWrites: true) { [weak self] event in
      MainActor.assumeIsolated {
        switch event {
        case .written(let writes): self?.follow(writes)
        case .changed(let update): self?.apply(update)
        case .failed(let error): self?.report(error)
        }
      }
    }
    do {
      try controller.performFetch(.firstRows)
      isLoaded = true
      viewport = ListViewport(counts: snapshot.sections.map(\.count))
      select(row: 0, height: 2)
    } catch {
      report(error)
    }
  }

  /// Reads the rest of the list in the background, once the first rows are on the screen.
  func readRest() {
    controller.fetchRest()
    isFirstFrameShown = true
  }

  /// Reports an error, as a `StoreError` if it is one of the database: the controller does not know whose it is.
  func report(_ error: any Error) {
    if case ResultsError.database(let code, let message) = error {
      onEvent(.failed(book.storeError(code: code, message: message)))
    } else {
      onEvent(.failed(error))
    }
  }

  /// Updates the lines and the detail after a contact was found to be damaged, or no longer is.
  func noteDamage() {
    revision += 1
    detailRevision += 1
    if !book.damage.isEmpty { onEvent(.damaged) }
  }

  func stop() {
    search.cancel()
    controller.stopTracking()
  }

  /// A controller of all contacts that delivers to the main thread.
  private static func controller(
    _ book: AddressBook, _ sections: ContactSections, _ deliver: @escaping Deliver
  ) -> FetchedRecordsController<ContactRow> {
    FetchedRecordsController(
      book.database, request: .contacts(in: sections), tracking: .contacts,
      titles: { value in
        guard case .integer(let number) = value else { return "" }
        return ContactSection(value: number).flatMap(sections.title) ?? ""
      },
      deliver: .mainActor(by: deliver))
  }

  // MARK: Content

  var rowCount: Int { viewport.rowCount }

  /// True if the list of the whole book has no contacts. False while a filter is set, and until its result is no longer
  /// displayed.
  var isBookEmpty: Bool {
    filter.isEmpty && isLoaded && rowCount == 0 && snapshot.request.map { $0.ids == nil } ?? true
  }

  var indexTitles: [String] { titles.bar }

  /// Ordinals of the titles of sections with contacts.
  var presentTitles: [Int] { titles.present }

  /// Ordinal of the section title of the selected contact, or of the first visible one if none is selected; nil if the
  /// list is empty, or if the index bar has no title for the section.
  var currentTitle: Int? {
    guard rowCount > 0 else { return nil }
    let section = viewport.section(ofRow: min(selectedRow ?? top, rowCount - 1))
    return titles.ordinals.indices.contains(section) ? titles.ordinals[section] : nil
  }

  var titles: SectionTitles {
    if let knownTitles { return knownTitles }
    let titles = SectionTitles(snapshot.sections, in: shown.order, sections)
    knownTitles = titles
    return titles
  }

  /// Reads the data for drawing that many lines.
  func prepare(height: Int) {
    scrollIntoRange(height: height)
    do {
      try loadRows(height: height)
    } catch {
      report(error)
    }
  }

  /// The id of the contact on a row, if the row is visible.
  func visibleID(ofRow row: Int) -> Int64? {
    guard visibleKey?.revision == revision, let index = visible.index(ofRow: row) else { return nil }
    return visible.contacts[index]?.id
  }

  /// The ids of the contacts on the lines of the list as last drawn.
  var visibleIDs: [Int64] { visible.contacts.compactMap(\.?.id) }

  /// Reads the selected contact with all its values.
  func prepareDetail() {
    guard let id = selectedID else { return discardDetail() }
    guard detailContact?.id != id else { return }
    do {
      detailContact = try book.contact(id: id)
    } catch {
      // The contact from before is not the selected one.
      discardDetail()
      report(error)
    }
  }

  /// Clears the detail. If it is shown, its contact is read again.
  func discardDetail() {
    if detailContact != nil { detailContact = nil }
  }

  func lines(marked: IDSet, strings: Strings) -> ListLines {
    if !visible.areTextsComplete { completeTexts(strings) }
    var lines = ListLines(texts: visible.texts, revision: visible.revision)
    lines.selected = selectedRow.flatMap(visible.index(ofRow:))
    guard !marked.isEmpty else { return lines }
    for index in visible.lines.indices {
      if let id = visible.contacts[index]?.id, marked.contains(id) { lines.marked.insert(index) }
    }
    return lines
  }

  private func completeTexts(_ strings: Strings) {
    let sections = snapshot.sections
    for index in visible.lines.indices where visible.texts[index] == .placeholder {
      switch visible.lines[index] {
      case .header(let section) where sections.indices.contains(section):
        visible.texts[index] = .header(
          title: SectionTitles.header(sections[section], strings), count: strings.number(sections[section].count))
      case .row:
        guard let contact = visible.contacts[index] else { continue }
        var row = ListRow(
          contact, whole: wholes[contact.id], names: names,
          others: layout.others.map { text(of: $0, contact.id, strings) }, matches: matches[contact.id] ?? [],
          isDamaged: book.damage.has(contact.id), strings: strings)
        row.isFavorite = favorites.contains(contact.id)
        visible.texts[index] = .row(row)
      case .header: continue
      }
    }
    visible.areTextsComplete = true
  }

  /// The text of a column that is made from the whole contact.
  private func text(of column: ContactColumn, _ id: Int64, _ strings: Strings) -> String {
    guard let contact = wholes[id] else { return "" }
    switch column {
    case .field(.birthday):
      guard let birthday = contact.birthday else { return "" }
      let text = DateText(strings: strings)
      return layout.firstDay.map { text.upcoming(birthday, from: $0) } ?? text.text(of: birthday)
    case .modified where layout.showsChanges:
      let what = lastChanges[id]?.change?.summary(in: strings.localization)
      return [column.localText(of: contact), what].compactMap(\.self).joined(separator: "  ")
    default: return column.localText(of: contact)
    }
  }

  /// The whole selected contact, read if necessary; nil if it is gone or none is selected.
  func selectedContact() throws(StoreError) -> Contact? {
    guard let id = selectedID else { return nil }
    if detailContact?.id == id { return detailContact }
    return try book.contact(id: id)
  }

  /// The whole selected contact; nil also if it cannot be read, which is reported.
  func contactForAction() -> Contact? {
    do {
      return try selectedContact()
    } catch {
      report(error)
      return nil
    }
  }

  /// Drops cached data of contacts that were written.
  func discardContacts(_ ids: some Sequence<Int64>) {
    for id in ids {
      matches[id] = nil
      // The time of the last contact changes without the version.
      wholes[id] = nil
      if detailContact?.id == id { detailContact = nil }
    }
  }

  /// Adjusts the first visible row to the window.
  private func scrollIntoRange(height: Int) {
    guard rowCount > 0 else {
      top = 0
      return
    }
    if let selectedRow { top = viewport.top(showing: selectedRow, from: top, height: height) }
    top = min(max(0, top), viewport.lastTop(height: height))
  }

  /// A row; nil if it was just deleted and the change has not arrived yet.
  private func contactRow(at row: Int) throws(ResultsError) -> ContactRow? {
    do {
      return try controller.object(atFlatRow: row)
    } catch {
      if case .rowGone = error { return nil }
      throw error
    }
  }

  private func loadRows(height: Int) throws {
    let key = VisibleKey(top: top, height: height, revision: revision)
    guard visibleKey != key else { return }
    let before = visibleKey?.revision == revision ? visible : VisibleLines()
    visibleKey = nil
    var read: [ContactRow] = []
    visible = VisibleLines(lines: viewport.lines(top: top, height: height), revision: visible.revision + 1)
    for index in visible.lines.indices {
      guard let row = visible.lines[index].row else { continue }
      // After scrolling, most lines are still known.
      if let known = before.index(ofRow: row), let contact = before.contacts[known] {
        visible.contacts[index] = contact
        visible.texts[index] = before.texts[known]
      } else {
        visible.contacts[index] = try contactRow(at: row)
        if let contact = visible.contacts[index] { read.append(contact) }
      }
    }
    if !shown.filter.query.isEmpty { try loadMatches() }
    try loadWholes()
    try loadFavorites(among: read.map(\.id))
    try loadLastChanges()
    visibleKey = VisibleKey(top: top, height: height, revision: revision)
  }

  /// Reads the contacts whose lines cannot be made from a `ContactRow` alone.
  private func loadWholes() throws {
    guard !layout.others.isEmpty || names != NameStyle() else { return }
    let needed = visible.contacts.compactMap(\.self).filter { wholes[$0.id]?.version != $0.version }
    guard !needed.isEmpty else { return }
    if wholes.count > 1024 { wholes = [:] }
    for contact in try book.contacts(ids: needed.map(\.id)) { wholes[contact.id] = contact }
  }

  private func loadFavorites(among ids: [Int64]) throws {
    // The first frame does not wait for them; all rows are read again when the whole list is there.
    if ids.isEmpty || !isFirstFrameShown { return }
    favorites.subtract(ids)
    favorites.formUnion(try book.members(ofGroup: Favorites.group, among: ids))
  }

  private func loadLastChanges() throws {
    guard layout.showsChanges else { return }
    if lastChanges.count > 1024 { lastChanges = [:] }
    let needed = visible.contacts.compactMap(\.self).filter { lastChanges[$0.id]?.version != $0.version }
    guard !needed.isEmpty else { return }
    let found = try book.lastChanges(ofContacts: needed.map(\.id))
    for contact in needed { lastChanges[contact.id] = (contact.version, found[contact.id]) }
  }

  private func loadMatches() throws {
    if matches.count > 4096 { matches = [:] }
    let unknown = visible.contacts.compactMap(\.?.id).filter { matches[$0] == nil }
    guard !unknown.isEmpty else { return }
    let matcher = ContactMatcher(
      shown.filter.query, options: searchOptions, corrected: shown.isCorrected)
    let contacts = try book.contacts(ids: unknown)
    var found = matches
    for (contact, fields) in zip(contacts, matcher.matches(in: contacts, everywhere: true)) {
      found[contact.id] = fields
    }
    matches = found
  }

  /// The visible lines with their contacts and texts. Three arrays of the same length, because most keys only need
  /// the first.
  private struct VisibleLines {
    var lines: [ListViewport.Line] = []
    var contacts: [ContactRow?] = []
    /// Placeholders until the lines are drawn.
    var texts: [ListText] = []
    var areTextsComplete = false
    /// Differs for each set of visible lines.
    var revision = 0

    init() {}

    init(lines: [ListViewport.Line], revision: Int) {
      self.lines = lines
      contacts = Array(repeating: nil, count: lines.count)
      texts = Array(repeating: .placeholder, count: lines.count)
      self.revision = revision
    }

    /// The line of a row, by its flat index.
    func index(ofRow row: Int) -> Int? { lines.firstIndex { $0.row == row } }
  }

  /// Everything that the visible lines depend on.
  private struct VisibleKey: Equatable {
    var top: Int
    var height: Int
    var revision: Int
  }
}
