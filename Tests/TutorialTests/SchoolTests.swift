import GRDB
import Testing

@testable import AddressBookModel
@testable import ResultsController

/// Courses, teachers, students and classes: delete rules of the object layer, and a list of courses that follows them.
struct SchoolTests {
  private let store: Store
  private let context: ObjectContext
  private let list: LiveList

  init() throws {
    store = try School.store()
    context = School.context(store)
    list = try LiveList(
      store.database,
      ResultsRequest(
        table: "course", sectionKey: .column("subject"), sortKeys: [SortKey("subject"), SortKey("title")]))
  }

  private func course(_ title: String, _ subject: String, teacher: ManagedObject? = nil) throws -> ManagedObject {
    let course = context.insert("Course")
    course.setText(title, of: "title")
    course.setText(subject, of: "subject")
    try course.relate("teacher", to: teacher)
    return course
  }

  private func named(_ entity: String, _ name: String) -> ManagedObject {
    let object = context.insert(entity)
    object.setText(name, of: "name")
    return object
  }

  private func count(_ what: String) throws -> Int {
    try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(what)") ?? 0 }
  }

  @Test func aSaveIsOneChangeOfTheList() throws {
    let emmy = named("Teacher", "Emmy")
    _ = try course("Algebra", "Mathematics", teacher: emmy)
    _ = try course("Rings", "Mathematics", teacher: emmy)
    _ = try course("Optics", "Physics")
    #expect(list.changes().isEmpty, "nothing is saved yet")
    try context.save()
    #expect(list.changes() == ["+ Mathematics", "+ Physics", "+ [0, 0]", "+ [0, 1]", "+ [1, 0]"])
    #expect(try list.texts() == ["Mathematics": ["Algebra", "Rings"], "Physics": ["Optics"]])
  }

  @Test func anotherSubjectIsAMove() throws {
    let optics = try course("Optics", "Physics")
    _ = try course("Algebra", "Mathematics")
    try context.save()
    _ = list.changes()
    optics.setText("Mathematics", of: "subject")
    try context.save()
    #expect(list.changes() == ["- Physics", "> [1, 0] [0, 1]"])
    try context.undo()
    try context.save()
    #expect(list.changes() == ["+ Physics", "> [0, 1] [1, 0]"])
  }

  @Test func aTeachersCoursesStay() throws {
    let emmy = named("Teacher", "Emmy")
    let algebra = try course("Algebra", "Mathematics", teacher: emmy)
    try context.save()
    _ = list.changes()
    try context.delete(emmy)
    try context.save()
    #expect(list.changes() == ["* [0, 0]"])
    #expect(try algebra.related("teacher") == nil)
    #expect(try count("course WHERE teacher_id IS NULL") == 1)
  }

  @Test func aCoursesClassesGoWithIt() throws {
    let algebra = try course("Algebra", "Mathematics")
    for day in ["2026-09-07", "2026-09-14"] {
      let date = context.insert("Class")
      date.setText(day, of: "held_on")
      try date.relate("course", to: algebra)
    }
    try context.save()
    #expect(try count("class") == 2)
    _ = list.changes()
    try context.delete(algebra)
    try context.save()
    #expect(list.changes() == ["- Mathematics", "- [0, 0]"])
    #expect(try count("class") == 0)
    try context.undo()
    try context.save()
    #expect(try count("class") == 2)
    #expect(list.changes() == ["+ Mathematics", "+ [0, 0]"])
  }

  @Test func aCourseWithStudentsCannotBeDeleted() throws {
    let algebra = try course("Algebra", "Mathematics")
    let ada = named("Student", "Ada")
    try ada.add(algebra, to: "courses")
    try context.save()
    _ = list.changes()
    try context.delete(algebra)
    #expect(throws: SaveError.self) { try context.save() }
    #expect(list.changes().isEmpty)
    #expect(try count("course") == 1)
    context.rollback()
    // Who leaves school leaves the course, which can go then.
    try context.delete(ada)
    try context.save()
    #expect(try count("enrolment") == 0)
    try context.delete(algebra)
    try context.save()
    #expect(list.changes() == ["- Mathematics", "- [0, 0]"])
  }

  @Test func everyEntityHasAListOfItsOwn() throws {
    let students = try LiveList(store.database, ResultsRequest(table: "student", sortKeys: [SortKey("name")]))
    let ada = named("Student", "Ada")
    _ = named("Student", "Blaise")
    try context.save()
    #expect(students.changes() == ["+ [0, 0]", "+ [0, 1]"])
    #expect(list.changes().isEmpty)
    ada.setText("Countess of Lovelace", of: "name")
    try context.save()
    #expect(students.changes().count == 1)
    #expect(try students.texts() == ["": ["Blaise", "Countess of Lovelace"]])
  }
}
