import AddressBookModel
import BookSearching
import Contacts
import IDSets
import ResultsController

/// Filtering of the list by a search, a group, a folder or a collection. A filter gives the controller a set of ids,
/// and the resulting change comes back as an update like any other.
extension ContactList {
  /// Filters the list.
  /// - Parameter target: the contact to select; nil for the best match, if the filter has a search; of equally good ones,
  ///   the first in the list.
  func setFilter(_ new: ContactFilter, selecting target: Int64? = nil) {
    var request = asked
    if new.collection != filter.collection { request.collectionOrder = new.collection?.order }
    request.filter = new
    request.isCorrected = false
    pending = request
    guard !new.isEmpty else {
      search.cancel()
      indexingProgress = nil
      send(request, ids: nil, awaiting: target.map { .contact($0, line: nil) })
      return
    }
    if !new.query.isEmpty || new.needsIndex { buildIndex() }
    search(selecting: target, orBest: true)
  }

  /// Takes over the name and the color of the displayed folder, which anyone may have changed.
  func refreshFolder() throws(StoreError) {
    guard let shown = filter.folder, try !book.isCurrent(shown),
      let folder = try book.folders().first(where: { $0.id == shown.id })
    else { return }
    discardDetail()
    setFilter(ContactFilter(query: filter.query, folder: folder), selecting: selectedID)
  }

  /// Runs the filter; a newer search replaces this one.
  private func search(selecting target: Int64?, orBest: Bool) {
    let deliver = deliver
    let requested = filter
    search.find(
      requested.query, group: requested.group, folder: requested.folder?.id, collection: requested.collection,
      options: searchOptions
    ) { [weak self] result in
      deliver {
        guard let self, self.filter == requested else { return }
        self.indexingProgress = nil
        switch result {
        case .success(let answer):
          var request = self.asked
          request.isCorrected = answer.isCorrected
          self.pending = request
          let awaited = target.map { Awaited.contact($0, line: nil) } ?? (orBest ? .best(answer.best) : nil)
          self.send(request, ids: answer.matches, awaiting: awaited)
        case .failure(let error): self.report(error)
        }
      }
    }
  }

  /// Builds the search index in the background, once: after the first frame, or when something needs it earlier.
  func buildIndex() {
    guard !isIndexRequested else { return }
    isIndexRequested = true
    readIndex()
  }

  private func readIndex() {
    let deliver = deliver
    search.build(
      progress: { [weak self] progress in
        guard progress.done.isMultiple(of: 16_384) else { return }
        deliver { if let self, !self.filter.query.isEmpty { self.indexingProgress = progress } }
      },
      completion: { [weak self] error in
        deliver {
          self?.indexingProgress = nil
          if let error { self?.report(error) }
        }
      })
  }

  /// Makes the search and the filter follow what was written.
  func follow(_ writes: ResultsWrites) {
    onEvent(.written(writes))
    let changed = Array(writes.inserted.union(writes.updated))
    if writes.mayLackUpdates { matches = [:] } else { discardContacts(changed) }
    let deliver = deliver
    let refresh: @MainActor @Sendable () -> Void = { [weak self] in
      guard let self, !self.filter.isEmpty else { return }
      self.search(selecting: nil, orBest: false)
    }
    guard isIndexRequested else {
      refresh()
      return
    }
    if writes.mayLackUpdates { readIndex() }
    search.update(changed: changed, removed: Array(writes.deleted)) { _ in deliver(refresh) }
  }
}

/// The filter of the list: a search, a scope (a group, folder or collection), both, or neither.
struct ContactFilter: Equatable {
  /// The text in the search field.
  var query = ""
  /// The name of the displayed group.
  var group: String?
  var folder: ContactFolder?

  var collection: ContactCollection?
  /// The name to show instead of the group's own; required for a collection.
  var title: String?

  /// The name of the displayed group, folder or collection; nil for all contacts.
  var scope: String? { title ?? group ?? folder?.name }

  /// True for a smart group that is defined by a search.
  var needsIndex: Bool { if case .found(.search)? = collection { true } else { false } }

  /// True if all contacts are shown.
  var isEmpty: Bool { scope == nil && BookSearch.isEmptyQuery(query) }

  /// True if a contact that was just added may not be in the displayed group or collection.
  func mayLack(new contact: Contact) -> Bool {
    switch collection {
    case .recentlyChanged, .birthdays, .found: true
    case .recentlyAdded, nil: group.map { !contact.groups.contains($0) } ?? false
    }
  }

  /// The same scope with another search.
  func searching(_ query: String) -> ContactFilter {
    var filter = self
    filter.query = query
    return filter
  }
}
