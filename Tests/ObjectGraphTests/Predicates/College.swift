@testable import ObjectGraph

/// Classes and courses of a college, with typed tokens.
enum College {
  final class Student: ManagedObject {
    static let name = AttributeKey<Student, String?>("name")
    static let age = AttributeKey<Student, Int?>("age")
    static let myclass = ToOneKey<Student, MyClass>("myclass")
    static let courses = ToManyKey<Student, Course>("courses")
  }

  final class MyClass: ManagedObject {
    static let name = AttributeKey<MyClass, String?>("name")
    static let students = ToManyKey<MyClass, Student>("students")
    static let teacher = ToOneKey<MyClass, Teacher>("teacher")
  }

  final class Course: ManagedObject {
    static let name = AttributeKey<Course, String?>("name")
    static let teacher = ToOneKey<Course, Teacher>("teacher")
    static let students = ToManyKey<Course, Student>("students")
  }

  final class Teacher: ManagedObject {
    static let name = AttributeKey<Teacher, String?>("name")
  }

  static func model() throws -> ObjectModel {
    try ObjectModel(
      entities: [
        EntityDescription(
          "Student", attributes: [AttributeDescription("name", .string), AttributeDescription("age", .integer)],
          relationships: [
            .toOne("myclass", "MyClass", inverse: "students"), .toMany("courses", "Course", inverse: "students"),
          ], class: Student.self),
        EntityDescription(
          "MyClass", attributes: [AttributeDescription("name", .string)],
          relationships: [
            .toMany("students", "Student", inverse: "myclass", deleteRule: .noAction),
            .toOne("teacher", "Teacher", inverse: "myclass"),
          ], class: MyClass.self),
        EntityDescription(
          "Course", attributes: [AttributeDescription("name", .string)],
          relationships: [
            .toMany("students", "Student", inverse: "courses"), .toOne("teacher", "Teacher", inverse: "courses"),
          ], class: Course.self),
        EntityDescription(
          "Teacher", attributes: [AttributeDescription("name", .string)],
          relationships: [
            .toOne("myclass", "MyClass", inverse: "teacher"), .toMany("courses", "Course", inverse: "teacher"),
          ], class: Teacher.self),
      ],
      templates: [
        "OlderThan": ObjectFetchRequest("Student", where: try ObjectPredicate("age > $AGE"), sort: [SortKey("age")])
      ])
  }
}
