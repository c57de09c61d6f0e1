import Foundation
import ObjectGraph
import Testing

/// The library as another package sees it.
struct PublicInterfaceTests {
  final class Teacher: ManagedObject {
    static let name = AttributeKey<Teacher, String>("name")
    static let courses = ToManyKey<Teacher, Course>("courses")
  }

  final class Course: ManagedObject {
    enum Level: String, AttributeValue { case first, second }
    static let title = AttributeKey<Course, String?>("title")
    static let level = AttributeKey<Course, Level>("level")
    static let seats = AttributeKey<Course, Int>("seats")
    static let teacher = ToOneKey<Course, Teacher>("teacher")
    override func awakeFromInsert() { awake = true }
    private(set) var awake = false
  }

  private func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Teacher", attributes: [AttributeDescription("name", .string, isOptional: false, maximumLength: 5)],
        relationships: [.toMany("courses", "Course", inverse: "teacher", isOrdered: true, deleteRule: .cascade)],
        class: Teacher.self),
      EntityDescription(
        "Course",
        attributes: [
          AttributeDescription("title", .string), AttributeDescription("level", .string, default: "first"),
          AttributeDescription("seats", .integer, default: 10),
        ],
        relationships: [.toOne("teacher", "Teacher", inverse: "courses")], class: Course.self),
    ])
  }

  @Test func anotherPackageUsesTypedKeys() throws {
    let stack = try ObjectStack(model: model(), store: .memory())
    let context = stack.newContext(mergePolicy: .byProperty)
    let teacher = try context.insert(Teacher.self)
    let course = try context.insert(Course.self)
    #expect(course.awake)
    try course.set(Course.title, to: "CAD")
    try course.set(Course.level, to: .second)
    try course.set(Course.teacher, to: teacher)
    #expect(try teacher.value(Teacher.courses).first === course)
    #expect(try course.value(Course.seats) == 10)
    do {
      try context.save()
      Issue.record("a teacher needs a name")
    } catch {
      guard case .validation(let issues) = error else { throw error }
      #expect(issues.map(\.property) == ["name"])
      #expect(issues.map(\.rule) == [.missing])
    }
    try teacher.set(Teacher.name, to: "Ann")
    try context.save()
    let found = try stack.newContext().fetch(Course.self, where: Course.seats > 5 && Course.level == .second)
    #expect(try found.map { try $0.value(Course.title) } == ["CAD"])
    try context.delete(teacher)
    #expect(course.isDeleted)
  }

  @Test func aRequestGivesObjectsOfAClass() throws {
    let context = try ObjectStack(model: model(), store: .memory()).newContext()
    for title in ["CAD", "C", "Rings"] { try context.insert(Course.self).set(Course.title, to: title) }
    var request = ObjectFetchRequest("Course", sort: [SortKey("title")])
    request.limit = 2
    #expect(try context.fetch(request, as: Course.self).map { try $0.value(Course.title) } == ["C", "CAD"])
    #expect(throws: ObjectGraphError.self) { try context.fetch(request, as: Teacher.self) }
    #expect(try context.fetch(ObjectFetchRequest("Teacher"), as: Teacher.self).isEmpty)
  }

  @Test func anObjectIsFoundByTheNumberOfItsRow() throws {
    let model = try ObjectModel(entities: [
      EntityDescription("Person", isAbstract: true), EntityDescription("Student", parent: "Person"),
      EntityDescription("Tutor", parent: "Person"),
    ])
    let stack = try ObjectStack(model: model, store: .memory())
    let filling = stack.newContext()
    let (student, tutor) = (try filling.insert("Student"), try filling.insert("Tutor"))
    try filling.save()
    let context = stack.newContext()
    for object in [student, tutor] {
      let number = try #require(object.objectID.number)
      let found = try #require(try context.object("Person", number: number))
      #expect(found.objectID == object.objectID)
      #expect(try context.object(object.entity.name, number: number) === found)
    }
    let number = try #require(tutor.objectID.number)
    #expect(try context.object("Student", number: number) == nil)
    #expect(try context.object("Person", number: 99) == nil)
    #expect(try context.newChild().object("Person", number: number)?.objectID == tutor.objectID)
    #expect(throws: ObjectGraphError.self) { try context.object("Nobody", number: 1) }
  }
}
