import LiveResults
import Testing

/// Courses, teachers, students and classes: delete rules of the object graph, and a list of courses that follows them.
@Suite(.timeLimit(.minutes(1)))
struct SchoolTests {
  private let store: LiveStore
  private let courses: FollowedList<School.Course>
  private var context: ObjectContext { store.context }

  init() async throws {
    store = try LiveStore(School.classes)
    courses = try await FollowedList(store.stack.list(School.Course.sorted(by: \.title), sections: \.subject))
  }

  @discardableResult
  private func course(_ title: String, _ subject: String, teacher: School.Teacher? = nil) throws -> School.Course {
    try context.insert(School.Course.self) {
      $0.title = title
      $0.subject = subject
      $0.teacher = teacher
    }
  }

  private func teacher(_ name: String) throws -> School.Teacher {
    try context.insert(School.Teacher.self) { $0.name = name }
  }

  @discardableResult
  private func student(_ name: String) throws -> School.Student {
    try context.insert(School.Student.self) { $0.name = name }
  }

  @Test func aSaveIsOneChangeOfTheList() async throws {
    let emmy = try teacher("Emmy")
    try course("Algebra", "Mathematics", teacher: emmy)
    try course("Rings", "Mathematics", teacher: emmy)
    try course("Optics", "Physics")
    #expect(courses.list.count == 0, "nothing is saved yet")
    try context.save()
    #expect(try await courses.changes() == ["+ Mathematics", "+ Physics", "+ [0, 0]", "+ [0, 1]", "+ [1, 0]"])
    #expect(courses.texts(\.title) == ["Mathematics": ["Algebra", "Rings"], "Physics": ["Optics"]])
  }

  @Test func anotherSubjectIsAMove() async throws {
    let optics = try course("Optics", "Physics")
    try course("Algebra", "Mathematics")
    try context.save()
    _ = try await courses.changes()
    optics.subject = "Mathematics"
    try context.save()
    #expect(try await courses.changes() == ["- Physics", "> [1, 0] [0, 1]"])
    #expect(context.undo())
    try context.save()
    #expect(try await courses.changes() == ["+ Physics", "> [0, 1] [1, 0]"])
  }

  @Test func aTeachersCoursesStay() async throws {
    let emmy = try teacher("Emmy")
    let algebra = try course("Algebra", "Mathematics", teacher: emmy)
    try context.save()
    _ = try await courses.changes()
    try context.delete(emmy)
    try context.save()
    #expect(try await courses.changes() == ["* [0, 0]"])
    #expect(algebra.teacher == nil)
    #expect(try store.count(School.Course.where { $0.teacher == nil }) == 1)
  }

  @Test func theClassesOfACourseAreDeletedWithIt() async throws {
    let algebra = try course("Algebra", "Mathematics")
    for day in [7, 14] {
      try context.insert(School.Class.self) {
        $0.day = day
        $0.course = algebra
      }
    }
    try context.save()
    #expect(try store.count(School.Class.all) == 2)
    _ = try await courses.changes()
    try context.delete(algebra)
    try context.save()
    #expect(try await courses.changes() == ["- Mathematics", "- [0, 0]"])
    #expect(try store.count(School.Class.all) == 0)
    #expect(context.undo())
    try context.save()
    #expect(try store.count(School.Class.all) == 2)
    #expect(try await courses.changes() == ["+ Mathematics", "+ [0, 0]"])
  }

  @Test func aCourseWithStudentsCannotBeDeleted() async throws {
    let algebra = try course("Algebra", "Mathematics")
    let ada = try student("Ada")
    ada.courses.append(algebra)
    try context.save()
    _ = try await courses.changes()
    try context.delete(algebra)
    do {
      try context.save()
      Issue.record("the course was deleted")
    } catch {
      guard case .validation(let issues) = error else { throw error }
      #expect(issues.map(\.rule) == [.denied(1)])
    }
    #expect(try store.count(School.Course.all) == 1)
    context.rollback()
    // A student who leaves school leaves the course, which can then be deleted.
    try context.delete(ada)
    try context.save()
    #expect(algebra.students.isEmpty)
    try context.delete(algebra)
    try context.save()
    #expect(try await courses.changes() == ["- Mathematics", "- [0, 0]"])
    #expect(try store.count(School.Course.all) == 0)
  }

  @Test func everyEntityHasAListOfItsOwn() async throws {
    let students = try await FollowedList(store.stack.list(School.Student.sorted(by: \.name)))
    let ada = try student("Ada")
    try student("Blaise")
    try context.save()
    #expect(try await students.changes() == ["+ [0, 0]", "+ [0, 1]"])
    ada.name = "Countess of Lovelace"
    try context.save()
    #expect(try await students.changes() == ["> [0, 0] [0, 1]"])
    #expect(students.texts(\.name) == ["": ["Blaise", "Countess of Lovelace"]])
    // The list of courses was not told of any of this: its first update is this one.
    try course("Algebra", "Mathematics")
    try context.save()
    #expect(try await courses.changes() == ["+ Mathematics", "+ [0, 0]"])
  }

  /// A list has objects of its own context. Another context finds its own by their ids.
  @Test func theObjectOfARowIsFoundByItsID() async throws {
    let algebra = try course("Algebra", "Mathematics")
    try context.save()
    _ = try await courses.changes()
    let row = courses.list[section: 0, row: 0]
    #expect(row !== algebra && row.objectID == algebra.objectID)
    #expect(try context.object(row.objectID) === algebra)
    #expect(courses.list.path(of: algebra) == RowPath(section: 0, row: 0))
  }
}
