import ObjectGraph

/// Deleting by the model's delete rules.
struct CollegeDeletes {
  private let context: ObjectContext
  private let transcript: Transcript

  init(_ context: ObjectContext, _ transcript: Transcript) {
    self.context = context
    self.transcript = transcript
  }

  func run() throws {
    transcript.title("Deletes")
    try count("before")
    try delete(Student.self, where: Student.name == "李梅", "nullify: a student leaves class and courses")
    try delete(Course.self, where: Course.name == "CAD", "deny: a course with students")
    try delete(Teacher.self, where: Teacher.name == "刘洋", "cascade meets deny: a teacher whose courses have students")
    try delete(MyClass.self, where: MyClass.name == "电子2班", "cascade: the students of a class are deleted with it")
    try delete(
      Teacher.self, where: Teacher.name == "刘洋", "cascade: the teacher's courses, now empty, are deleted too")
    try delete(Teacher.self, where: Teacher.name == "王芳", "nullify: a class loses its head teacher")
    for myClass in try context.fetch(MyClass.self, sort: [SortKey("name")]) {
      let head = try myClass.value(MyClass.teacher)?.value(Teacher.name) ?? "nobody"
      transcript.line("head teacher of \(try myClass.value(MyClass.name)): \(head)")
    }
  }

  private func delete<Object: ManagedObject>(_ type: Object.Type, where predicate: ObjectPredicate, _ why: String)
    throws
  {
    for object in try context.fetch(type, where: predicate) { try context.delete(object) }
    do {
      try context.save()
      try count(why)
    } catch ObjectGraphError.validation(let issues) {
      transcript.line(why)
      for issue in issues {
        if case .denied(let left) = issue.rule {
          transcript.line("    refused: \(issue.object.entity) has \(issue.property): \(left)")
        }
      }
      context.rollback()
    }
  }

  private func count(_ why: String) throws {
    transcript.line(why)
    let counts = try ["Teacher", "MyClass", "Course", "Student"].map {
      "\($0) \(try context.count(ObjectFetchRequest($0)))"
    }
    transcript.line("    " + counts.joined(separator: ", "))
  }
}
