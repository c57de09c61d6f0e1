import ObjectGraph

/// Fetch requests, starting with the simplest.
struct CollegeQueries {
  private let context: ObjectContext
  private let transcript: Transcript

  init(_ context: ObjectContext, _ transcript: Transcript) {
    self.context = context
    self.transcript = transcript
  }

  func run() throws {
    try predicates()
    try order()
    try aggregates()
    try templates()
  }

  // MARK: -

  private func names(where predicate: ObjectPredicate?) throws -> [String] {
    try context.fetch(Student.self, where: predicate, sort: [SortKey("name")]).map { try $0.value(Student.name) }
  }

  private func predicates() throws {
    transcript.title("Predicates")
    // The format language and the typed operators build the same values.
    transcript.list("older than 19", try names(where: ObjectPredicate("age > %@", 19)))
    transcript.list("the same, typed", try names(where: Student.age > 19))
    for format in [
      "name BEGINSWITH '李'", "age BETWEEN {19, 21}", "age == nil", "name IN {'孙悦', '赵敏'} AND NOT age < 20",
      "myclass.teacher.name == '王芳'", "ANY courses.name == 'CAD'", "ALL courses.teacher.name == '刘洋'",
      "courses.@count >= 2", "SUBQUERY(courses, $c, $c.teacher.name == '刘洋').@count == 2", "name MATCHES '.*(斌|杰)'",
    ] {
      transcript.list(format, try names(where: ObjectPredicate(format)))
    }
    let cad = Student.courses[Course.name].any == "CAD" && Student.myclass[MyClass.name] == "电子2班"
    transcript.list("typed, through relationships", try names(where: cad))
    transcript.line(
      "counted, not fetched: \(try context.count(ObjectFetchRequest("Student", where: Student.age >= 20)))")
    do {
      _ = try names(where: ObjectPredicate("marks > 3"))
    } catch ObjectGraphError.predicate(.unknownKey(let offset, let key, let entity)) {
      transcript.line("unknown key '\(key)' of \(entity ?? "?") at \(offset ?? -1)")
    }
  }

  private func order() throws {
    transcript.title("Order: class by name, then the oldest first")
    var request = ObjectFetchRequest("Student", sort: [SortKey("myclass.name"), SortKey("age", ascending: false)])
    // Prefetch the related objects: otherwise each student's courses would take a statement.
    request.prefetch = ["myclass", "courses"]
    for student in try context.fetch(request, as: Student.self) {
      let myClass = try student.value(Student.myclass)?.value(MyClass.name) ?? "no class"
      let age = try student.value(Student.age).map(String.init) ?? "?"
      let courses = try student.value(Student.courses).map { try $0.value(Course.name) }
      transcript.list("\(myClass) \(try student.value(Student.name)) \(age)", courses)
    }
    request.limit = 2
    request.offset = 2
    let page = try context.fetch(request, as: Student.self)
    transcript.list("the second page of two", try page.map { try $0.value(Student.name) })
  }

  private func aggregates() throws {
    transcript.title("Aggregates: classes of at least two students, the oldest on average first")
    var request = ObjectFetchRequest("Student", where: Student.myclass != nil)
    request.groupBy = ["myclass.name"]
    request.properties = [
      "myclass.name", .function(name: "students", .count, keyPath: "SELF"),
      .function(name: "average", .average, keyPath: "age"), .function(name: "youngest", .minimum, keyPath: "age"),
    ]
    request.having = try ObjectPredicate("students >= 2")
    request.sort = [SortKey("average", ascending: false)]
    for row in try context.dictionaries(request) {
      let values = request.properties.map { column in "\(column.name) \(text(row[column.name]))" }
      transcript.line(values.joined(separator: ", "))
    }
    var ages = ObjectFetchRequest("Student", where: Student.age != nil, sort: [SortKey("age")])
    ages.properties = ["age"]
    ages.isDistinct = true
    transcript.list("ages, each once", try context.dictionaries(ages).map { text($0["age"]) })
  }

  private func templates() throws {
    transcript.title("A template of the model")
    for age in [19, 21] {
      let request = try context.model.template("olderThan", ["AGE": age])
      let found = try context.fetch(request, as: Student.self)
      transcript.list("older than \(age)", try found.map { try $0.value(Student.name) })
    }
  }

  private func text(_ value: Value?) -> String {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    default: "—"
    }
  }
}
