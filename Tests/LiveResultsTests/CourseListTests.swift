import Foundation
import Synchronization
import Testing

@testable import LiveResults

/// The lists of Core Data's tutorials: courses by subject, and students by the name of their class.
struct CourseListTests {
  private let college: College
  private var context: ObjectContext { college.context }

  init() throws { college = try College() }

  private func courses(_ predicate: String? = nil) throws -> FollowedList {
    try FollowedList(
      college.stack,
      ObjectFetchRequest(
        "Course", where: try predicate.map { try ObjectPredicate($0) },
        sort: [SortKey("subject"), SortKey("title")]),
      by: "subject")
  }

  private func course(_ title: String, _ subject: String, _ teacher: ManagedObject? = nil) throws -> ManagedObject {
    try college.insert(
      "Course", ["title": .string(title), "subject": .string(subject)], teacher.map { ["teacher": $0] } ?? [:])
  }

  @Test func aSaveIsOneChangeOfTheList() throws {
    let list = try courses()
    let emmy = try college.insert("Teacher", ["name": "Emmy"])
    _ = try course("Algebra", "Mathematics", emmy)
    _ = try course("Rings", "Mathematics", emmy)
    let optics = try course("Optics", "Physics")
    #expect(list.changes().isEmpty, "nothing is saved yet")
    try context.save()
    #expect(list.changes() == ["+ Mathematics", "+ Physics", "+ [0, 0]", "+ [0, 1]", "+ [1, 0]"])
    #expect(try list.names("title", in: context) == ["Mathematics: Algebra, Rings", "Physics: Optics"])
    #expect(list.controller.indexPath(of: optics.objectID) == RowPath(section: 1, row: 0))
    #expect(try list.controller.objectID(at: RowPath(section: 1, row: 0)) == optics.objectID)
    #expect(list.controller.indexPath(of: emmy.objectID) == nil)
    try optics.set("subject", to: "Mathematics")
    try context.save()
    #expect(list.changes() == ["- Physics", "> [1, 0] [0, 1]"])
    context.undo()
    try context.save()
    #expect(list.changes() == ["+ Physics", "> [0, 1] [1, 0]"])
    try context.delete(optics)
    try context.save()
    #expect(list.changes() == ["- Physics", "- [1, 0]"])
    #expect(throws: LiveResultsError.self) { try list.controller.objectID(at: RowPath(section: 1, row: 0)) }
    #expect(list.errors.isEmpty)
  }

  /// A program's own sort key, such as that of a name in pinyin.
  @Test func bytesAreASortKey() throws {
    let list = try FollowedList(
      college.stack,
      ObjectFetchRequest("Key", where: try ObjectPredicate("bytes >= %@", Data([1])), sort: [SortKey("bytes")]))
    for bytes in [[2], [1, 0xFF], [1], [0x61], [0], [1, 0]] as [[UInt8]] {
      try college.insert("Key", ["bytes": .data(Data(bytes)), "name": .string("\(bytes)")])
    }
    try context.save()
    _ = list.changes()
    #expect(try list.names("name", in: context) == [": [1], [1, 0], [1, 255], [2], [97]"])
    let first = try #require(try list.controller.object(at: RowPath(section: 0, row: 0), in: context))
    try first.set("bytes", to: .data(Data([1, 1])))
    try context.save()
    #expect(list.changes() == ["> [0, 0] [0, 1]"])
  }

  /// A delegate gets the same change as the callback, step by step.
  @Test func aDelegateIsToldToo() throws {
    final class Steps: ResultsDelegate {
      let rows = Mutex<[RowChange]>([])
      func results(_ update: ResultsUpdate, didChange row: RowChange) { rows.withLock { $0.append(row) } }
    }
    let list = try FollowedList(
      college.stack, ObjectFetchRequest("Student", sort: [SortKey("name")]))
    let steps = Steps()
    list.controller.delegate = steps
    let ada = try college.insert("Student", ["name": "Ada"])
    try context.save()
    #expect(list.updates().flatMap(\.changes.inserts).map(\.id) == [ada.objectID.number])
    #expect(steps.rows.withLock { $0.count } == 1)
  }

  @Test func aRenamedClassMovesItsStudents() throws {
    let list = try FollowedList(
      college.stack, ObjectFetchRequest("Student", sort: [SortKey("myclass.name"), SortKey("name")]),
      by: "myclass.name")
    let (first, second) = (try college.insert("MyClass", ["name": "B"]), try college.insert("MyClass", ["name": "C"]))
    for (name, group) in [("Ada", first), ("Blaise", first), ("Carl", second)] {
      try college.insert("Student", ["name": .string(name)], ["myclass": group])
    }
    try college.insert("Student", ["name": "Zeno"])
    try context.save()
    _ = list.changes()
    #expect(try list.names("name", in: context) == [": Zeno", "B: Ada, Blaise", "C: Carl"])
    // The students' rows are not written.
    try first.set("name", to: "D")
    try context.save()
    #expect(list.changes() == ["- B", "+ D", "> [1, 0] [2, 0]", "> [1, 1] [2, 1]"])
    #expect(try list.names("name", in: context) == [": Zeno", "C: Carl", "D: Ada, Blaise"])
    // Two classes with the same name are one section.
    try second.set("name", to: "D")
    try context.save()
    #expect(list.changes() == ["- C", "> [1, 0] [1, 2]"])
    // A dangling reference counts as none.
    try college.run("DELETE FROM MyClass")
    #expect(list.awaitedChanges().count == 4)
    #expect(try list.names("name", in: college.stack.newContext()) == [": Ada, Blaise, Carl, Zeno"])
    #expect(list.errors.isEmpty)
  }

