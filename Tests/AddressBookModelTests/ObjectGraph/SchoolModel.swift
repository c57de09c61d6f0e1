import GRDB

@testable import AddressBookModel

/// Another system on the same object layer: departments with courses and teachers, students in many courses.
enum School {
  static let model = ObjectModel([
    EntityDescription(
      name: "Department", table: "department", attributes: [AttributeDescription("name", maximumLength: 40)],
      relationships: [
        RelationshipDescription(
          "courses", to: "Course", inverse: "department", storage: .children(column: "department_id", order: nil),
          deleteRule: .cascade),
        RelationshipDescription(
          "teachers", to: "Teacher", inverse: "department", storage: .children(column: "department_id", order: nil),
          deleteRule: .deny),
      ]),
    EntityDescription(
      name: "Teacher", table: "teacher", attributes: [AttributeDescription("name")],
      relationships: [
        RelationshipDescription("department", to: "Department", inverse: "teachers", storage: .column("department_id")),
        RelationshipDescription(
          "courses", to: "Course", inverse: "teacher", storage: .children(column: "teacher_id", order: nil),
          deleteRule: .nullify),
      ]),
    EntityDescription(
      name: "Course", table: "course",
      attributes: [AttributeDescription("title"), AttributeDescription("credits", kind: .integer)],
      relationships: [
        RelationshipDescription(
          "department", to: "Department", inverse: "courses", storage: .column("department_id"), isOptional: false),
        RelationshipDescription("teacher", to: "Teacher", inverse: "courses", storage: .column("teacher_id")),
        RelationshipDescription(
          "students", to: "Student", inverse: "courses",
          storage: .join(table: "enrolment", own: "course_id", other: "student_id"), maximumCount: 3),
      ]),
    EntityDescription(
      name: "Student", table: "student", attributes: [AttributeDescription("name")],
      relationships: [
        RelationshipDescription(
          "courses", to: "Course", inverse: "students",
          storage: .join(table: "enrolment", own: "student_id", other: "course_id"))
      ], bookkeeping: Bookkeeping(version: "version", modified: "modified")),
  ])

  /// A store with the tables of the model beside the book's.
  static func store() throws -> Store {
    let store = try Store.open(.inMemory, access: .readWrite)
    try store.write { db in
      try db.execute(
        sql: """
          CREATE TABLE department (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL) STRICT;
          CREATE TABLE teacher (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, department_id INTEGER REFERENCES department) STRICT;
          CREATE TABLE course (
            id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, credits INTEGER NOT NULL,
            department_id INTEGER NOT NULL REFERENCES department, teacher_id INTEGER REFERENCES teacher) STRICT;
          CREATE TABLE student (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, version INTEGER NOT NULL, modified TEXT NOT NULL) STRICT;
          CREATE TABLE enrolment (
            course_id INTEGER REFERENCES course ON DELETE CASCADE, student_id INTEGER REFERENCES student ON DELETE CASCADE,
            PRIMARY KEY (course_id, student_id)) STRICT;
          """)
    }
    return store
  }

  static func context(_ store: Store) -> ObjectContext {
    ObjectContext(model: model, source: StoreSource(store: store, model: model))
  }
}
