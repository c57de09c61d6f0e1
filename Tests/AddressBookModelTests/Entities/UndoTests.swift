import Contacts
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel
@testable import ObjectGraph

struct UndoTests {
  @Test func undoSurvivesTheSave() throws {
    let book = try AddressBook.inMemory()
    let context = book.newContext()
    let person = try context.action("Add") { () throws(StoreError) in
      let person = context.insertPerson()
      try person.apply(.example)
      return person
    }
    try context.save()
    let id = person.id
    try context.action("Edit") {
      person.family = "张"
      try person.remove([person.objects("phones")[0]], from: "phones")
    }
    #expect(throws: EditError.self) { try context.save() }
    context.rollback()
    #expect(context.undoName == "Add")
    context.action("Edit") { person.family = "张" }
    try context.save()
    #expect(try context.undo() == "Edit")
    try context.save()
    #expect(try book.contact(id: id)?.content == .example)
    #expect(try context.undo() == "Add")
    try context.save()
    #expect(try book.contact(id: id) == nil)
    #expect(!context.canUndo)
    #expect(try context.redo() == "Add")
    #expect(try context.redo() == "Edit")
    #expect(!context.canRedo)
    try context.save()
    #expect(try book.contact(id: id)?.family == "张")
    #expect(try book.contact(id: id)?.phones.count == 2)
  }

  @Test func aFailingActionChangesNothing() throws {
    let context = try AddressBook.inMemory().newContext()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.action("Try") {
        context.insertPerson().family = "A"
        throw Stop()
      }
    }
    #expect(!context.hasChanges)
    #expect(!context.canUndo)
  }

  @Test func actionsInsideAnActionAreOneStep() throws {
    let context = try AddressBook.inMemory().newContext()
    context.action("Outer") {
      context.action("Inner") { context.insertPerson().family = "A" }
      context.action("Inner") { context.insertPerson().family = "B" }
    }
    #expect(try context.undo() == "Outer")
    #expect(!context.hasChanges)
  }

  @Test func aDeletedContactThatWasNeverSavedComesBackWithItsNewGroup() throws {
    let book = try AddressBook.inMemory()
    let context = book.newContext()
    let person = context.action("Add") { context.insertPerson() }
    person.family = "A"
    try context.action("Group") { () throws(StoreError) in
      var contact = try person.contact
      contact.groups = ["c"]
      try person.apply(contact)
    }
    try context.action("Delete") { () throws(StoreError) in try context.delete(person) }
    try context.save()
    try context.undo()
    #expect(try person.contact.groups == ["c"])
    try context.save()
    #expect(try book.contact(id: person.id)?.groups == ["c"])
  }

  @Test func aNumberWhoseAdditionIsUndoneAfterADeletionIsRemovedFromTheBook() throws {
    let book = try AddressBook.inMemory()
    let context = book.newContext()
    let person = context.action("Add") { context.insertPerson() }
    person.family = "A"
    try context.action("Number") { () throws(StoreError) in
      var contact = try person.contact
      contact.phones = [LabeledValue(label: "x", value: "1")]
      try person.apply(contact)
    }
    try context.save()
    try context.action("Delete") { () throws(StoreError) in try context.delete(person) }
    try context.save()
    try context.undo()
    #expect(try person.contact.phones.count == 1)
    try context.undo()
    #expect(try person.contact.phones.isEmpty)
    try context.save()
    #expect(try book.contact(id: person.id)?.phones.isEmpty == true)
  }

  /// Random edits, saves, undos and redos, compared with a plain list of states.
  @Test(arguments: [UInt64(1), 4, 14, 110, 138, UInt64.random(in: 0...UInt64.max)])
  func undoAndRedoRestoreEveryState(_ seed: UInt64) throws {
    print("UndoTests.undoAndRedoRestoreEveryState: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let book = try AddressBook.inMemory()
    let context = book.newContext()
    var persons: [Person] = []
    func state() throws -> [String: Contact] {
      var found: [String: Contact] = [:]
      for person in persons where person.isLive { found[person.uid] = try person.contact.content }
      return found
    }
    func stored() throws -> [String: Contact] {
      var found: [String: Contact] = [:]
      for row in try book.listRows() {
        let contact = try #require(try book.contact(id: row.id))
        found[contact.uid] = contact.content
      }
      return found
    }
    var past = [try state()]
    var future: [[String: Contact]] = []
    for step in 0..<250 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0, 1:
        try context.undo()
        if past.count > 1 { future.append(past.removeLast()) }
      case 2:
        if try context.redo() != nil { past.append(future.removeLast()) }
      case 3, 4:
        try context.save()
        #expect(try stored() == state(), "seed \(seed), step \(step)")
      default:
        let before = past[past.count - 1]
        try context.action("step") { () throws(StoreError) in try edit(&persons, context, &generator) }
        let after = try state()
        if after != before {
          past.append(after)
          future.removeAll()
        }
        // A step that changes a value back to what it was is still a step.
        while context.graph.undoLog.undo.count > past.count - 1 { past.append(after) }
      }
      #expect(try state() == past.last, "seed \(seed), step \(step)")
    }
    try context.save()
    while context.canUndo { try context.undo() }
    try context.save()
    #expect(try stored().isEmpty)
    while context.canRedo { try context.redo() }
    try context.save()
    #expect(try stored() == state())
    #expect(try book.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM pragma_foreign_key_check") } == 0)
  }

  private func edit(
    _ persons: inout [Person], _ context: BookContext, _ generator: inout SeededGenerator
  ) throws(StoreError) {
    let living = persons.filter(\.isLive)
    let choice = Int.random(in: 0..<7, using: &generator)
    guard choice > 0, let person = living.randomElement(using: &generator) else {
      let person = context.insertPerson()
      person.family = String(Int.random(in: 0..<1000, using: &generator))
      persons.append(person)
      return
    }
    var contact = try person.contact
    switch choice {
    case 1:
      try context.delete(person)
      return
    case 2: contact.family = String(Int.random(in: 0..<1000, using: &generator))
    case 3: contact.phones.shuffle(using: &generator)
    case 4:
      contact.phones.append(LabeledValue(label: "x", value: String(Int.random(in: 0..<50, using: &generator))))
    case 5: if !contact.phones.isEmpty { contact.phones.remove(at: contact.phones.count / 2) }
    default: contact.groups = ["a", "b", "c", "d"].filter { _ in Bool.random(using: &generator) }
    }
    try person.apply(contact)
  }
}
