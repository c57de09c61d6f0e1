import ObjectGraph

// The classes name each attribute and relationship once, with its Swift type. The compiler then knows the meaning of
// `Student.age > 20`, and that `Student.myclass` points to a `MyClass`.

final class Teacher: ManagedObject {
  static let name = AttributeKey<Teacher, String>("name")
  static let myclass = ToOneKey<Teacher, MyClass>("myclass")
  static let courses = ToManyKey<Teacher, Course>("courses")
}

final class MyClass: ManagedObject {
  static let name = AttributeKey<MyClass, String>("name")
  static let teacher = ToOneKey<MyClass, Teacher>("teacher")
  static let students = ToManyKey<MyClass, Student>("students")
}

final class Student: ManagedObject {
  static let name = AttributeKey<Student, String>("name")
  static let age = AttributeKey<Student, Int?>("age")
  static let myclass = ToOneKey<Student, MyClass>("myclass")
  static let courses = ToManyKey<Student, Course>("courses")
}

final class Course: ManagedObject {
  static let name = AttributeKey<Course, String>("name")
  static let teacher = ToOneKey<Course, Teacher>("teacher")
  static let students = ToManyKey<Course, Student>("students")
}

enum College {
  /// Returns the model: like one drawn in Xcode's editor, but in code.
  static func model() throws -> ObjectModel {
    try ObjectModel(
      entities: [teacher, myClass, student, course],
      templates: [
        "olderThan": ObjectFetchRequest(
          "Student", where: try ObjectPredicate("age > $AGE"), sort: [SortKey("age"), SortKey("name")])
      ],
      localization: LocalizationDictionary([
        "Entity/Student": "学生", "Property/name": "姓名", "Property/age": "年龄",
        "ErrorString/missing": "不能为空", "ErrorString/tooLarge": "太大",
      ]))
  }

  /// A teacher's courses are deleted with the teacher; the class loses its head teacher.
  private static let teacher = EntityDescription(
    "Teacher", attributes: [AttributeDescription("name", .string, isOptional: false, minimumLength: 1)],
    relationships: [
      .toOne("myclass", "MyClass", inverse: "teacher", deleteRule: .nullify),
      .toMany("courses", "Course", inverse: "teacher", deleteRule: .cascade),
    ], class: Teacher.self)

  /// A class has at most one head teacher, and its students are deleted with it.
  private static let myClass = EntityDescription(
    "MyClass", attributes: [AttributeDescription("name", .string, isOptional: false, minimumLength: 1)],
    relationships: [
      .toOne("teacher", "Teacher", inverse: "myclass", deleteRule: .nullify),
      .toMany("students", "Student", inverse: "myclass", deleteRule: .cascade),
    ], class: MyClass.self)

  /// A student who is deleted is removed from the class and the courses.
  private static let student = EntityDescription(
    "Student",
    attributes: [
      AttributeDescription("name", .string, isOptional: false, minimumLength: 1),
      AttributeDescription("age", .integer, minimum: 15, maximum: 99),
    ],
    relationships: [
      .toOne("myclass", "MyClass", inverse: "students", deleteRule: .nullify),
      .toMany("courses", "Course", inverse: "students", deleteRule: .nullify),
    ], class: Student.self)

  /// A course with students cannot be deleted.
  private static let course = EntityDescription(
    "Course", attributes: [AttributeDescription("name", .string, isOptional: false, minimumLength: 1)],
    relationships: [
      .toOne("teacher", "Teacher", inverse: "courses", deleteRule: .nullify),
      .toMany("students", "Student", inverse: "courses", deleteRule: .deny),
    ], class: Course.self)
}
