import Foundation
import Testing

@testable import ObjectGraph

@Suite struct DeclaredObjectTests {
  private typealias Student = Declared.Student
  private typealias Group = Declared.Group
  private typealias Course = Declared.Course

  private func filled() throws -> ObjectContext {
    let context = try Declared.context()
    let first = try context.insert(Group.self) { $0.name = "1A" }
    let second = try context.insert(Group.self) { $0.name = "1B" }
    let cad = try context.insert(Course.self) { (course: Course) in
      course.name = "CAD"
      course.credits = 2.5
    }
    for (name, age, group) in [("李斌", 21, first), ("Bo", 17, first), ("Cy", 30, second)] {
      try context.insert(Student.self) {
        $0.name = name
        $0.age = age
        $0.class = group
        if age > 20 { $0.courses = [cad] }
      }
    }
    try context.save()
    return context
  }

  @Test func anAttributeThatIsABooleanIsACondition() throws {
    let context = try filled()
    let course = try #require(try context.first(Course.where { !$0.isOnline && $0.name == "CAD" }))
    #expect(try context.first(Course.where { $0.isOnline }) == nil)
    course.isOnline = true
    #expect(try context.first(Course.where { $0.credits > 9 || $0.isOnline }) === course)
    #expect(try context.count(Student.where { $0.courses.any.isOnline }) == 2)
    #expect(try context.count(Student.where { $0.courses.count { $0.isOnline } == 1 }) == 2)
    #expect(try context.count(Course.where { !$0.isOnline }) == 0)
  }

  @Test func theModelIsTheListOfClasses() throws {
    let model = try ObjectModel(classes: Declared.classes) { if $0.name == "Person" { $0.isAbstract = true } }
    let student = try model.entity("Student")
    #expect(student.attributes.map(\.name) == ["name", "age"])
    #expect(try model.entity("Student").description.parent == "Person")
    #expect(try model.entity("Person").isAbstract)
    let name = try #require(student.attributes.first { $0.name == "name" }).description
    #expect(name.minimumLength == 1 && name.maximumLength == 20 && !name.isOptional && name.defaultValue == "")
    let age = try #require(student.attributes.first { $0.name == "age" }).description
    #expect(age.minimum == 15 && age.maximum == 99 && age.isOptional && age.type == .integer)
    let courses = try #require(student.relationships.first { $0.name == "courses" }).description
    #expect(courses.inverse == "students" && courses.destination == "Course" && courses.deleteRule == .deny)
    let teacher = try #require(model.entity("Group").relationships.first { $0.name == "teacher" }).description
    #expect(teacher.inverse == "group")
    #expect(try model.entity("Teacher").attributes.first { $0.name == "rank" }?.description.defaultValue == "lecturer")
  }

  @Test func propertiesAreReadAndSet() throws {
    let context = try filled()
    let bo = try #require(try context.first(Student.where { $0.name == "Bo" }))
    #expect(bo.name == "Bo" && bo.age == 17 && bo.class?.name == "1A" && bo.courses.isEmpty)
    #expect(bo.class?.students.map(\.name) == ["李斌", "Bo"])
    bo.age = nil
    bo.class = nil
    bo.courses = try context.fetch(Course.all)
    #expect(bo.age == nil && bo.class == nil && bo.courses.first?.students.count == 3)
    context.undo()
    #expect(bo.courses.isEmpty && bo.class == nil)
  }

