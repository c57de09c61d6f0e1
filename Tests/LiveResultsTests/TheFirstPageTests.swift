import Foundation
import LiveResults
import SharedMaterial
import Testing

struct TheFirstPageTests {
  final class Student: Object {
    @Attribute var name = ""
    @ToOne(inverse: \Group.students) var group: Group?
  }
  final class Group: Object {
    @Attribute var name = ""
    @ToMany var students: [Student]
  }

  @Test(.timeLimit(.minutes(1))) func theFirstPagePrintsThis() async throws {
    let page = try DocumentedCode(of: "LiveResults")
    let print = PrintedLines()
    let folder = FileManager.default.temporaryDirectory.appending(path: "first-page-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "college.db").path
    let filling = try ObjectStack(.sqlite(path), Student.self, Group.self)
    let context = filling.newContext()
    for (group, names) in [("A", ["Ada", "Carl"]), ("B", ["Blaise"])] {
      let group = try context.insert(Group.self) { $0.name = group }
      for name in names { try context.insert(Student.self) { ($0.name, $0.group) = (name, group) } }
    }
    try context.save()
    try filling.close()
    let listing = Task {
      let stack = try ObjectStack(.sqlite(path), Student.self, Group.self)
      let list = try stack.list(Student.sorted(by: \.name), sections: \.group?.name)
      var names: [[String]] = []
      for try await update in list.updates {
        update.changes.apply(to: &names) { list[$0].name }
        print(names, update.changes.moves.map { "\($0.from) to \($0.to)" })
      }
    }
    while print.lines.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try page.runCommands(in: folder) == 0)
    while print.lines.count < page.output.count { try await Task.sleep(for: .milliseconds(10)) }
    listing.cancel()
    try await listing.value
    #expect(try page.problems(in: #filePath, printed: print.lines) == [])
  }

  /// What the page shows beside its output.
  private struct Screen {
    private func draw(_ text: String) {}

    @MainActor func follow(_ list: LiveList<Student>) async throws {
      var window = ListState(height: 20)
      for try await update in list.updates {
        window.apply(update)  // the rows keep their lines, and the cursor its object
        for row in window.top..<min(window.top + window.height, list.count) { draw(list[row].name) }
      }
    }
  }
}
