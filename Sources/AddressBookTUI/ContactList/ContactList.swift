import AddressBookModel
import Contacts
import Dispatch
import ResultsController
import TerminalKit

/// The list of people: joins the results controller, which knows rows and changes, with the book, which knows contacts.
///
/// It holds no rows of its own but the visible ones: it keeps who is selected by id and which row is at the top. Every
/// change, whoever made it, comes in through one door (`ContactList+Changes`). `ContactList+Filter` narrows the list.
@MainActor
final class ContactList {
  /// Puts work on the main thread, from any other.
  typealias Deliver = @Sendable (@escaping @MainActor @Sendable () -> Void) -> Void

  let book: AddressBook
  let deliver: Deliver
  let search: BookSearch
  let controller: ResultsController<ContactRow>
  /// The list as it is shown.
  var snapshot: ResultsSnapshot { controller.snapshot }
  /// Where headers and rows of the snapshot stand.
  var viewport = ListViewport(counts: []) {
    didSet {
      revision += 1
      knownTitles = nil
    }
  }
  /// What narrows the list.
  var filter = ContactFilter()
  /// Whether sounds that are often confused are taken as one.
  var searchesFuzzily = false
  /// Whether digits also stand for the letters on a phone's keys.
  var searchesByPhoneKeys = false
  /// How far the search index is while a search waits for it.
  var indexingProgress: BookSearch.Progress?
  /// True when the index is being built or stands.
  var isIndexWanted = false
  /// False until the first rows are there.
  var isLoaded = false
  /// Who is selected; nil when there is nobody.
  var selectedID: Int64?
  /// Flat position of the selected row.
  var selectedRow: Int?
  /// Flat position of the first visible row.
  var top = 0
  /// Grows with every change of the list or of what is said of its people.
  private var revision = 0
  /// The lines that a drawing needs, as of `visibleKey`.
  private var visible = VisibleLines()
  private var visibleKey: VisibleKey?
  private var knownTitles: SectionTitles?
  /// What the search matches in the contacts that were visible, by id.
  var matches: [Int64: [ContactMatch]] = [:] {
    didSet { revision += 1 }
  }
  /// The contact whose values the detail shows: the selected one, or for a moment the one before it.
  private(set) var detailContact: Contact? {
    didSet { detailRevision += 1 }
  }
  /// Grows whenever `detailContact` may be another.
  private(set) var detailRevision = 0
  /// Somebody to be selected as soon as a change brings them.
  var awaitedID: Int64?
  /// How many rows below the first visible one they are to stand; nil for wherever the screen need not move.
  var awaitedLine: Int?
  /// Who was deleted, by anyone; called once ``followWrites()`` was.
  var onDelete: @MainActor (Set<Int64>) -> Void = { _ in }
  /// Called after a change of the book, whoever made it.
  var onApplied: @MainActor () -> Void = {}
  /// Called when a contact turned out to be damaged.
  var onDamage: @MainActor () -> Void = {}
  /// The first picture waits for no checksums.
  private var isFirstPictureShown = false
  /// What went wrong while reading, for the status line.
  var onError: @MainActor (any Error) -> Void = { _ in }

  /// Titles of the index bar.
  let indexTitles = (0...26).map(AddressBook.sectionTitle)

  init(book: AddressBook, deliver: @escaping Deliver) {
    self.book = book
    self.deliver = deliver
    search = BookSearch(book: book)
    controller = Self.controller(book, deliver)
    book.damage.onChange { [weak self] in deliver { self?.noteDamage() } }
  }

  // MARK: Life

  /// Reads the first rows at once; the rest waits for ``readRest()``.
  func start() {
    controller.listen(
      onError: { [weak self] error in self?.onError(error) }, onChange: { [weak self] update in self?.apply(update) })
    do {
      try controller.performFetch(.firstRows)
      isLoaded = true
      viewport = ListViewport(counts: snapshot.sections.map(\.count))
      select(row: 0, height: 2)
    } catch {
      onError(error)
    }
  }

  /// Has the rest of the list read in the background, when the first rows stand on the screen.
  func readRest() {
    controller.fetchRest()
    isFirstPictureShown = true
    check(visible.contacts.compactMap(\.self))
  }

  /// Has rows that came to the screen compared with their checksums, on another thread: nobody waits for that.
  private func check(_ rows: [ContactRow]) {
    guard isFirstPictureShown, !rows.isEmpty else { return }
    let (book, deliver) = (book, deliver)
    DispatchQueue.global(qos: .utility).async { [weak self] in
      do {
        try book.check(rows)
      } catch {
        deliver { self?.onError(error) }
      }
    }
  }

  /// A contact turned out to be damaged, or to be so no longer: its line and its detail say it.
  func noteDamage() {
    revision += 1
    detailRevision += 1
    if !book.damage.isEmpty { onDamage() }
  }

  /// Ends tracking and searches.
  func stop() {
    search.cancel()
    controller.stopTracking()
  }

  /// A controller of everybody whose work is done on the main thread.
  private static func controller(_ book: AddressBook, _ deliver: @escaping Deliver) -> ResultsController<ContactRow> {
    ResultsController(
      book.database, request: .people, tracking: .contacts,
      titles: { value in
        guard case .integer(let ordinal) = value else { return "" }
        return AddressBook.sectionTitle(Int(ordinal))
      },
      deliver: .mainActor(by: deliver))
  }

  // MARK: What is shown

  /// Number of rows in the list.
  var rowCount: Int { viewport.rowCount }

  /// True when nobody is in the book.
  var isBookEmpty: Bool { filter.isEmpty && isLoaded && rowCount == 0 }

