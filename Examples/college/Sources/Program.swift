import Foundation
import LiveResults

@main
struct Program {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("college-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stack = try ObjectStack(
      .sqlite(folder.appendingPathComponent("college.db").path), Teacher.self, MyClass.self, Student.self, Course.self)
    let context = stack.newContext()
    try fill(context)
    try query(context)

    print("\nA list of the students, in sections by class")
    let list = try stack.list(Student.sorted(by: \.name), sections: \.myclass?.name, title: { $0 ?? "no class" })
    var updates = list.updates.makeAsyncIterator()
    // The first update is the list as it is.
    _ = try await updates.next()
    for section in list.sections { print("  \(section.title): \(names(section))") }

    guard let student = try context.first(Student.where { $0.name == "李斌" }) else { return }
    try context.undoGroup("Move 李斌") {
      student.myclass = try context.first(MyClass.where { $0.name == "网络1班" })
      student.age = 21
    }
    try context.save()
    print("\nMoved and saved")
    if let update = try await updates.next() { show(update.changes, in: list) }
    print("\nAfter the undo of '\(context.undoName ?? "")'")
    context.undo()
    try context.save()
    if let update = try await updates.next() { show(update.changes, in: list) }

    print("\nNot saved: every issue at once")
    student.age = 200
    try context.insert(Student.self)
    saveOrPrintIssues(context)
    for course in try context.fetch(Course.where { $0.name == "CAD" }) { try context.delete(course) }
    saveOrPrintIssues(context)

    print("\nA class is deleted with its students")
    for group in try context.fetch(MyClass.where { $0.name == "电子1班" }) { try context.delete(group) }
    try context.save()
    if let update = try await updates.next() { show(update.changes, in: list) }
  }

  private static func fill(_ context: ObjectContext) throws {
    var (classes, courses): ([String: MyClass], [String: Course]) = ([:], [:])
    for (name, group, taught) in [("王芳", "电子1班", "CAD"), ("刘洋", "网络1班", "数据结构")] {
      let teacher = try context.insert(Teacher.self) { $0.name = name }
      classes[group] = try context.insert(MyClass.self) { ($0.name, $0.teacher) = (group, teacher) }
      courses[taught] = try context.insert(Course.self) { ($0.name, $0.teacher) = (taught, teacher) }
    }
    for (name, age, group, attended) in [
      ("李斌", 20, "电子1班", ["CAD"]), ("李梅", 19, "电子1班", ["CAD", "数据结构"]), ("赵敏", 22, "网络1班", []), ("周杰", nil, "", []),
    ] {
      try context.insert(Student.self) {
        ($0.name, $0.age, $0.myclass) = (name, age, classes[group])
        $0.courses = attended.compactMap { courses[$0] }
      }
    }
    try context.save()
  }

  private static func query(_ context: ObjectContext) throws {
    let byName = Student.sorted(by: \.name)
    print("Older than 19: \(names(try context.fetch(byName.where { $0.age > 19 })))")
    print("Taught by 刘洋: \(names(try context.fetch(byName.where { $0.courses.any.teacher.name == "刘洋" })))")
    print("Typed by a user: \(names(try context.fetch(byName.where(ObjectPredicate("name MATCHES '.*(斌|杰)'")))))")
    for group in try context.rows(Student.grouped(by: \.myclass?.name) { ($0.key, $0.count, $0.average(\.age)) }) {
      print("\(group.0 ?? "no class"): \(group.1), \(group.2.map { "\($0) years" } ?? "age unknown")")
    }
  }

  private static func show(_ changes: ChangeSet, in list: LiveList<Student>) {
    for section in changes.deletedSections { print("  - section \(section.info.title)") }
    for row in changes.deletes { print("  - \(row.path)") }
    for row in changes.inserts { print("  + \(row.path) \(list[row.path].name)") }
    for move in changes.moves { print("  \(move.from) → \(move.to) \(list[move.to].name)") }
  }

  private static func saveOrPrintIssues(_ context: ObjectContext) {
    do { try context.save() } catch { print("  \(error.localizedDescription)") }
    context.rollback()
  }

  private static func names(_ objects: some Sequence<Student>) -> String { objects.map(\.name).joined(separator: ", ") }
}
