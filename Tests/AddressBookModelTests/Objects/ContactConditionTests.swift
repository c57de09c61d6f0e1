import Contacts
import GRDB
import ObjectGraph
import Testing

@testable import AddressBookModel
@testable import Messages

@Suite struct ContactConditionTests {
  private let book: AddressBook
  private let names: [Int64: String]

  init() throws {
    book = try AddressBook.inMemory()
    let context = book.newContext()
    var names: [Int64: String] = [:]
    func add(_ given: String, _ fill: (inout Contact) -> Void) throws -> Person {
      let person = context.insertPerson()
      var contact = Contact()
      contact.given = given
      fill(&contact)
      try person.apply(contact)
      return person
    }
    let people = [
      try add("Ann") {
        $0.organization = "Ácme Ltd"
        $0.phones = [LabeledValue(label: "mobile", value: "+86 139"), LabeledValue(label: "", value: "+1 555")]
        $0.groups = ["friends"]
      },
      try add("Bob") {
        $0.organization = "ACME"
        $0.phones = [LabeledValue(label: "", value: "+1 556")]
        $0.birthday = PartialDate("1811-11-26")
        $0.addresses = [PostalAddress(label: "home", city: "Hong Kong", postalCode: "1")]
      },
      try add("Club") { $0.kind = .organization },
      try add("Dora") {
        $0.organization = "Acme"
        $0.phones = [LabeledValue(label: "", value: "+86 1")]
        $0.groups = ["friends", "work"]
      },
    ]
    try context.save()
    try context.delete(people[3])
    try context.save()
    for person in people { names[person.id] = person.given }
    self.names = names
  }

  private func found(_ text: String) throws -> [String] {
    try book.contactIDs(where: ContactCondition(text)).compactMap { names[$0] }
  }

  @Test(arguments: [
    ("ANY phones.value BEGINSWITH '+86' AND organization CONTAINS[cd] 'acme'", ["Ann"]),
    ("organization CONTAINS[cd] 'acme'", ["Ann", "Bob"]), ("kind = 'organization'", ["Club"]),
    ("section = 'B'", ["Bob"]), ("ANY groups.name = 'friends'", ["Ann"]), ("ANY groups.name = 'work'", []),
    ("birthday BEGINSWITH '1811' AND ANY addresses.postalCode = '1'", ["Bob"]), ("birthday = nil", ["Ann", "Club"]),
    ("phones.@count = 2 OR NONE phones.value CONTAINS '+'", ["Ann", "Club"]), ("photo != nil", []),
    ("created BEGINSWITH '2' AND modified >= created", ["Ann", "Bob", "Club"]),
    ("TRUEPREDICATE", ["Ann", "Bob", "Club"]),
    ("SUBQUERY(phones, $p, $p.label = 'mobile' AND $p.value BEGINSWITH '+86').@count > 0", ["Ann"]),
    ("name = 'Dora'", []), ("SUBQUERY(groups, $g, $g.members.@count = 1).@count = 1", ["Ann"]),
  ])
  func conditionsFindTheirContacts(_ text: String, _ expected: [String]) throws {
    #expect(try found(text) == expected, "\(text)")
  }

  @Test func theTablesOfTheBookStayAsTheyAre() throws {
    let before = try book.database.read {
      try String.fetchAll($0, sql: "SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name")
    }
    _ = try found("TRUEPREDICATE")
    let after = try book.database.read {
      try String.fetchAll($0, sql: "SELECT coalesce(sql, name) FROM sqlite_master ORDER BY name")
    }
    #expect(before == after)
  }

  @Test func aClosedBookIsAStoreError() throws {
    let condition = try ContactCondition("TRUEPREDICATE")
    _ = try book.contactIDs(where: condition)
    book.close()
    do {
      _ = try book.contactIDs(where: condition)
      Issue.record("the book is closed")
    } catch {
      #expect(error.reason == .closed)
    }
  }

  // MARK: - Errors

  @Test(arguments: [
    ("given =", InvalidPredicate.syntax(offset: 7), "at the end"), ("given CONTANS 'x'", .syntax(offset: 6), "CONTANS"),
    ("given = $x", .unboundVariable(offset: 8, name: "x"), "$x"),
    ("surname = 'x'", .unknownKey(offset: 0, key: "surname", entity: "Person"), "family"),
    ("ANY phones.number = '1'", .unknownKey(offset: 11, key: "number", entity: "Phone"), "label, value, person"),
    ("given = 1", .typeMismatch(offset: 6), "quotation"), ("phones.value = '1'", .toManyNotAllowed(offset: 0), "ANY"),
    ("ANY given = '1'", .notToMany(offset: 0), "@count"), ("given MATCHES '('", .badPattern(offset: 6), "MATCHES"),
    ("given = %@", .argumentCount(expected: 1, given: 0), "%@"), ("", .syntax(offset: 0), "at the end"),
  ])
  func errorsOfConditionsHaveTheirPosition(_ text: String, _ reason: InvalidPredicate, _ word: String) throws {
    do {
      _ = try ContactCondition(text)
      Issue.record("\(text) is wrong")
    } catch {
      #expect(error.reason == reason, "\(text)")
      let message = error.message(in: Localization(language: .english))
      #expect(message.contains(word), "\(message)")
      let chinese = error.message(in: Localization(language: .simplifiedChinese))
      #expect(chinese != message && !chinese.contains("ErrorString"), "\(chinese)")
      guard let offset = error.offset, offset < text.count else { return }
      #expect(message.contains("character \(offset + 1): "), "\(message)")
    }
  }
}
