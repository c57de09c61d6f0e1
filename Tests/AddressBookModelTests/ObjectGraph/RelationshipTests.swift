import Contacts
import GRDB
import Synchronization
import Testing

@testable import AddressBookModel

/// Inverses, delete rules and prefetching, on a model that knows no contacts.
struct RelationshipTests {
  private let store: Store
  private let context: ObjectContext
  private let department: ManagedObject
  private let course: ManagedObject
  private let teacher: ManagedObject

  init() throws {
    store = try School.store()
    context = School.context(store)
    department = context.insert("Department")
    department.setText("Mathematics", of: "name")
    teacher = context.insert("Teacher")
    teacher.setText("Emmy", of: "name")
    course = context.insert("Course")
    course.setText("Algebra", of: "title")
    try course.relate("department", to: department)
    try teacher.relate("department", to: department)
    try teacher.add(course, to: "courses")
    try context.save()
  }

  @Test func bothSidesFollow() throws {
    #expect(try department.objects("courses").map(\.objectID) == [course.objectID])
    #expect(try course.related("teacher") === teacher)
    try course.relate("teacher", to: nil)
    #expect(try teacher.objects("courses").isEmpty)
    try context.save()
    #expect(try count("course WHERE teacher_id IS NULL") == 1)
  }

  @Test func manyToManyIsOnePair() throws {
    let student = context.insert("Student")
    student.setText("Ada", of: "name")
    try student.add(course, to: "courses")
    #expect(try course.ids("students") == [student.objectID])
    try context.save()
    #expect(try count("enrolment") == 1)
    #expect(student.version == 1)
    try course.remove(student, from: "students")
    #expect(try student.ids("courses").isEmpty)
    try context.save()
    #expect(try count("enrolment") == 0)
    // A change of the pair from the other end counts as a change of the student.
    #expect(student.version == 2)
  }

  @Test func denyHoldsUntilTheLastOneIsGone() throws {
    try context.delete(department)
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .invalid(let issues)? = error else { return #expect(Bool(false)) }
    #expect(issues == [ValidationIssue(entity: "Department", property: "teachers", rule: "denied", arguments: ["1"])])
    #expect(try count("department") == 1)
    try context.delete(teacher)
    try context.save()
    // Cascade took the courses.
    #expect(try count("department") + count("course") + count("teacher") == 0)
  }

  @Test func nullifyLeavesTheOthers() throws {
    try context.delete(teacher)
    try context.save()
    #expect(try count("course WHERE teacher_id IS NULL") == 1)
    #expect(try course.related("teacher") == nil)
    try context.undo()
    try context.save()
    #expect(try count("teacher") == 1)
    #expect(try course.related("teacher") === teacher)
    #expect(try count("course WHERE teacher_id IS NOT NULL") == 1)
  }

  @Test func everyIssueIsNamedAtOnce() throws {
    let lonely = context.insert("Course")
    lonely.setValue("many".databaseValue, of: "credits")
    department.setText(String(repeating: "x", count: 41), of: "name")
    for name in ["A", "B", "C", "D"] {
      let student = context.insert("Student")
      student.setText(name, of: "name")
      try student.add(course, to: "courses")
    }
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .invalid(let issues)? = error else { return #expect(Bool(false)) }
    #expect(
      Set(issues.map { "\($0.entity).\($0.property):\($0.rule)" }) == [
        "Course.credits:kind", "Course.department:missing", "Department.name:tooLong", "Course.students:tooMany",
      ])
    #expect(try count("student") == 0)
  }

  @Test func aPageOfChildrenIsOneQuery() throws {
    for number in 0..<40 {
      let more = context.insert("Department")
      more.setText("D\(number)", of: "name")
      let course = context.insert("Course")
      try course.relate("department", to: more)
    }
    try context.save()
    let other = School.context(store)
    let departments = try other.objects((1...41).map { ObjectID(entity: "Department", row: $0) })
    #expect(departments.count == 41)
    let counter = QueryCounter()
    store.database.writeWithoutTransaction { db in db.trace { _ in counter.add() } }
    try other.prefetch(["courses"], of: departments)
    let queries = counter.count
    for department in departments { #expect(try department.objects("courses").count == 1) }
    #expect(counter.count == queries)
    #expect(queries < 8)
  }

  private func count(_ what: String) throws -> Int {
    try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(what)") ?? 0 }
  }
}

final class QueryCounter: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  func add() { number.withLock { $0 += 1 } }
}
