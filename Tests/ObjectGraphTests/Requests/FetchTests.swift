import Foundation
import GRDB
import Synchronization
import Testing

@testable import ObjectGraph

private typealias Student = College.Student

/// Fetches of a context on a SQLite store.
@Suite struct FetchTests {
  /// A college of three students in a file, with the statements that were run.
  private final class Fixture {
    let folder: URL
    let stack: ObjectStack
    let context: ObjectContext
    let statements: Statements

    final class Statements: Sendable {
      let list = Mutex<[String]>([])
    }

    init() throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let statements = Statements()
      self.statements = statements
      var options = StackOptions()
      options.trace = { event in statements.list.withLock { $0.append(event.sql) } }
      stack = try ObjectStack(
        model: College.model(), store: .sqlite(folder.appendingPathComponent("college.db").path), options: options)
      context = stack.newContext()
      let myclass = try context.insert("MyClass")
      try myclass.set("name", to: "one")
      for (name, age) in [("Ann", 18), ("Bob", 20), ("Eve", 22)] {
        let student = try context.insert("Student")
        try student.set("name", to: .string(name))
        try student.set("age", to: .integer(Int64(age)))
        try student.set("myclass", to: myclass)
      }
      try context.save()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func names(_ text: String, _ arguments: any PredicateArgument...) throws -> [String] {
      let predicate = try ObjectPredicate(text, arguments: arguments.map(\.predicateConstant))
      return try context.fetch(Student.all.where(predicate).sorted(by: \.name)).compactMap(\.name)
    }

    func student(_ name: String) throws -> Student {
      try #require(try context.first(Student.where { $0.name == name }))
    }

    func selects(_ body: () throws -> Void) throws -> [String] {
      statements.list.withLock { $0 = [] }
      try body()
      return statements.list.withLock { $0.filter { $0.hasPrefix("SELECT") } }
    }
  }

  @Test func anUnsavedChangeOfARelatedObjectCounts() throws {
    let fixture = try Fixture()
    let myclass = try #require(try fixture.context.fetch(ObjectFetchRequest("MyClass")).first)
    try myclass.set("name", to: "two")
    #expect(try fixture.names("myclass.name == 'two'") == ["Ann", "Bob", "Eve"])
    #expect(try fixture.names("myclass.name == 'one'") == [])
    // Because of the delete rule `noAction`, deleting the class does not change its students.
    try fixture.context.delete(myclass)
    #expect(try fixture.names("myclass == nil") == ["Ann", "Bob", "Eve"])
    try fixture.context.save()
    #expect(try fixture.names("myclass == nil") == ["Ann", "Bob", "Eve"])
    let other = fixture.stack.newContext()
    #expect(try other.count(ObjectFetchRequest("Student", where: try ObjectPredicate("myclass.name != nil"))) == 0)
  }

  @Test func predicatesAcceptObjectsSavedLater() throws {
    let fixture = try Fixture()
    let myclass = try fixture.context.insert("MyClass")
    let temporary = myclass.objectID
    try fixture.student("Bob").set("myclass", to: myclass)
    #expect(try fixture.names("myclass == %@", temporary) == ["Bob"])
    #expect(try fixture.names("myclass != %@", temporary) == ["Ann", "Eve"])
    var groups = ObjectFetchRequest("Student")
    groups.properties = [.function(name: "students", .count, keyPath: "SELF")]
    groups.groupBy = ["myclass"]
    groups.having = try ObjectPredicate("myclass == %@", temporary)
    #expect(try fixture.context.dictionaries(groups) == [["students": 1]])
    try fixture.context.save()
    #expect(try fixture.names("myclass == %@", temporary) == ["Bob"])
    #expect(try fixture.names("myclass IN %@", [temporary]) == ["Bob"])
    #expect(try fixture.context.dictionaries(groups) == [["students": 1]])
    // With an unsaved change, part of the request is evaluated in memory.
    try fixture.student("Ann").set("myclass", to: myclass)
    #expect(try fixture.context.dictionaries(groups) == [["students": 2]])
  }

  @Test func aChildSeesItsParentsChangesAndItsOwn() throws {
    let fixture = try Fixture()
    try fixture.student("Ann").set("age", to: 40)
    let child = fixture.context.newChild()
    let newcomer = try child.insert("Student")
    try newcomer.set("age", to: 50)
    let old = Student.where { $0.age >= 40 }.sorted(by: \.age).request
    let ages = try child.fetch(old).map { try $0.value("age") }
    #expect(ages == [40, 50])
    #expect(try fixture.context.count(old) == 1)
    #expect(try fixture.stack.newContext().count(old) == 0)
    var saved = old
    saved.includesPendingChanges = false
    #expect(try child.count(saved) == 0)
  }

  @Test func pagesOfSavedAndUnsavedObjects() throws {
    let fixture = try Fixture()
    try fixture.student("Bob").set("age", to: 30)
    let newcomer = try fixture.context.insert("Student")
    try newcomer.set("age", to: 19)
    try newcomer.set("name", to: "New")
    var request = ObjectFetchRequest("Student", sort: [SortKey("age")])
    request.limit = 2
    request.offset = 1
    let names = try fixture.context.fetch(request).map { try $0.value("name") }
    #expect(names == ["New", "Eve"])
    #expect(try fixture.context.count(request) == 2)
    request.limit = .max
    request.offset = .max
    #expect(try fixture.context.fetch(request).isEmpty)
  }

  @Test func aTemplateIsNotChanged() throws {
    let fixture = try Fixture()
    let model = fixture.stack.model
    #expect(try fixture.context.count(model.template("OlderThan", ["AGE": 18])) == 2)
    #expect(try fixture.context.count(model.template("OlderThan", ["AGE": 21, "OTHER": "x"])) == 1)
    #expect(throws: ObjectGraphError.self) { try model.template("OlderThen") }
    do {
      _ = try fixture.context.count(model.template("OlderThan"))
      Issue.record("a variable without a value")
    } catch ObjectGraphError.predicate(let error) {
      #expect(error == .unboundVariable(offset: 6, name: "AGE"))
    }
  }

  @Test func aFetchIsOneStatementWithoutLiteralValues() throws {
    let fixture = try Fixture()
    let context = fixture.stack.newContext()
    let request = ObjectFetchRequest(
      "Student", where: try ObjectPredicate("name LIKE[c] 'secret*' OR age IN {18, 424242} OR name == 'hidden'"))
    var names: [Value] = []
    let selects = try fixture.selects { names = try context.fetch(request).map { try $0.value("name") } }
    #expect(names == ["Ann"])
    #expect(selects.count == 1)
    for value in ["secret", "hidden", "424242", "Ann"] { #expect(!selects.joined().contains(value)) }
  }

  @Test func faultsAreReadOnFirstAccess() throws {
    let fixture = try Fixture()
    let context = fixture.stack.newContext()
    var request = ObjectFetchRequest("Student", sort: [SortKey("age", ascending: false)])
    request.returnsObjectsAsFaults = true
    var objects: [ManagedObject] = []
    let first = try fixture.selects { objects = try context.fetch(request) }
    #expect(first.count == 1)
    var ages: [Value] = []
    let later = try fixture.selects { ages = try objects.map { try $0.value("age") } }
    #expect(ages == [22, 20, 18])
    #expect((1...2).contains(later.count))
  }
}
