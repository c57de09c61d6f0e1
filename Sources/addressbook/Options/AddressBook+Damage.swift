import AddressBookModel

extension AddressBook {
  /// Reports damaged contacts, or an incomplete list, at the end of a command, after its output.
  /// - Throws: `CommandFailure`.
  func reportDamage() throws {
    let ids = damage.contacts
    if !ids.isEmpty {
      let shown = ids.prefix(20).map(String.init) + (ids.count > 20 ? ["…"] : [])
      throw CommandFailure(.failed, strings("Failed/damaged", Localization.shared.list(shown)))
    }
    if damage.isListIncomplete { throw CommandFailure(.failed, strings("Failed/incompleteList")) }
  }

  /// Refuses to change a damaged contact: the save would accept the damaged values as intended.
  func refuseDamage(of ids: [Int64]) throws {
    guard let id = ids.first(where: damage.has) else { return }
    throw CommandFailure(.failed, strings("Failed/changeDamaged", id))
  }
}
