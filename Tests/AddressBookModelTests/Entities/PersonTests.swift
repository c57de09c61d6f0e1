import Synchronization
import Testing

@testable import AddressBookModel

struct PersonTests {
  @Test func aContactIsReadAsItWasSaved() throws {
    let folder = TemporaryFolder()
    let id: Int64
    do {
      let book = try AddressBook.open(at: folder.book())
      let context = book.newContext()
      let person = context.insertPerson()
      try person.apply(.example)
      try context.save()
      id = person.id
      #expect(id > 0)
      #expect(try person.contact.content == .example)
      book.close()
    }
    let book = try AddressBook.open(at: folder.book())
    let contact = try #require(try book.contact(id: id))
    #expect(contact.content == .example)
    #expect(contact.version == 1)
    #expect(contact.uid.hasPrefix("urn:uuid:"))
    #expect(contact.created.hasSuffix("Z"))
    let context = book.newContext()
    let person = try #require(try context.person(id))
    #expect(try person.contact == contact)
  }

  @Test func aRowHasOneObject() throws {
    let book = try AddressBook.inMemory()
    let context = book.newContext()
    let person = context.insertPerson()
    person.family = "A"
    try context.save()
    #expect(try context.person(person.id) === person)
  }

  @Test func applyingTheSameChangesNothing() throws {
    let (_, context, person) = try savedExample()
    try person.apply(person.contact)
    #expect(!context.hasChanges)
  }

  @Test func anEditOfOnePhoneIsOneChangedRow() throws {
    let (_, context, person) = try savedExample()
    var contact = try person.contact
    contact.phones[1].value = "556"
    try person.apply(contact)
    #expect(context.changedObjects.count == 1)
    #expect(context.changedObjects.first?.entity.name == "Phone")
    #expect(context.changedObjects.first?.changedAttributes == ["value"])
    try context.save()
    #expect(person.version == 2)
  }

  @Test func reorderingKeepsTheRows() throws {
    let (book, context, person) = try savedExample()
    let before = try person.objects("phones").map(\.objectID)
    var contact = try person.contact
    contact.phones.reverse()
    try person.apply(contact)
    try context.save()
    #expect(try person.objects("phones").map(\.objectID) == before.reversed())
    #expect(try book.contact(id: person.id)?.phones.map(\.value) == ["555", "139 2222 3333"])
  }

  @Test func aDeletedContactIsHiddenAndRestoredCompletely() throws {
    let (book, context, person) = try savedExample()
    let id = person.id
    try context.delete(person)
    try context.save()
    #expect(try book.contact(id: id) == nil)
    #expect(try book.contactCount() == 0)
    #expect(try book.deletedContacts().map(\.id) == [id])
    let other = book.newContext()
    let gone = try #require(try other.deletedPerson(id))
    try other.restore(gone)
    try other.save()
    #expect(try book.contact(id: id)?.content == .example)
    #expect(try book.contactCount() == 1)
  }

  @Test func aPhotoIsReadOnFirstAccess() throws {
    let reads = Mutex(0)
    let configuration = StoreConfiguration(trace: { statement in
      if statement.contains("avatar"), statement.contains("data") { reads.withLock { $0 += 1 } }
    })
    let (book, context, person) = try savedExample(configuration)
    let photo = Photo(mediaType: "image/png", data: .init([1, 2, 3]))
    try person.setPhoto(photo)
    try context.save()
    #expect(try book.photo(of: person.id) == photo)
    let other = book.newContext()
    reads.withLock { $0 = 0 }
    let again = try #require(try other.person(person.id))
    #expect(try again.contact.photo?.bytes == 3)
    #expect(reads.withLock(\.self) == 0)
    #expect(try again.photo() == photo)
    #expect(reads.withLock(\.self) > 0)
    try context.undo()
    try context.save()
    #expect(try book.photo(of: person.id) == nil)
  }

  private func savedExample(
    _ configuration: StoreConfiguration = StoreConfiguration()
  ) throws -> (AddressBook, BookContext, Person) {
    let book = try AddressBook.open(at: .inMemory, configuration: configuration)
    let context = book.newContext()
    let person = context.insertPerson()
    try person.apply(.example)
    try context.save()
    return (book, context, person)
  }
}
