import ObjectGraph

/// A school as in Core Data tutorials: courses that teachers teach and students attend, and classes, which are the
/// dates of a course.
enum School {
  final class Teacher: ManagedObject {
    static let name = AttributeKey<Teacher, String>("name")
    static let courses = ToManyKey<Teacher, Course>("courses")
  }

  final class Course: ManagedObject {
    static let title = AttributeKey<Course, String>("title")
    static let subject = AttributeKey<Course, String>("subject")
    static let teacher = ToOneKey<Course, Teacher>("teacher")
    static let classes = ToManyKey<Course, Class>("classes")
    static let students = ToManyKey<Course, Student>("students")
  }

  final class Class: ManagedObject {
    static let day = AttributeKey<Class, Int>("day")
    static let course = ToOneKey<Class, Course>("course")
  }

  final class Student: ManagedObject {
    static let name = AttributeKey<Student, String>("name")
    static let courses = ToManyKey<Student, Course>("courses")
  }

  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Teacher", attributes: [AttributeDescription("name", .string, isOptional: false)],
        relationships: [.toMany("courses", "Course", inverse: "teacher", deleteRule: .nullify)], class: Teacher.self),
      EntityDescription(
        "Course",
        attributes: [
          AttributeDescription("title", .string, isOptional: false, maximumLength: 60),
          AttributeDescription("subject", .string, isOptional: false),
        ],
        relationships: [
          .toOne("teacher", "Teacher", inverse: "courses"),
          .toMany("classes", "Class", inverse: "course", deleteRule: .cascade),
          .toMany("students", "Student", inverse: "courses", deleteRule: .deny),
        ], class: Course.self),
      EntityDescription(
        "Class", attributes: [AttributeDescription("day", .integer, isOptional: false)],
        relationships: [.toOne("course", "Course", inverse: "classes", isOptional: false)], class: Class.self),
      EntityDescription(
        "Student", attributes: [AttributeDescription("name", .string, isOptional: false)],
        relationships: [.toMany("courses", "Course", inverse: "students")], class: Student.self),
    ])
  }
}