  @Test func conditionsKnowTheClass() throws {
    let context = try filled()
    func names(_ query: ObjectQuery<Student>) throws -> [String] { try context.fetch(query).map(\.name) }
    let byName = Student.sorted(by: \.name)
    #expect(try names(byName) == ["Bo", "Cy", "李斌"])
    let bo = try #require(try context.first(Student.where { $0.name == "Bo" }))
    #expect(try names(byName.where { $0.age >= 18 && $0.class.name == "1A" }) == ["李斌"])
    #expect(
      try names(byName.where { $0.courses.count == 0 || $0.courses.any.name == "CAD" && $0.age > 25 }) == ["Bo", "Cy"])
    #expect(try names(byName.where { $0.courses.count(where: { $0.credits > 2 }) == 1 }) == ["Cy", "李斌"])
    #expect(try names(byName.where { $0.class.students.count > 1 }.limit(1)) == ["Bo"])
    let group = try #require(try context.first(Group.where { $0.name == "1B" }))
    #expect(try names(byName.where { $0.class == group }) == ["Cy"])
    #expect(try names(byName.where { $0.class == nil }).isEmpty)
    #expect(try names(byName.where { $0.class == bo.class }) == ["Bo", "李斌"])
    bo.class = nil
    #expect(try names(byName.where { $0.class == bo.class }) == ["Bo"])
    #expect(try names(byName.where { $0.class != bo.class }) == ["Cy", "李斌"])
    let sorted = Student.sorted(by: \.class?.name, \.age).prefetching(\.class, \.courses)
    #expect(sorted.request.sort.map(\.key) == ["class.name", "age"])
    #expect(sorted.request.prefetch == ["class", "courses"])
    #expect(try names(sorted) == ["Bo", "李斌", "Cy"])
    #expect(try names(Student.all.sorted(by: \.age, ascending: false).offset(1)) == ["李斌", "Bo"])
    #expect(try context.count(Student.where { $0.name.beginsWith("b", options: .caseInsensitive) }) == 1)
    let teachers = try context.fetch(Declared.Teacher.where { $0.rank == .professor })
    #expect(teachers.isEmpty)
  }

  @Test func groupsAreRowsOfTheirTypes() throws {
    let context = try filled()
    let rows = try context.rows(
      Student.grouped(by: \.class?.name) {
        (
          name: $0.key, count: $0.count, mean: $0.average(\.age), oldest: $0.maximum(\.age),
          adults: $0.count { $0.age >= 18 }
        )
      })
    #expect(rows.map(\.name) == ["1A", "1B"])
    #expect(rows.map(\.count) == [2, 1])
    #expect(rows.map(\.mean) == [19, 30])
    #expect(rows.map(\.oldest) == [21, 30])
    #expect(rows.map(\.adults) == [1, 1])
    let sums = try context.rows(Course.all.grouped(by: \.name) { ($0.key, $0.sum(\.credits)) })
    #expect(sums.map(\.0) == ["CAD"] && sums.map(\.1) == [2.5])
  }

  /// The closure may ask some groups for more than others, and a key need not have a value for an empty text.
  @Test func groupsMayAskForDifferentThings() throws {
    let context = try filled()
    let rows = try context.rows(
      Student.grouped(by: \.class?.name) { ($0.key, $0.count > 1 ? $0.average(\.age) : nil, $0.count { $0.age > 20 }) })
    #expect(rows.map(\.0) == ["1A", "1B"] && rows.map(\.1) == [19, nil] && rows.map(\.2) == [1, 1])
    try context.insert(Declared.Teacher.self) {
      $0.name = "Dr. Q"
      $0.rank = .professor
    }
    let ranks = try context.rows(Declared.Teacher.grouped(by: \.rank) { (rank: $0.key, count: $0.count) })
    #expect(ranks.map(\.rank) == [.professor] && ranks.map(\.count) == [1])
    #expect(try context.rows(Course.where { $0.name == "none" }.grouped(by: \.name) { $0.count }).isEmpty)
    #expect(try context.rows(Student.all.limit(1).grouped(by: \.class?.name) { $0.maximum(\.age) }) == [21])
  }

  @Test func aKeyPathOfAComputedPropertyIsRefused() throws {
    let context = try filled()
    for query in [Student.sorted(by: \.label), Student.sorted(by: \.shout), Student.where { $0.shout == "BO" }] {
      do throws(ObjectGraphError) {
        _ = try context.fetch(query)
        Issue.record("it was accepted")
      } catch {
        #expect(error.localizedDescription.contains("is not a declared property of Student"))
      }
    }
  }

  /// A property cannot throw; the next save or fetch does, once.
  @Test func anErrorOfAPropertyIsThrownByTheNextSave() throws {
    let context = try filled()
    let bo = try #require(try context.first(Student.where { $0.name == "Bo" }))
    bo.name = "B\0"
    #expect(bo.name == "Bo" && context.failure != nil)
    bo.age = 18
    #expect(throws: ObjectGraphError.self) { try context.save() }
    #expect(context.failure == nil)
    try context.save()
    let other = try Declared.context()
    let stranger = try other.insert(Group.self) { $0.name = "2A" }
    bo.class = stranger
    #expect(throws: ObjectGraphError.self) { try context.fetch(Student.all) }
    #expect(bo.class?.name == "1A")
  }

  @Test func anInsertionThatFailsInsertsNothing() throws {
    let context = try filled()
    #expect(throws: ObjectGraphError.self) { try context.insert(Student.self) { $0.name = "\0" } }
    #expect(!context.hasChanges)
    #expect(try context.count(Student.all) == 3)
    try context.insert(Student.self) { $0.name = "New" }
    context.undo()
    #expect(!context.hasChanges, "the insertion and its values are one step")
  }

  @Test func modelsWithWrongSidesAreRefused() {
    final class A: Object {
      @ToMany var bs: [B]
    }
    final class B: Object {
      @ToOne var a: A?
      @ToOne var other: A?
    }
    final class C: Object {
      @ToOne var missing: A?
    }
    #expect(throws: ObjectGraphError.self) { try ObjectModel(classes: [A.self, B.self]) }
    #expect(throws: ObjectGraphError.self) { try ObjectModel(classes: [C.self]) }
  }

  /// The sentence names the class that was forgotten.
  @Test func aClassThatIsNotListedIsNamed() throws {
    do throws(ObjectGraphError) {
      _ = try ObjectModel(classes: [Declared.Person.self, Student.self, Group.self, Declared.Teacher.self])
      Issue.record("it was accepted")
    } catch {
      #expect(error.localizedDescription.contains("Course is not in the list of classes"))
    }
  }

  @Test func aFormHasItsOwnObjects() throws {
    let context = try filled()
    let bo = try #require(try context.first(Student.where { $0.name == "Bo" }))
    let form = context.newChild()
    let own = try #require(try form.object(for: bo))
    own.name = "Bob"
    #expect(own !== bo && bo.name == "Bo")
    try form.save()
    #expect(bo.name == "Bob")
    #expect(try context.fetch(Student.sorted(by: \.age, ascending: false)).first?.name == "Cy")
  }

  @Test func prototypesAreMadeOnceByManyThreads() async throws {
    await withTaskGroup(of: [String].self) { tasks in
      for _ in 0..<32 {
        tasks.addTask { KeyPathRecorder.names(of: \Declared.Student.class?.teacher?.group?.name) }
      }
      for await names in tasks { #expect(names == ["class", "teacher", "group", "name"]) }
    }
  }
}
