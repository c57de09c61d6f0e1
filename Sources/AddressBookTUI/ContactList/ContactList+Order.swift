import AddressBookModel
import BookInterchange
import Contacts
import IDSets
import ResultsController

/// A list that was asked for: which contacts, in which order.
struct ListRequest: Equatable {
  var filter = ContactFilter()
  /// The order that the user chose; a collection may have another one.
  var chosenOrder = ContactSortOrder.name
  /// The order of the displayed collection; nil if it has none of its own, or if there is no collection.
  var collectionOrder: ContactSortOrder?
  /// True if nothing matches the search, and the list has what matches without one typing error.
  var isCorrected = false

  /// The order: that of the collection, or else the chosen one, which comes back after the collection.
  var order: ContactSortOrder {
    get { collectionOrder ?? chosenOrder }
    set { if collectionOrder == nil { chosenOrder = newValue } else { collectionOrder = newValue } }
  }

  /// The day from which birthdays are counted, in the collection of those that come next.
  var firstDay: CalendarDay? {
    if case .birthdays(let day, _) = filter.collection { day } else { nil }
  }
}

/// What the list is asked for, and what it shows.
extension ContactList {
  /// A request that the controller works on.
  struct SentRequest {
    let number: Int
    let list: ListRequest
    let results: ResultsRequest
  }

  /// Changes what the list is sorted by; the selected contact stays selected, on its line. The new order arrives as an
  /// update like any other, a moment later in a big book.
  func sort(by new: ContactSortOrder) {
    // A search that is not answered yet sends its own contacts in the new order.
    var (wanted, next) = (asked, sent?.list ?? shown)
    wanted.order = new
    next.order = new
    pending = wanted
    send(next, ids: controller.request.ids)
  }

  /// True until the list has the order that it was asked for.
  var isReordering: Bool { sent != nil && needsSorting(by: asked.order) }

  /// True if the list is not in that order yet. The rows of the first screen are always read in the order of names, for
  /// which there is an index.
  func needsSorting(by new: ContactSortOrder) -> Bool {
    snapshot.request?.sortKeys != results(of: asked, sortedBy: new).sortKeys
  }

  private func results(of list: ListRequest, sortedBy order: ContactSortOrder) -> ResultsRequest {
    .contacts(sortedBy: order, names: names, sections: sections, from: list.firstDay)
  }

  /// Asks the controller for a list.
  /// - Parameters:
  ///   - ids: the contacts to which it is limited; nil for all.
  ///   - new: what to select as soon as the list has it; nil to leave that as it is. It is not selected in the previous
  ///     list, where its row would be looked up, read and drawn for a moment.
  func send(_ list: ListRequest, ids: IDSet?, awaiting new: Awaited? = nil) {
    if let new { awaited = new }
    var request = results(of: list, sortedBy: list.order)
    request.ids = ids
    requests += 1
    let number = requests
    sent = SentRequest(number: number, list: list, results: request)
    do {
      try controller.setRequest(request) { [weak self] in
        MainActor.assumeIsolated { self?.finish(number) }
      }
    } catch {
      finish(number)
      report(error)
    }
  }

  /// Called when the controller has dealt with a request, even if the list is the same as before. The list still has
  /// its old order if the new one could not be read, which is reported, or must wait for another connection's lock.
  private func finish(_ number: Int) {
    guard let done = sent, done.number == number else { return }
    shown = done.list
    recordShownOrder()
    sent = nil
    if pending == done.list { pending = nil }
    selectAwaited(in: snapshot)
    if pending == nil { onEvent(.answered) }
  }

  /// Records which request the list now answers, and its order.
  private func recordShown() {
    if let sent, snapshot.request == sent.results { shown = sent.list }
    recordShownOrder()
  }

  private func recordShownOrder() {
    let keys = snapshot.request?.sortKeys
    shown.order = ContactSortOrder.allCases.first { results(of: shown, sortedBy: $0).sortKeys == keys } ?? .name
  }
}

extension ResultsRequest {
  /// All contacts that are not deleted, in the given order.
  /// - Parameters:
  ///   - names: how names are displayed.
  ///   - sections: how names are divided into sections.
  ///   - day: the day whose birthdays come first; nil for 1 January.
  static func contacts(
    sortedBy order: ContactSortOrder, names: NameStyle, sections: ContactSections = .latin, from day: CalendarDay? = nil
  ) -> ResultsRequest {
    if order == .name, names == NameStyle(), sections.index == nil { return contacts(in: sections) }
    let terms = order.terms(names: names, from: day, in: sections.index)
    var section = order.section(names: names, from: day, in: sections.index)
    if order == .name, let key = terms.last { section = sections.key(section: section, sortKey: key.sql) }
    return ResultsRequest(
      table: "contact", filter: .sql(ContactSortOrder.condition), sectionKey: .expression(section),
      sortKeys: terms.map { .expression($0.sql, ascending: $0.ascending) }, pageSize: 40,
      columns: ContactRow.columns)
  }

  /// All contacts that are not deleted, by name, in the order of a database index: that of the book, not of a locale.
  static func contacts(in sections: ContactSections) -> ResultsRequest {
    ResultsRequest(
      table: "contact", filter: .sql("deleted_at IS NULL"),
      sectionKey: sections == .scripts ? .expression(sections.key()) : .column("section"),
      sortKeys: [RowSortKey("section"), RowSortKey("sort_key")], pageSize: 40,
      sectionCounts: SectionCounts(sql: sections.countsSQL), columns: ContactRow.columns)
  }
}

/// Every change to the list, by this program or another, arrives as an update of the results controller.
extension ContactList {
  /// Applies an update. The selection follows its contact, unless another one is awaited. The first visible row follows
  /// its contact, or keeps the selected contact on its line if the list was reordered.
  func apply(_ update: ResultsUpdate) {
    let line = update.isReordered ? selectedRow.flatMap { viewport.line(ofRow: $0, top: top) } : nil
    let isUntouched =
      selectedRow == 0 && awaited == nil && !update.before.isComplete
      && update.before.request?.sortKeys != update.after.request?.sortKeys
    recordShown()
    if !update.keepsRows, !update.isReordered {
      let changes = update.changes
      discardContacts(changes.updates.map(\.id) + changes.moves.map(\.id) + changes.deletes.map(\.id))
    }
    var state = ListState(top: top, height: 1, focus: selectedID)
    state.apply(update)
    viewport = ListViewport(counts: update.after.sections.map(\.count))
    top = state.top
    if !selectAwaited(in: update.after) {
      selectedID = state.focus
      selectedRow = selectedID.flatMap(update.after.flatRow(ofID:))
    }
    // Until now the list showed the first rows of another order.
    if isUntouched { select(row: 0, height: 2) }
    if let line, let selectedRow { top = viewport.top(showing: selectedRow, onLine: line) }
    if selectedRow == nil {
      selectedID = nil
      select(row: min(top, rowCount - 1), height: 2)
    }
    HeapTrimming.trim(after: update)
    onEvent(.applied)
  }
}
