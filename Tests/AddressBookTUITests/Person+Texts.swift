@testable import AddressBookModel

/// Some texts of a contact, for tests that change one of them.
extension Person {
  var family: String {
    get { text("family") }
    set { assign(.string(newValue), to: "family") }
  }
  var given: String {
    get { text("given") }
    set { assign(.string(newValue), to: "given") }
  }
  var organization: String {
    get { text("organization") }
    set { assign(.string(newValue), to: "organization") }
  }
  var note: String {
    get { text("note") }
    set { assign(.string(newValue), to: "note") }
  }
}
