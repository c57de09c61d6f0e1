@testable import ObjectGraph

/// Classes and courses of a college.
enum College {
  final class Student: Object {
    @Attribute var name: String?
    @Attribute var age: Int?
    @ToOne(inverse: \MyClass.students) var myclass: MyClass?
    @ToMany(inverse: \Course.students) var courses: [Course]
  }

  final class MyClass: Object {
    @Attribute var name: String?
    @ToMany(onDelete: .noAction) var students: [Student]
    @ToOne(inverse: \Teacher.myclass) var teacher: Teacher?
  }

  final class Course: Object {
    @Attribute var name: String?
    @ToMany var students: [Student]
    @ToOne(inverse: \Teacher.courses) var teacher: Teacher?
  }

  final class Teacher: Object {
    @Attribute var name: String?
    @ToOne var myclass: MyClass?
    @ToMany var courses: [Course]
  }

  static func model() throws -> ObjectModel {
    try ObjectModel(
      classes: [Student.self, MyClass.self, Course.self, Teacher.self],
      templates: [
        "OlderThan": ObjectFetchRequest("Student", where: try ObjectPredicate("age > $AGE"), sort: [SortKey("age")])
      ])
  }
}
