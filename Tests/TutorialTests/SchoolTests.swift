import ObjectGraph
import ResultsController
import Testing

/// Courses, teachers, students and classes: delete rules of the object graph, and a list of courses that follows them.
@Suite(.timeLimit(.minutes(1)))
struct SchoolTests {
  private let store: LiveStore
  private let list: LiveList
  private var context: ObjectContext { store.context }

  init() async throws {
    store = try LiveStore(School.model())
    list = try await store.list(
      ResultsRequest(table: "Course", sectionKey: .column("subject"), sortKeys: [.init("subject"), .init("title")]))
  }

  private func course(_ title: String, _ subject: String, teacher: School.Teacher? = nil) throws -> School.Course {
    let course = try context.insert(School.Course.self)
    try course.set(School.Course.title, to: title)
    try course.set(School.Course.subject, to: subject)
    try course.set(School.Course.teacher, to: teacher)
    return course
  }

  private func teacher(_ name: String) throws -> School.Teacher {
    let teacher = try context.insert(School.Teacher.self)
    try teacher.set(School.Teacher.name, to: name)
    return teacher
  }

  private func student(_ name: String) throws -> School.Student {
    let student = try context.insert(School.Student.self)
    try student.set(School.Student.name, to: name)
    return student
  }

  @Test func aSaveIsOneChangeOfTheList() async throws {
    let emmy = try teacher("Emmy")
    _ = try course("Algebra", "Mathematics", teacher: emmy)
    _ = try course("Rings", "Mathematics", teacher: emmy)
    _ = try course("Optics", "Physics")
    #expect(list.controller.snapshot.count == 0, "nothing is saved yet")
    try context.save()
    #expect(try await list.changes() == ["+ Mathematics", "+ Physics", "+ [0, 0]", "+ [0, 1]", "+ [1, 0]"])
    #expect(try list.texts() == ["Mathematics": ["Algebra", "Rings"], "Physics": ["Optics"]])
  }

  @Test func anotherSubjectIsAMove() async throws {
    let optics = try course("Optics", "Physics")
    _ = try course("Algebra", "Mathematics")
    try context.save()
    _ = try await list.changes()
    try optics.set(School.Course.subject, to: "Mathematics")
    try context.save()
    #expect(try await list.changes() == ["- Physics", "> [1, 0] [0, 1]"])
    #expect(context.undo())
    try context.save()
    #expect(try await list.changes() == ["+ Physics", "> [0, 1] [1, 0]"])
  }

  @Test func aTeachersCoursesStay() async throws {
    let emmy = try teacher("Emmy")
    let algebra = try course("Algebra", "Mathematics", teacher: emmy)
    try context.save()
    _ = try await list.changes()
    try context.delete(emmy)
    try context.save()
    #expect(try await list.changes() == ["* [0, 0]"])
    #expect(try algebra.value(School.Course.teacher) == nil)
    #expect(try store.count("Course", where: School.Course.teacher == nil) == 1)
  }

  @Test func theClassesOfACourseAreDeletedWithIt() async throws {
    let algebra = try course("Algebra", "Mathematics")
    for day in [7, 14] {
      let date = try context.insert(School.Class.self)
      try date.set(School.Class.day, to: day)
      try date.set(School.Class.course, to: algebra)
    }
    try context.save()
    #expect(try store.count("Class") == 2)
    _ = try await list.changes()
    try context.delete(algebra)
    try context.save()
    #expect(try await list.changes() == ["- Mathematics", "- [0, 0]"])
    #expect(try store.count("Class") == 0)
    #expect(context.undo())
    try context.save()
    #expect(try store.count("Class") == 2)
    #expect(try await list.changes() == ["+ Mathematics", "+ [0, 0]"])
  }

  @Test func aCourseWithStudentsCannotBeDeleted() async throws {
    let algebra = try course("Algebra", "Mathematics")
    let ada = try student("Ada")
    try ada.add([algebra], to: School.Student.courses)
    try context.save()
    _ = try await list.changes()
    try context.delete(algebra)
    do {
      try context.save()
      Issue.record("the course was deleted")
    } catch {
      guard case .validation(let issues) = error else { throw error }
      #expect(issues.map(\.rule) == [.denied(1)])
    }
    #expect(try store.count("Course") == 1)
    context.rollback()
    // A student who leaves school leaves the course, which can then be deleted.
    try context.delete(ada)
    try context.save()
    #expect(try algebra.value(School.Course.students).isEmpty)
    try context.delete(algebra)
    try context.save()
    #expect(try await list.changes() == ["- Mathematics", "- [0, 0]"])
    #expect(try store.count("Course") == 0)
  }

  @Test func everyEntityHasAListOfItsOwn() async throws {
    let students = try await store.list(ResultsRequest(table: "Student", sortKeys: [.init("name")]))
    let ada = try student("Ada")
    _ = try student("Blaise")
    try context.save()
    #expect(try await students.changes() == ["+ [0, 0]", "+ [0, 1]"])
    try ada.set(School.Student.name, to: "Countess of Lovelace")
    try context.save()
    #expect(try await students.changes() == ["> [0, 0] [0, 1]"])
    #expect(try students.texts() == ["": ["Blaise", "Countess of Lovelace"]])
    // The list of courses was not told of any of this: its first update is this one.
    _ = try course("Algebra", "Mathematics")
    try context.save()
    #expect(try await list.changes() == ["+ Mathematics", "+ [0, 0]"])
  }

  @Test func theObjectOfARowIsFoundByItsNumber() async throws {
    let algebra = try course("Algebra", "Mathematics")
    try context.save()
    _ = try await list.changes()
    let row = try list.controller.object(at: RowPath(section: 0, row: 0))
    #expect(try context.object("Course", number: row.number) === algebra)
  }
}
