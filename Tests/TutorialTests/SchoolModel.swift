import ObjectGraph

/// A school as in Core Data tutorials: courses that teachers teach and students attend, and classes, which are the
/// dates of a course.
enum School {
  final class Teacher: Object {
    @Attribute var name = ""
    @ToMany var courses: [Course]
  }

  final class Course: Object {
    @Attribute(.length(...60)) var title = ""
    @Attribute var subject = ""
    @ToOne(inverse: \Teacher.courses) var teacher: Teacher?
    @ToMany(onDelete: .cascade) var classes: [Class]
    @ToMany(onDelete: .deny) var students: [Student]
  }

  final class Class: Object {
    @Attribute var day = 0
    @ToOne(inverse: \Course.classes, required: true) var course: Course?
  }

  final class Student: Object {
    @Attribute var name = ""
    @ToMany(inverse: \Course.students) var courses: [Course]
  }

  static let classes: [Object.Type] = [Teacher.self, Course.self, Class.self, Student.self]
}
