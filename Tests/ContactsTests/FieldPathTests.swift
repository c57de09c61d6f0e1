import Contacts
import Testing

/// The names of single values of a contact.
struct FieldPathTests {
  @Test func partsOfAnAddressFollowADot() {
    #expect(FieldPath("address[home].city") == .address(label: "home", part: .city))
    #expect(FieldPath("address[home]") == .address(label: "home", part: nil))
    #expect(FieldPath("address.city") == .address(label: "", part: .city))
    #expect(FieldPath("address[a]b].city") == .address(label: "a]b", part: .city))
  }

  @Test(arguments: ["address[home]city", "address[home].", "address[home] .city", "phone[home]x", "family[x]"])
  func anythingElseAfterALabelIsRefused(text: String) { #expect(FieldPath(text) == nil) }
}