  @Test func predicatesMayUseRelatedObjects() throws {
    let list = try courses("teacher.name == 'Emmy' OR ANY students.age > 20")
    let emmy = try college.insert("Teacher", ["name": "Emmy"])
    let ada = try college.insert("Student", ["name": "Ada", "age": 19])
    _ = try course("Algebra", "Mathematics", emmy)
    let optics = try course("Optics", "Physics")
    try optics.add([ada], to: "students")
    try context.save()
    #expect(list.changes() == ["+ Mathematics", "+ [0, 0]"])
    try ada.set("age", to: 21)
    try context.save()
    #expect(list.changes() == ["+ Physics", "+ [1, 0]"])
    try emmy.set("name", to: "Lise")
    try context.save()
    #expect(list.changes() == ["- Mathematics", "- [0, 0]"])
    // Only a pair of the relationship changes, and no object's values.
    try optics.remove([ada], from: "students")
    try context.save()
    #expect(list.changes() == ["- Physics", "- [0, 0]"])
    #expect(list.errors.isEmpty)
  }

  /// The list is the one that the predicate finds in memory.
  @Test func predicatesMayGoOnAfterAToMany() throws {
    let predicate = "ANY courses.teacher.myclass.name == 'A'"
    let list = try FollowedList(
      college.stack,
      ObjectFetchRequest("Student", where: try ObjectPredicate(predicate), sort: [SortKey("name")]))
    let memory = try ObjectStack(model: College.model(), store: .memory())
    let inMemory = memory.newContext()
    for context in [context, inMemory] {
      for (name, group) in [("Ada", "A"), ("Blaise", "B")] {
        let made = try ["Student", "Course", "Teacher", "MyClass"].map { try context.insert($0) }
        try made[0].set("name", to: .string(name))
        try made[0].add([made[1]], to: "courses")
        try made[1].set("teacher", to: made[2])
        try made[2].set("myclass", to: made[3])
        try made[3].set("name", to: .string(group))
      }
      try context.save()
    }
    #expect(list.changes() == ["+ [0, 0]"])
    func found() throws -> [Value] {
      try inMemory.fetch(ObjectFetchRequest("Student", where: try ObjectPredicate(predicate))).map {
        try $0.value("name")
      }
    }
    #expect(try list.names("name", in: context) == [": Ada"] && found() == ["Ada"])
    for context in [context, inMemory] {
      for group in try context.fetch(ObjectFetchRequest("MyClass")) { try group.set("name", to: "A") }
      try context.save()
    }
    _ = list.changes()
    #expect(try list.names("name", in: context) == [": Ada, Blaise"] && found().count == 2)
    #expect(list.errors.isEmpty)
  }

  /// The cells of a table ask for one object after the other.
  @Test func aPageOfObjectsTakesOneStatementAndOneForEachRelationship() throws {
    let classes = try (0..<5).map { try college.insert("MyClass", ["name": .string("\($0)")]) }
    let cad = try college.insert("Course", ["title": "CAD"])
    for number in 0..<300 {
      let name = Value.string("\(1000 + number)")
      try college.insert("Student", ["name": name], ["myclass": classes[number % 5]]).add([cad], to: "courses")
    }
    try context.save()
    var request = ObjectFetchRequest("Student", sort: [SortKey("name")])
    request.prefetch = ["myclass", "courses"]
    let list = try FollowedList(college.stack, request)
    let reading = college.stack.newContext()
    func statements(_ rows: some Sequence<Int>) throws -> Int {
      _ = college.takeStatements()
      for row in rows {
        let student = try #require(try list.controller.object(at: RowPath(section: 0, row: row), in: reading))
        #expect(try student.value("name") == .string("\(1000 + row)"))
        #expect(try student.object("myclass")?.value("name") == .string("\(row % 5)"))
        #expect(try student.objects("courses").count == 1)
      }
      // The list itself looks for writes meanwhile.
      return college.takeStatements().count { $0.contains("json_each") }
    }
    #expect(try statements(0..<50) == 3)
    #expect(try statements(0..<50) == 0)
    #expect(try statements(180..<230) == 2, "the classes are known")
    // Upwards, line by line.
    #expect(try statements((130..<180).reversed()) == 2)
    #expect(try statements((0..<50).reversed()) == 0)
  }

