import LiveResults

/// A teacher, whose courses are deleted with the teacher.
final class Teacher: Object {
  @Attribute(.length(1...)) var name = ""
  @ToOne(inverse: \MyClass.teacher) var myclass: MyClass?
  @ToMany(inverse: \Course.teacher, onDelete: .cascade) var courses: [Course]
}

/// A class, whose students are deleted with it.
final class MyClass: Object {
  @Attribute(.length(1...)) var name = ""
  @ToOne var teacher: Teacher?
  @ToMany(inverse: \Student.myclass, onDelete: .cascade) var students: [Student]
}

/// A student, who leaves class and courses when deleted.
final class Student: Object {
  @Attribute(.length(1...)) var name = ""
  @Attribute(.range(15...99)) var age: Int?
  @ToOne var myclass: MyClass?
  @ToMany(inverse: \Course.students) var courses: [Course]
}

/// A course, which cannot be deleted while it has students.
final class Course: Object {
  @Attribute(.length(1...)) var name = ""
  @ToOne var teacher: Teacher?
  @ToMany(onDelete: .deny) var students: [Student]
}
