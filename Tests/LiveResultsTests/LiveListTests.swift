import Foundation
import Testing

import struct GRDB.Configuration
import class GRDB.DatabaseQueue

@testable import LiveResults

/// A list of declared classes. Its own loop takes each update, so nothing has to be waited for but the update itself.
@Suite(.timeLimit(.minutes(1)))
final class LiveListTests {
  final class Student: Object {
    @Attribute var name = ""
    @Attribute var age: Int?
    @ToOne(inverse: \Group.students) var group: Group?
    @ToMany(inverse: \Course.students) var courses: [Course]
  }
  final class Group: Object {
    @Attribute var name = ""
    @ToMany var students: [Student]
  }
  final class Course: Object {
    @Attribute var name = ""
    @ToMany var students: [Student]
  }

  private let folder = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID().uuidString)")
  private let stack: ObjectStack
  private let context: ObjectContext
  private let statements = Statements()

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let statements = statements
    stack = try ObjectStack(
      .sqlite(folder.appending(path: "college.db").path), Student.self, Group.self, Course.self,
      options: StackOptions(trace: statements.record))
    context = stack.newContext()
    for (name, age, group) in [("Ada", 36, "B"), ("Blaise", 39, "A"), ("Carl", 77, "B"), ("Zeno", 60, nil)] {
      try insert(name, age, group)
    }
    try context.save()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func insert(_ name: String, _ age: Int?, _ group: String?) throws {
    let group = try group.map { name in
      try context.first(Group.where { $0.name == name }) ?? context.insert(Group.self) { $0.name = name }
    }
    try context.insert(Student.self) {
      $0.name = name
      $0.age = age
      $0.group = group
    }
  }

  private func student(_ name: String) throws -> Student {
    try #require(try context.first(Student.where { $0.name == name }))
  }

  /// The names of each section.
  private func lines(_ list: LiveList<Student>) -> [String] {
    list.sections.map { "\($0.title): \($0.map(\.name).joined(separator: ", "))" }
  }

  @Test func itIsReadWhenItIsMade() throws {
    let list = try stack.list(Student.sorted(by: \.name), sections: \.group?.name)
    #expect(lines(list) == [": Zeno", "A: Blaise", "B: Ada, Carl"])
    let ada = list[section: 2, row: 0]
    #expect(ada.name == "Ada" && ada.group?.name == "B" && list.path(of: ada) == RowPath(section: 2, row: 0))
    #expect(ada.context === list.context && list.count == 4 && list[2] === ada)
    #expect(try lines(stack.list(Student.where { $0.age > 36 }.sorted(by: \.age))) == [": Blaise, Zeno, Carl"])
    let descending = Student.all.sorted(by: \.group?.name, ascending: false).sorted(by: \.name)
    #expect(try lines(stack.list(descending, sections: \.group?.name)) == ["B: Ada, Carl", "A: Blaise", ": Zeno"])
    let decades = try stack.list(Student.sorted(by: \.name), sections: \.age, title: { "\(($0 ?? 0) / 10)" })
    #expect(decades.sections.map(\.title) == ["3", "3", "6", "7"])
  }

  @Test func itFollowsWhatAnyoneSaves() async throws {
    let list = try stack.list(Student.sorted(by: \.name), sections: \.group?.name)
    var updates = list.updates.makeAsyncIterator()
    var names: [[String]] = []
    /// Takes the next update, and applies it to the names.
    func next() async throws -> ResultsUpdate {
      let update = try #require(try await updates.next())
      update.changes.apply(to: &names) { list[$0].name }
      #expect(names == list.sections.map { $0.map(\.name) })
      return update
    }
    #expect(try await next().isInitial)
    #expect(names == [["Zeno"], ["Blaise"], ["Ada", "Carl"]])
    let ada = list[section: 2, row: 0]
    try insert("Emmy", 53, "C")
    try student("Ada").name = "Countess of Lovelace"
    try context.save()
    let changes = try await next().changes
    #expect(changes.insertedSections.map(\.info.title) == ["C"] && changes.moves.map(\.contentChanged) == [true])
    #expect(names == [["Zeno"], ["Blaise"], ["Carl", "Countess of Lovelace"], ["Emmy"]])
    #expect(ada.name == "Countess of Lovelace", "the list's context was refreshed")
    // Only the row of the group is written; what the list shows of it is read again.
    try #require(try context.first(Group.where { $0.name == "B" })).name = "D"
    try context.save()
    _ = try await next()
    #expect(names == [["Zeno"], ["Blaise"], ["Emmy"], ["Carl", "Countess of Lovelace"]])
    #expect(ada.group?.name == "D")
    try context.delete(student("Blaise"))
    try context.save()
    _ = try await next()
    #expect(names.count == 3)
    try list.show(Student.where { $0.age < 60 }.sorted(by: \.name))
    _ = try await next()
    #expect(lines(list) == ["C: Emmy", "D: Countess of Lovelace"])
    #expect(list.query.request.predicate != nil)
  }

  @Test func unsavedChangesAreShownInTheirPlaces() async throws {
    let list = try context.list(Student.sorted(by: \.name))
    var updates = list.updates.makeAsyncIterator()
    _ = try await updates.next()
    let ada = list[section: 0, row: 0]
    #expect(try ada === student("Ada"))
    ada.name = "Xena"
    #expect(lines(list) == [": Xena, Blaise, Carl, Zeno"])
    let other = stack.newContext()
    try #require(try other.first(Student.where { $0.name == "Carl" })).name = "Karl"
    try other.save()
    _ = try await updates.next()
    #expect(lines(list) == [": Xena, Blaise, Karl, Zeno"])
    try context.save()
    _ = try await updates.next()
    #expect(lines(list) == [": Blaise, Karl, Xena, Zeno"])
  }

  @Test func aLoopMayBeTheOnlyOwner() async throws {
    var count = 0
    for try await update in try stack.list(Student.sorted(by: \.name)).updates {
      count += update.changes.inserts.count
      if count == 5 { break }
      try insert("Emmy", 53, nil)
      try context.save()
    }
    #expect(count == 5)
  }

  /// Whatever was saved between the list and its loop: the first update has the list of now, and so have its objects.
  @Test func aLoopThatBeginsLaterHasTheObjectsOfNow() async throws {
    let list = try stack.list(Student.sorted(by: \.name))
    let zeno = list[section: 0, row: 3]
    #expect(zeno.name == "Zeno")
    try student("Zeno").name = "Yuri"
    try context.save()
    var updates = list.updates.makeAsyncIterator()
    #expect(try await updates.next()?.isInitial == true)
    #expect(zeno.name == "Yuri" && lines(list) == [": Ada, Blaise, Carl, Yuri"])
  }

  @Test func withoutALoopItIsReadOnDemand() throws {
    let list = try stack.list(Student.sorted(by: \.name))
    let zeno = list[section: 0, row: 3]
    try student("Zeno").name = "Yuri"
    try insert("Emmy", 53, nil)
    try context.save()
    #expect(lines(list) == [": Ada, Blaise, Carl, Zeno"])
    try list.refresh()
    #expect(lines(list) == [": Ada, Blaise, Carl, Emmy, Yuri"] && zeno.name == "Yuri")
    try list.show(Student.where { $0.age > 60 }.sorted(by: \.name))
    #expect(lines(list) == [": Carl"])
  }

  /// A row that is gone is never shown as if it were an empty one.
  @Test func aRowThatIsGoneIsDeleted() throws {
    let list = try stack.list(Student.sorted(by: \.name))
    try context.delete(student("Carl"))
    try context.save()
    let carl = list[section: 0, row: 2]
    #expect(carl.isDeleted && list.context.failure == nil)
    #expect(carl.name.isEmpty && list.context.failure != nil)
    #expect(throws: ObjectGraphError.self) { try list.context.save() }
  }

  @Test func aPageTakesThreeStatements() throws {
    let cad = try context.insert(Course.self) { $0.name = "CAD" }
    for number in 0..<100 {
      try insert("\(1000 + number)", nil, "A")
      try student("\(1000 + number)").courses = [cad]
    }
    try context.save()
    let list = try stack.list(Student.sorted(by: \.name).prefetching(\.group, \.courses))
    _ = statements.take()
    for row in 0..<50 {
      let student = list[section: 0, row: row]
      #expect(student.name == "\(1000 + row)" && student.group?.name == "A" && student.courses.map(\.name) == ["CAD"])
    }
    let run = statements.take()
    #expect(run.count == 3, "\(run)")
  }

  @Test func whatCannotBeFollowedIsRefused() throws {
    do throws(LiveResultsError) {
      _ = try stack.list(Student.sorted(by: \.name).limit(2))
      Issue.record("a list has no limit")
    } catch {
      #expect(error.localizedDescription.contains("cannot have the field limit"))
    }
    let memory = try ObjectStack(.memory(), Student.self, Group.self, Course.self)
    #expect(throws: LiveResultsError.self) { try memory.list(Student.all) }
    let descriptions = try ObjectStack(
      model: ObjectModel(entities: [EntityDescription("Student", attributes: [AttributeDescription("name", .string)])]),
      store: .sqlite(folder.appending(path: "other.db").path))
    #expect(throws: LiveResultsError.self) { try descriptions.list(Student.all) }
  }

  @Test func closingTheStackEndsTheLoop() async throws {
    let list = try stack.list(Student.sorted(by: \.name))
    var updates = list.updates.makeAsyncIterator()
    _ = try await updates.next()
    try insert("Emmy", 53, nil)
    try context.save()
    try stack.close()
    while try await updates.next() != nil {}
    #expect(throws: LiveResultsError.self) { try list.refresh() }
    #expect(list.count >= 4)
  }

  /// What stops a list from being followed ends its loop, and a new one begins with the whole list.
  @Test func anErrorEndsTheLoop() async throws {
    let list = try stack.list(Student.sorted(by: \.name))
    var updates = list.updates.makeAsyncIterator()
    _ = try await updates.next()
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let raw = try DatabaseQueue(path: folder.appending(path: "college.db").path, configuration: configuration)
    try await raw.write { try $0.execute(sql: "ALTER TABLE Student RENAME TO Pupil") }
    await #expect(throws: LiveResultsError.self) { _ = try await updates.next() }
    #expect(list.count == 4)
    try await raw.write { try $0.execute(sql: "ALTER TABLE Pupil RENAME TO Student") }
    updates = list.updates.makeAsyncIterator()
    #expect(try await updates.next()?.isInitial == true)
  }
}
