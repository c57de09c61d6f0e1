import Contacts
import Testing

@Suite struct MatchIndexTests {
  /// Parses a contact such as `Ann Ames +49891234567 ann@a.example 1990-01-02 @Acme`.
  private func contact(_ text: String, id: Int64 = 0) -> Contact {
    var contact = Contact()
    contact.id = id
    var name: [String] = []
    for word in text.split(separator: " ").map(String.init) {
      if let day = PartialDate(word) {
        contact.birthday = day
      } else if word.hasPrefix("@") {
        contact.organization = String(word.dropFirst())
      } else if word.contains("@") {
        contact.emails.append(LabeledValue(value: word))
      } else if word.utf8.allSatisfy({ (0x28...0x39).contains($0) }) {
        contact.phones.append(LabeledValue(value: word))
      } else {
        name.append(word)
      }
    }
    contact.formattedName = name.joined(separator: " ")
    return contact
  }

  private func find(_ record: String, _ kinds: Set<MatchKind>, in book: [String]) -> [MatchIndex.Candidate] {
    let contacts = book.enumerated().map { contact($1, id: Int64($0 + 1)) }
    var index = MatchIndex()
    for contact in contacts { index.add(contact) }
    index.seal()
    return index.find(contact(record), by: kinds) { ids in contacts.filter { ids.contains($0.id) } }
  }

  private let book = [
    "Ann Ames +49891234567 ann@a.example", "Bob Berg 0301112222 @Acme", "王小明 1990-05-06 13800001111",
    "Eve Ek 4711", "John Doe 0405550000 1950-01-02", "John Doe 1980-03-04",
  ]

  @Test(
    arguments: [
      ("X 089/1234567", [.phone], 1), ("X +49-89-1234567", [.phone], 1), ("X 0049891234567", [.phone], 1),
      ("X ANN@A.example", [.email], 1), ("X ann@a.example", [.phone], nil), ("X 0891234567", [.email], nil),
      ("Ann Ames 0891234567", [.name], 1), ("Ames, Ann ann@a.example", [.name], 1), ("Ann Ames", [.name], nil),
      ("Ann Ames", [.phone, .email, .name], nil), ("Ann Other 0891234567", [.name], nil),
      // The same name and a number or an address are always enough.
      ("Ann Ames 0891234567", [], 1), ("Ames, Ann ANN@a.example", [], 1),
      ("Ann Other 0891234567 ann@a.example", [], nil),
      ("Eve Ek 4711", [], 4), ("Bob Berg @Acme", [], nil), ("Wang Xiaoming 1990-05-06", [], nil),
      ("Bob Berg @Acme", [.name], 2), ("Bob Berg @ACME", [.name], 2), ("Bob Berg @Other", [.name], nil),
      ("Cy @Acme", [.phone, .email, .name], nil), ("Wang Xiaoming 1990-05-06", [.name], 3),
      ("小明王 13800001111", [.phone], 3), ("Eve Ek 4711", [.name], 4), ("Eve Other 4711", [.phone], nil),
      ("X 4711", [.phone], nil), ("John Doe 1980-03-04", [.name], 6), ("John Doe 0405550000", [.name], 5),
      ("John Doe 0405550000 1980-03-04", [.phone], nil), ("X 0405550000 1981-01-01", [.phone], nil),
      ("", [.phone, .email, .name], nil),
    ] as [(String, Set<MatchKind>, Int64?)])
  func aRecordMatchesOneContact(record: String, kinds: Set<MatchKind>, id: Int64?) {
    #expect(find(record, kinds, in: book).map(\.id) == [id].compactMap(\.self))
  }

  @Test func theSameNameAndPostalAddressAreAMatch() {
    func person(_ name: String, _ street: String) -> Contact {
      var person = contact(name, id: 1)
      person.addresses = [PostalAddress(label: "", street: street, city: "Bonn")]
      return person
    }
    let known = person("Ann Ames", "Am Markt 1")
    var index = MatchIndex()
    index.add(known)
    index.seal()
    #expect(index.find(person("Ann Ames", "am Markt  1"), by: []) { _ in [known] }.first?.reasons == [.address, .name])
    #expect(index.find(person("Ann Ames", "Am Markt 2"), by: []) { _ in [known] }.isEmpty)
    #expect(index.find(person("Bo Ames", "Am Markt 1"), by: Set(MatchKind.allCases)) { _ in [known] }.isEmpty)
  }

  @Test func severalMatchesAreDistinguishedByName() {
    let family = ["Ann Ames 0891234567", "Bo Ames 0891234567", "Bo Ames info@a.example"]
    let ann = find("Ann Ames 0891234567", [.phone], in: family)
    #expect(ann.map(\.id) == [1] && ann[0].isNamed && ann[0].reasons == [.name, .phone])
    #expect(find("Bo Ames 0891234567", [.phone, .email, .name], in: family).map(\.id) == [2])
    let cy = find("Cy Ames 0891234567", [.phone], in: family)
    #expect(cy.map(\.id) == [1, 2] && cy.allSatisfy { !$0.isNamed && $0.reasons == [.phone] })
    #expect(find("Bo Ames 0891234567 info@a.example", [.phone, .email], in: family).map(\.id) == [2, 3])
  }

  @Test func aSharedNumberAloneIsNotAMatch() {
    let office = (1...500).map { "Person\($0) 0891234567" }
    #expect(find("Person77 0891234567", [.phone], in: office).map(\.id) == [77])
    #expect(find("Other 0891234567", [.phone], in: office).count == 2, "one of 500 was chosen")
  }
}
