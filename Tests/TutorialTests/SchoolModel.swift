import GRDB

@testable import AddressBookModel

/// Core Data's school: courses that teachers teach and students visit, and the classes that are their dates.
enum School {
  static let model = ObjectModel([
    EntityDescription(
      name: "Teacher", table: "teacher", attributes: [AttributeDescription("name")],
      relationships: [
        RelationshipDescription(
          "courses", to: "Course", inverse: "teacher", storage: .children(column: "teacher_id", order: nil),
          deleteRule: .nullify)
      ]),
    EntityDescription(
      name: "Course", table: "course",
      attributes: [AttributeDescription("title", maximumLength: 60), AttributeDescription("subject")],
      relationships: [
        RelationshipDescription("teacher", to: "Teacher", inverse: "courses", storage: .column("teacher_id")),
        RelationshipDescription(
          "classes", to: "Class", inverse: "course", storage: .children(column: "course_id", order: nil),
          deleteRule: .cascade),
        RelationshipDescription(
          "students", to: "Student", inverse: "courses",
          storage: .join(table: "enrolment", own: "course_id", other: "student_id"), deleteRule: .deny),
      ]),
    EntityDescription(
      name: "Class", table: "class", attributes: [AttributeDescription("held_on")],
      relationships: [
        RelationshipDescription(
          "course", to: "Course", inverse: "classes", storage: .column("course_id"), isOptional: false)
      ]),
    EntityDescription(
      name: "Student", table: "student", attributes: [AttributeDescription("name")],
      relationships: [
        RelationshipDescription(
          "courses", to: "Course", inverse: "students",
          storage: .join(table: "enrolment", own: "student_id", other: "course_id"))
      ]),
  ])

  static func store() throws -> Store {
    let store = try Store.open(.inMemory, access: .readWrite)
    try store.write { db in
      try db.execute(
        sql: """
          CREATE TABLE teacher(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
          CREATE TABLE course(
            id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, subject TEXT NOT NULL,
            teacher_id INTEGER REFERENCES teacher) STRICT;
          CREATE TABLE class(
            id INTEGER PRIMARY KEY AUTOINCREMENT, held_on TEXT NOT NULL,
            course_id INTEGER NOT NULL REFERENCES course) STRICT;
          CREATE TABLE student(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
          CREATE TABLE enrolment(
            course_id INTEGER REFERENCES course, student_id INTEGER REFERENCES student,
            PRIMARY KEY (course_id, student_id)) STRICT;
          """)
    }
    return store
  }

  static func context(_ store: Store) -> ObjectContext {
    ObjectContext(model: model, source: StoreSource(store: store, model: model))
  }
}
