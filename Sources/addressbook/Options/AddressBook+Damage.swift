import AddressBookModel
import Messages

extension AddressBook {
  /// Makes a command fail, after its output, if it read damaged contacts or an incomplete list.
  /// - Throws: `CommandFailure`.
  func reportDamage() throws {
    let ids = damage.contacts
    if !ids.isEmpty {
      let shown = ids.prefix(20).map(String.init) + (ids.count > 20 ? ["…"] : [])
      throw CommandFailure(.failed, strings("Failed/damaged", Localization.shared.list(shown)))
    }
    if damage.isListIncomplete { throw CommandFailure(.failed, strings("Failed/incompleteList")) }
  }

  /// Refuses to change contacts that were read and are damaged: the save would give them a new checksum, by which nobody
  /// notices the damage.
  func refuseDamage(of ids: [Int64]) throws {
    guard let id = ids.first(where: damage.has) else { return }
    throw CommandFailure(.failed, strings("Failed/changeDamaged", id))
  }
}
