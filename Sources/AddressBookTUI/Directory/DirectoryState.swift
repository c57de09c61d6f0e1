import AddressBookModel
import Contacts
import LDAPDirectory
import TerminalKit

/// The content of a directory's screen: the answer to the newest search, the selection, and the marks.
struct DirectoryState {
  /// An entry, ready to be sorted.
  struct Entry: Sendable {
    let found: DirectoryContact
    /// The sort key that it would have in the book's list.
    let sortKey: [UInt8]

    init(_ found: DirectoryContact, names: NameStyle) {
      self.found = found
      sortKey = names.sortKey(of: found.contact)
    }
  }

  /// The state of a search.
  enum Phase: Equatable {
    /// Nothing was typed, or the search was stopped without results.
    case idle
    /// A search is running or about to start.
    case searching
    /// `isCut` is true if the server may have more than it sent.
    case done(isCut: Bool)
    case failed(DirectoryError)
  }

  private(set) var phase = Phase.idle
  /// Sorted by name.
  private(set) var entries: [Entry] = []
  /// Marked entries, by DN, including those that the newest search did not find.
  var marks = Marks<Set<String>>()
  /// The entries that are shown or marked, by DN.
  private var known: [String: Entry] = [:]
  var selection = ListSelection(count: 0)
  /// Changes with the entries.
  private(set) var revision = 0
  /// True while the results of the previous search are shown, until the first results of the newest search arrive.
  private var isOld = false
  /// How names are displayed, which decides the order of the entries.
  private let names: NameStyle

  init(names: NameStyle = NameStyle()) { self.names = names }

  var selected: DirectoryContact? {
    entries.indices.contains(selection.selected) ? entries[selection.selected].found : nil
  }

  /// The marked entries, sorted by name, or the selected one.
  var chosen: [DirectoryContact] {
    marks.chosen(selected: selected?.id).compactMap { known[$0] }.sorted(by: Self.isBefore).map(\.found)
  }

  // MARK: Searches

  /// Begins a search; the entries stay until its first results arrive.
  mutating func begin() {
    phase = .searching
    isOld = true
  }

  /// Removes the entries, because the search text was cleared.
  mutating func clear() {
    replace([])
    phase = .idle
    isOld = false
  }

  mutating func add(_ new: [Entry]) {
    if isOld {
      replace(new.sorted(by: Self.isBefore))
    } else {
      replace((entries + new).sorted(by: Self.isBefore), keepsSelection: true)
    }
    isOld = false
  }

  /// Records that the search ended; if it found nothing, the entries of the previous search are removed.
  mutating func end(isCut: Bool) {
    if isOld { replace([]) }
    isOld = false
    phase = .done(isCut: isCut)
  }

  /// Records that the search failed; results that have arrived stay.
  mutating func fail(_ error: DirectoryError) {
    if isOld { replace([]) }
    isOld = false
    phase = .failed(error)
  }

  /// Records that the search was stopped; results that have arrived stay.
  mutating func stop() {
    if isOld { replace([]) }
    isOld = false
    phase = entries.isEmpty ? .idle : .done(isCut: true)
  }

  private mutating func replace(_ entries: [Entry], keepsSelection: Bool = false) {
    let id = keepsSelection && selection.selected > 0 ? selected?.id : nil
    self.entries = entries
    known = known.filter { marks.contains($0.key) }
    for entry in entries { known[entry.found.id] = entry }
    revision += 1
    selection.count = entries.count
    if let id, let index = entries.firstIndex(where: { $0.found.id == id }) {
      selection.select(index)
    } else {
      selection.rewind()
    }
  }

  private static func isBefore(_ one: Entry, _ other: Entry) -> Bool {
    if one.sortKey == other.sortKey { return one.found.id < other.found.id }
    return one.sortKey.lexicographicallyPrecedes(other.sortKey)
  }

  // MARK: Marks

  /// Marks the selected entry, or removes its mark, and goes to the next.
  mutating func toggleMark() {
    guard let selected else { return }
    marks.toggle(selected.id)
    selection.move(.down)
  }
}
