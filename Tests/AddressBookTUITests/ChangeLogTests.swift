import AddressBookModel
import ResultsController
import Testing

@testable import AddressBookTUI

/// The store makes the change log in plain SQL and the results controller reads it: they must agree.
struct ChangeLogTests {
  @Test func aNewBookIsTrackedAsTheListExpects() throws {
    let book = try AddressBook.inMemory()
    #expect(try book.database.read { try ChangeTracking.contacts.isInstalled(in: $0) })
  }
}
