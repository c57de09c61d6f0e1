import AddressBookModel
import BookInterchange
import Contacts
import IDSets
import ResultsController

/// The order of the list.
extension ContactList {
  /// Changes what the list is sorted by; the selected contact stays selected, on its line. The new order arrives as an
  /// update like any other, a moment later in a big book.
  func sort(by new: ContactSortOrder) {
    currentOrder = new
    show(request: request(ids: controller.request.ids))
  }

  /// The order that the list has or will have: that of the collection, or else the chosen one.
  var currentOrder: ContactSortOrder {
    get { collectionOrder ?? order }
    set { if collectionOrder == nil { order = newValue } else { collectionOrder = newValue } }
  }

  /// Takes over the order of the collection that is shown next; the chosen order comes back after it.
  func adoptCollectionOrder() {
    guard filter.collection != orderedCollection else { return }
    orderedCollection = filter.collection
    collectionOrder = filter.collection?.order
  }

  /// The day from which birthdays are counted, in the collection of those that come next.
  private var firstDay: CalendarDay? {
    if case .birthdays(let day, _) = orderedCollection { day } else { nil }
  }

  private func request(sortedBy order: ContactSortOrder) -> ResultsRequest {
    .contacts(sortedBy: order, names: names, sections: sections, from: firstDay)
  }

  /// The request for the current order.
  /// - Parameter ids: the contacts to which the list is limited; nil for all.
  func request(ids: IDSet?) -> ResultsRequest {
    var request = request(sortedBy: currentOrder)
    request.ids = ids
    return request
  }

  /// Sets a request.
  /// - Parameter done: called when the controller has dealt with the request, even if the list did not change.
  func show(request: ResultsRequest, done: @escaping @MainActor @Sendable () -> Void = {}) {
    requests += 1
    let number = requests
    isReordering = needsSorting(by: currentOrder)
    do {
      try controller.setRequest(request) { [weak self] in
        MainActor.assumeIsolated { self?.finish(number, done) }
      }
    } catch {
      finish(number, done)
      report(error)
    }
  }

  private func finish(_ number: Int, _ done: @MainActor @Sendable () -> Void = {}) {
    if number == requests {
      isReordering = false
      // The list still has its old order if the new one could not be read, which is reported, or must wait for another
      // connection's lock.
      currentOrder = shownOrder
    }
    done()
  }

  /// True if the list is not in that order yet. The rows of the first screen are always read in the order of names, for
  /// which there is an index.
  func needsSorting(by new: ContactSortOrder) -> Bool {
    snapshot.request?.sortKeys != request(sortedBy: new).sortKeys
  }

  /// Records the order of the list that is now shown.
  func recordShownOrder() {
    let keys = snapshot.request?.sortKeys
    shownOrder = ContactSortOrder.allCases.first { request(sortedBy: $0).sortKeys == keys } ?? .name
    if !isReordering { currentOrder = shownOrder }
    layout.firstDay = shownOrder == .birthday ? firstDay : nil
    if case .recentlyChanged = orderedCollection {
      layout.showsChanges = shownOrder == .changed
    } else {
      layout.showsChanges = false
    }
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
    if order == .name, names == NameStyle() { return contacts(in: sections) }
    var section = order.section(names: names, from: day)
    if order == .name, let key = order.terms(names: names).last {
      section = sections.key(section: section, sortKey: key.sql)
    }
    return ResultsRequest(
      table: "contact", filter: .sql(ContactSortOrder.condition), sectionKey: .expression(section),
      sortKeys: order.terms(names: names, from: day).map { .expression($0.sql, ascending: $0.ascending) }, pageSize: 40,
      columns: ContactRow.columns)
  }

  /// All contacts that are not deleted, by name, in the order of a database index.
  static func contacts(in sections: ContactSections) -> ResultsRequest {
    ResultsRequest(
      table: "contact", filter: .sql("deleted_at IS NULL"),
      sectionKey: sections == .latin ? .column("section") : .expression(sections.key()),
      sortKeys: [SortKey("section"), SortKey("sort_key")], pageSize: 40,
      sectionCounts: SectionCounts(sql: sections.countsSQL), columns: ContactRow.columns)
  }
}

/// Every change to the list, by this program or another, arrives as an update of the results controller.
extension ContactList {
  /// Applies an update. The selection follows its contact, unless another one is awaited. The first visible row follows
  /// its contact, or keeps the selected contact on its line if the list was reordered.
  func apply(_ update: ResultsUpdate) {
    let line = update.isReordered ? selectedRow.flatMap { viewport.line(ofRow: $0, top: top) } : nil
    let isUntouched = selectedRow == 0 && awaitedID == nil && !update.before.isComplete && shownOrder != currentOrder
    recordShownOrder()
    if !update.keepsRows, !update.isReordered {
      let changes = update.changes
      discardContacts(changes.updates.map(\.id) + changes.moves.map(\.id) + changes.deletes.map(\.id))
    }
    discardOutdatedMatches()
    var state = ListState(top: top, height: 1, focus: selectedID)
    state.apply(update)
    viewport = ListViewport(counts: update.after.sections.map(\.count))
    top = state.top
    if let best = awaitedBest, let first = update.after.firstID(in: best) {
      awaitedID = first
      // A search begins at its first match.
      top = 0
    }
    if let awaited = awaitedID, let row = update.after.flatRow(ofID: awaited) {
      awaitedID = nil
      awaitedBest = nil
      selectedID = awaited
      selectedRow = row
      if let line = awaitedLine { top = max(0, row - line) }
      awaitedLine = nil
    } else {
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
