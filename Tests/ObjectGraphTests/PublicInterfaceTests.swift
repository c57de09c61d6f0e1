import Foundation
import ObjectGraph
import Testing

/// The library as another package sees it.
struct PublicInterfaceTests {
  final class Teacher: Object {
    @Attribute(.required, .length(...5)) var name: String?
    @ToMany(inverse: \Course.teacher, onDelete: .cascade, ordered: true) var courses: [Course]
  }

  final class Course: Object {
    enum Level: String, AttributeValue { case first, second }
    @Attribute var title: String?
    @Attribute var level = Level.first
    @Attribute var seats = 10
    @ToOne var teacher: Teacher?
    override func awakeFromInsert() { awake = true }
    private(set) var awake = false
  }

  private func stack() throws -> ObjectStack { try ObjectStack(.memory(), Teacher.self, Course.self) }

  @Test func anotherPackageDeclaresClasses() throws {
    let stack = try stack()
    let context = stack.newContext(mergePolicy: .byProperty)
    let teacher = try context.insert(Teacher.self)
    let course = try context.insert(Course.self) {
      $0.title = "CAD"
      $0.level = .second
      $0.teacher = teacher
    }
    #expect(course.awake)
    #expect(teacher.courses.first === course)
    #expect(course.seats == 10)
    do {
      try context.save()
      Issue.record("a teacher needs a name")
    } catch {
      guard case .validation(let issues) = error else { throw error }
      #expect(issues.map(\.property) == ["name"])
      #expect(issues.map(\.rule) == [.missing])
    }
    teacher.name = "Ann"
    try context.save()
    let found = try stack.newContext().fetch(Course.where { $0.seats > 5 && $0.level == .second })
    #expect(found.map(\.title) == ["CAD"])
    try context.delete(teacher)
    #expect(course.isDeleted)
  }

  @Test func aRequestGivesObjectsOfAClass() throws {
    let context = try stack().newContext()
    for title in ["CAD", "C", "Rings"] { try context.insert(Course.self) { $0.title = title } }
    var request = ObjectFetchRequest("Course", sort: [SortKey("title")])
    request.limit = 2
    #expect(try context.fetch(request, as: Course.self).map(\.title) == ["C", "CAD"])
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