  @Test func otherWritersAreSeen() throws {
    let list = try courses()
    let other = try ObjectStack(model: College.model(), store: .sqlite(college.path))
    let theirs = other.newContext()
    let algebra = try theirs.insert("Course")
    try algebra.set("title", to: "Algebra")
    try algebra.set("subject", to: "Mathematics")
    try theirs.save()
    #expect(list.awaitedChanges() == ["+ Mathematics", "+ [0, 0]"])
    let held = try list.controller.object(at: RowPath(section: 0, row: 0), in: context)
    #expect(try held?.value("title") == "Algebra")
    try algebra.set("title", to: "Rings")
    try theirs.save()
    for _ in 0..<10_000 where list.waiting == 0 { usleep(1000) }
    let update = try #require(list.updates().first)
    #expect(update.changes.updates.map(\.id) == [algebra.objectID.number])
    // The context keeps what it has read until it applies the update.
    #expect(try held?.value("title") == "Algebra")
    try list.controller.refresh(context, with: update)
    #expect(try list.names("title", in: context) == ["Mathematics: Rings"])
    // Another program writes without raising the version.
    try college.run("UPDATE Course SET title = 'Fields'")
    #expect(list.awaitedChanges() == ["* [0, 0]"])
  }

  @Test func anotherRequestIsAChangeSet() throws {
    _ = try course("Algebra", "Mathematics", try college.insert("Teacher", ["name": "Zermelo"]))
    _ = try course("Optics", "Physics", try college.insert("Teacher", ["name": "Alhazen"]))
    try context.save()
    let list = try courses()
    let byTeacher = ObjectFetchRequest("Course", sort: [SortKey("teacher.name", fold: .caseInsensitive)])
    try list.controller.setRequest(byTeacher)
    #expect(list.changes() == ["- Mathematics", "- Physics", "+ ", "> [1, 0] [0, 0]", "> [0, 0] [0, 1]"])
    #expect(try list.names("title", in: context) == [": Optics, Algebra"])
    // Only the new request depends on the teacher's name.
    try college.run("UPDATE Person SET name = 'aaron' WHERE name = 'Zermelo'")
    #expect(list.awaitedChanges().count == 1)
    #expect(try list.names("title", in: context) == [": Algebra, Optics"])
    #expect(throws: LiveResultsError.self) { try list.controller.setRequest(ObjectFetchRequest("Student")) }
    #expect(list.errors.isEmpty)
  }

  @Test func aListOfAParentEntityHasObjectsOfItsChildren() throws {
    let list = try FollowedList(college.stack, ObjectFetchRequest("Person", sort: [SortKey("name")]))
    try college.insert("Teacher", ["name": "Emmy"])
    let guest = try college.insert("Guest", ["name": "David"])
    try context.save()
    #expect(list.changes() == ["+ [0, 0]", "+ [0, 1]"])
    #expect(try list.controller.objectID(at: RowPath(section: 0, row: 0)) == guest.objectID)
    #expect(try list.controller.objectID(at: RowPath(section: 0, row: 1)).entity == "Teacher")
    let guests = try FollowedList(college.stack, ObjectFetchRequest("Guest"))
    #expect(try guests.names("name", in: context) == [": David"])
  }

  @Test func untrackableRequestsAreReported() throws {
    func field(_ change: (inout ObjectFetchRequest) throws -> Void, _ section: String? = nil) throws -> String? {
      var request = ObjectFetchRequest("Student")
      try change(&request)
      do throws(LiveResultsError) {
        _ = try FetchedResultsController(college.stack, request: request, sectionKeyPath: section)
        return nil
      } catch {
        switch error {
        case .objects(.badRequest(let field)): return field
        case .objects(.wrongKind(let key)): return key
        case .objects(.predicate): return "predicate"
        case .objects(.unknownEntity(let name)), .notFollowed(let name): return name
        default: return "\(error)"
        }
      }
    }
    #expect(try field { _ in } == nil)
    #expect(try field { $0.limit = 5 } == "limit")
    #expect(try field { $0.offset = 5 } == "offset")
    #expect(try field { $0.result = .count } == "result")
    #expect(try field { $0.entity = "None" } == "None")
    #expect(try field({ _ in }, "courses.title") == "predicate")
    #expect(try field({ _ in }, "myclass") == "myclass")
    let memory = try ObjectStack(model: College.model(), store: .memory())
    #expect(throws: LiveResultsError.self) {
      try FetchedResultsController(memory, request: ObjectFetchRequest("Student"))
    }
    // A section that does not agree with the order is found when the list is read.
    try college.insert("Student", ["name": "a", "age": 1])
    try college.insert("Student", ["name": "b", "age": 2])
    try college.insert("Student", ["name": "c", "age": 1])
    try context.save()
    let wrong = try FetchedResultsController(
      college.stack, request: ObjectFetchRequest("Student", sort: [SortKey("name")]), sectionKeyPath: "age")
    #expect(throws: LiveResultsError.self) { try wrong.performFetch() }
  }
}
