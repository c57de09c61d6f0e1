import Foundation

@testable import ObjectGraph

/// A college of declared classes. Nobody names the other side of a teacher's classes: there is only one.
enum Declared {
  class Person: Object {
    @Attribute(.length(1...20)) var name = ""
    @Attribute(.range(15...99)) var age: Int?
  }

  final class Student: Person {
    @ToOne(inverse: \Group.students) var `class`: Group?
    @ToMany(inverse: \Course.students, onDelete: .deny) var courses: [Course]
    var label: String { "\(name) (\(age ?? 0))" }
    var shout: String { name.uppercased() }
  }

  final class Teacher: Person {
    @ToOne var group: Group? = nil
    @Attribute var rank = Rank.lecturer
  }

  final class Group: Object {
    @Attribute(.length(1...)) var name = ""
    @ToMany(onDelete: .cascade, ordered: true) var students: [Student]
    @ToOne var teacher: Teacher?
  }

  final class Course: Object {
    @Attribute var name = ""
    @Attribute var credits = 0.0
    @Attribute var begins: Date?
    @Attribute var isOnline = false
    @ToMany var students: [Student] = []
  }

  enum Rank: String, AttributeValue, Sendable { case lecturer, professor }

  static let classes: [Object.Type] = [Person.self, Student.self, Teacher.self, Group.self, Course.self]

  static func context() throws -> ObjectContext {
    let model = try ObjectModel(classes: classes) { if $0.name == "Person" { $0.isAbstract = true } }
    return try ObjectStack(model: model, store: .memory()).newContext()
  }
}
