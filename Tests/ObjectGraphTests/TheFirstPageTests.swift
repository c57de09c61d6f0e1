import Foundation
import ObjectGraph
import SharedMaterial
import Testing

struct TheFirstPageTests {
  final class Student: Object {
    @Attribute(.length(1...)) var name = ""
    @Attribute(.range(15...99)) var age: Int?
    @ToOne(inverse: \Group.students) var group: Group?
  }
  final class Group: Object {
    @Attribute var name = ""
    @ToMany(onDelete: .deny) var students: [Student]
  }

  @Test func theFirstPagePrintsThis() throws {
    let print = PrintedLines()
    let path = FileManager.default.temporaryDirectory.appending(path: "first-page-\(UUID().uuidString).db").path
    defer {
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    let stack = try ObjectStack(.sqlite(path), Student.self, Group.self)
    let (mine, theirs) = (stack.newContext(mergePolicy: .byProperty), stack.newContext())
    let student = try mine.insert(Student.self) { $0.name = "李斌" }
    try mine.save()
    try theirs.first(Student.where { $0.name == "李斌" })?.age = 21
    try theirs.save()
    student.name = "李小斌"
    try mine.save()
    print(student.name, student.age ?? 0)
    mine.undo()
    print(student.name, student.age ?? 0)

    for article in [nil, "ObjectGraph-zh-Hans"] {
      let page = try DocumentedCode(of: "ObjectGraph", article: article)
      #expect(try page.problems(in: #filePath, printed: print.lines) == [])
    }
  }
}