  /// Ordinals of the titles that have people.
  var presentTitles: [Int] { titles.present }

  /// Ordinal of the title of the selected person's section.
  var currentTitle: Int? {
    guard rowCount > 0 else { return nil }
    let section = viewport.section(ofRow: min(selectedRow ?? top, rowCount - 1))
    return titles.ordinals.indices.contains(section) ? titles.ordinals[section] : nil
  }

  private var titles: SectionTitles {
    if let knownTitles { return knownTitles }
    let titles = SectionTitles(snapshot.sections, among: indexTitles)
    knownTitles = titles
    return titles
  }

  /// Reads what a drawing of so many lines needs.
  func prepare(height: Int) {
    scrollIntoRange(height: height)
    do {
      try loadRows(height: height)
    } catch {
      onError(error)
    }
  }

  /// Who stands on a row, if it is on the screen.
  func visibleID(ofRow row: Int) -> Int64? {
    guard visibleKey?.revision == revision, let index = visible.index(ofRow: row) else { return nil }
    return visible.contacts[index]?.id
  }

  /// True when the person stands on a line of the list as it was last drawn.
  func isVisible(_ id: Int64) -> Bool { visible.contacts.contains { $0?.id == id } }

  /// Reads the selected contact with all its values.
  func prepareDetail() {
    guard let id = selectedID else { return forgetDetail() }
    guard detailContact?.id != id else { return }
    do {
      detailContact = try book.contact(id: id)
    } catch {
      onError(error)
    }
  }

  /// Nothing shows a detail, or nobody is selected.
  func forgetDetail() {
    if detailContact != nil { detailContact = nil }
  }

  /// The lines to draw.
  func lines(marked: Set<Int64>, strings: Strings) -> ListLines {
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
        visible.texts[index] = .header(title: sections[section].title, count: strings.number(sections[section].count))
      case .row:
        guard let contact = visible.contacts[index] else { continue }
        visible.texts[index] = .row(
          ListRow(
            contact, matches: matches[contact.id] ?? [], isDamaged: book.damage.has(contact.id), strings: strings))
      case .header: continue
      }
    }
    visible.areTextsComplete = true
  }

  /// The contact whose values the status line or the clipboard needs, read if it is not at hand.
  func contactForAction() -> Contact? {
    guard let id = selectedID else { return nil }
    if detailContact?.id == id { return detailContact }
    do {
      return try book.contact(id: id)
    } catch {
      onError(error)
      return nil
    }
  }

  /// Forgets what was read of people who were written.
  func forgetContacts(_ ids: some Sequence<Int64>) {
    for id in ids {
      matches[id] = nil
      if detailContact?.id == id { detailContact = nil }
    }
  }

  /// Brings the first visible row to what fits the window.
  private func scrollIntoRange(height: Int) {
    guard rowCount > 0 else {
      top = 0
      return
    }
    if let selectedRow { top = viewport.top(showing: selectedRow, from: top, height: height) }
    top = min(max(0, top), viewport.lastTop(height: height))
  }

  /// A row; nil when somebody deleted it a moment ago and the change that says so is on its way.
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
    defer { check(read) }
    visible = VisibleLines(lines: viewport.lines(top: top, height: height), revision: visible.revision + 1)
    for index in visible.lines.indices {
      guard let row = visible.lines[index].row else { continue }
      // A list that only scrolled brings most of its lines along.
      if let known = before.index(ofRow: row), let contact = before.contacts[known] {
        visible.contacts[index] = contact
        visible.texts[index] = before.texts[known]
      } else {
        visible.contacts[index] = try contactRow(at: row)
        if let contact = visible.contacts[index] { read.append(contact) }
      }
    }
    if !filter.query.isEmpty { try loadMatches() }
    visibleKey = VisibleKey(top: top, height: height, revision: revision)
  }

  private func loadMatches() throws {
    if matches.count > 4096 { matches = [:] }
    let unknown = visible.contacts.compactMap(\.?.id).filter { matches[$0] == nil }
    guard !unknown.isEmpty else { return }
    for contact in try book.contacts(ids: unknown) {
      matches[contact.id] = contact.matches(
        for: filter.query, options: .init(fuzzy: searchesFuzzily, t9: searchesByPhoneKeys), everywhere: true)
    }
  }

  /// The lines that are visible, the people on them and what they say. Three arrays of one length, since most keys need only
  /// the first.
  private struct VisibleLines {
    var lines: [ListViewport.Line] = []
    var contacts: [ContactRow?] = []
    /// A placeholder until the line was drawn.
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

    /// The line on which a row stands, by its flat position.
    func index(ofRow row: Int) -> Int? { lines.firstIndex { $0.row == row } }
  }

  /// What the visible lines depend on.
  private struct VisibleKey: Equatable {
    var top: Int
    var height: Int
    var revision: Int
  }

  /// The titles of the sections as ordinals of the index bar.
  private struct SectionTitles {
    /// One for each section; nil for a title that the bar does not have.
    let ordinals: [Int?]
    let present: [Int]

    init(_ sections: [SectionInfo], among titles: [String]) {
      ordinals = sections.map { titles.firstIndex(of: $0.title) }
      present = Set(ordinals.compactMap(\.self)).sorted()
    }
  }
}

extension ResultsRequest {
  /// Everybody who is not deleted, in sections.
  static let people = ResultsRequest(
    table: "contact", filter: .sql("deleted_at IS NULL"), sectionKey: .column("section"),
    sortKeys: [SortKey("section"), SortKey("sort_key")], pageSize: 40,
    sectionCounts: SectionCounts(sql: "SELECT section, count FROM section_count WHERE count > 0 ORDER BY section"))
}
