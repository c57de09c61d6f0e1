import GRDB
import Printing
import ResultsController

/// Departments with courses, teachers and students. The delete rules are the database's: a department's courses go with it
/// (cascade), a teacher's courses stay without one (nullify), a course that has students cannot be deleted (deny). The
/// list of courses follows each of them, though nobody wrote `course` itself.
@main
struct Courses {
  struct Course: FetchableRecord, Decodable, Sendable {
    var id: Int64
    var title: String
    var department: String
    var teacher: Int64?

    var line: String { title + (teacher.map { ", teacher \($0)" } ?? ", no teacher") }
  }

  static func main() async throws {
    let database = try memoryDatabase(
      """
      CREATE TABLE department(name TEXT PRIMARY KEY NOT NULL);
      CREATE TABLE teacher(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE course(
        id INTEGER PRIMARY KEY, title TEXT NOT NULL,
        department TEXT NOT NULL REFERENCES department ON DELETE CASCADE ON UPDATE CASCADE,
        teacher INTEGER REFERENCES teacher ON DELETE SET NULL);
      CREATE TABLE student(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE enrolment(
        course INTEGER NOT NULL REFERENCES course ON DELETE RESTRICT,
        student INTEGER NOT NULL REFERENCES student ON DELETE CASCADE, PRIMARY KEY (course, student));
      INSERT INTO department VALUES ('Mathematics'), ('Physics');
      INSERT INTO teacher VALUES (1, 'Emmy'), (2, 'Lise');
      INSERT INTO course VALUES (1, 'Algebra', 'Mathematics', 1), (2, 'Rings', 'Mathematics', 1), (3, 'Optics', 'Physics', 2);
      INSERT INTO student VALUES (1, 'Ada');
      INSERT INTO enrolment VALUES (3, 1);
      """)
    let controller = ResultsController<Course>(
      database,
      request: ResultsRequest(
        table: "course", sectionKey: .column("department"), sortKeys: [SortKey("department"), SortKey("title")]),
      installsTriggers: true, deliver: { $0() })
    var updates = controller.updates.makeAsyncIterator()
    try controller.performFetch()
    // The first one is the list as it is.
    _ = await updates.next()
    try printList(controller) { $0.line }

    for statement in [
      "INSERT INTO course VALUES (4, 'Chemistry of light', 'Physics', NULL)",
      "DELETE FROM teacher WHERE name = 'Emmy'",
      "UPDATE course SET department = 'Mathematics' WHERE title = 'Optics'",
      "DELETE FROM course WHERE title = 'Optics'",
      "DELETE FROM department WHERE name = 'Physics'",
    ] {
      print("\n" + statement)
      do {
        try await database.write { try $0.execute(sql: statement) }
      } catch {
        print("denied: \(error)")
        continue
      }
      if let update = await updates.next() { printChanges(update) }
    }
    print("")
    try printList(controller) { $0.line }
  }
}
