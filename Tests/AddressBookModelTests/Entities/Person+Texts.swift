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
  var phoneticFamily: String {
    get { text("phoneticFamily") }
    set { assign(.string(newValue), to: "phoneticFamily") }
  }
  var nickname: String {
    get { text("nickname") }
    set { assign(.string(newValue), to: "nickname") }
  }
  var title: String {
    get { text("title") }
    set { assign(.string(newValue), to: "title") }
  }
  var note: String {
    get { text("note") }
    set { assign(.string(newValue), to: "note") }
  }
}
