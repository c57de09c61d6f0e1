import AddressBookModel

/// Where the list stands, from one run of the program to the next.
extension BrowserScreen {
  /// The position to remember; nil when nobody is selected.
  var position: LastPosition? {
    guard let contact = list.contactForAction() else { return nil }
    return LastPosition(
      id: contact.id, uid: contact.uid, line: max(0, (list.selectedRow ?? 0) - list.top), group: list.filter.group)
  }

  /// Goes back to a position, unless its person or its group is gone.
  func restore(_ position: LastPosition) {
    do {
      guard let contact = try environment.book.contact(id: position.id), contact.uid == position.uid else { return }
      if let group = position.group, contact.groups.contains(group) {
        list.setFilter(ContactFilter(group: group), selecting: contact.id)
      } else {
        list.select(id: contact.id, line: position.line)
      }
    } catch {
      show(reading: error)
    }
  }
}
