import AddressBookModel

/// What narrows the list: a search, a group, both or neither.
struct ContactFilter: Equatable {
  /// What was typed in the search field.
  var query = ""
  /// The group that is shown; nil for everybody.
  var group: String?

  /// True when everybody is shown.
  var isEmpty: Bool { group == nil && BookSearch.asksNothing(query) }
}
