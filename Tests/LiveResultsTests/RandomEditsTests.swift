import Foundation
import SeededRandom
import Testing

import class GRDB.DatabaseQueue

@testable import LiveResults

/// Random edits, through contexts and as other programs make them: the change sets, applied to the previous list, give
/// the list of a new fetch. LIVE_RESULTS_SEED and LIVE_RESULTS_ROUNDS choose the run.
struct RandomEditsTests {
  /// A request, and what divides its list into sections.
  struct Listing: Sendable, CustomTestStringConvertible {
    let request: ObjectFetchRequest
    var section: String?
    let testDescription: String
  }

  static let listings: [Listing] = {
    func listing(_ sort: [SortKey], _ section: String? = nil, _ predicate: String? = nil) -> Listing {
      // An invalid predicate is a mistake in these tests.
      let condition = predicate.map { text in
        do { return try ObjectPredicate(text) } catch { preconditionFailure("\(error)") }
      }
      return Listing(
        request: ObjectFetchRequest("Student", where: condition, sort: sort), section: section,
        testDescription: "by \(sort.map(\.key)) where \(predicate ?? "all")")
    }
    return [
      listing([]), listing([SortKey("age"), SortKey("name", ascending: false)], "age"),
      listing([SortKey("myclass.name"), SortKey("name")], "myclass.name"),
      listing(
        [SortKey("myclass.teacher.name", ascending: false), SortKey("myclass.name")],
        "myclass.teacher.name"),
      listing([SortKey("name", fold: .caseInsensitive)], nil, "myclass.teacher.name CONTAINS 'a'"),
      listing([SortKey("age")], "age", "ANY courses.teacher.name == 'a' OR courses.@count == 0"),
    ]
  }()

  @Test(arguments: listings) func changeSetsMakeTheListOfANewFetch(listing: Listing) throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["LIVE_RESULTS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...UInt64.max)
    let rounds = environment["LIVE_RESULTS_ROUNDS"].flatMap { Int($0) } ?? 60
    print("live results: \(listing.testDescription), seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let college = try College()
    let database = try DatabaseQueue(path: college.path)
    let list = try FollowedList(college.stack, listing.request, by: listing.section)
    var known = PlainList(list.controller.snapshot)
    for round in 0..<rounds {
      let context = college.stack.newContext(mergePolicy: .overwrite)
      for _ in 0..<Int.random(in: 1...6, using: &random) { try Self.edit(context, &random) }
      try context.save()
      if Int.random(in: 0..<3, using: &random) == 0 {
        try database.write { db in
          for _ in 0..<Int.random(in: 1...3, using: &random) { try db.execute(sql: Self.statement(&random)) }
        }
      }
      let updates = list.updates()
      let wanted = try Self.fetched(college.stack, listing)
      for update in updates {
        #expect(PlainList(update.before) == known, "seed \(seed), round \(round)")
        known = try known.applying(update.changes)
      }
      guard known == wanted, PlainList(list.controller.snapshot) == wanted, list.errors.isEmpty else {
        Issue.record("seed \(seed), round \(round): \(known), expected \(wanted), \(list.errors)")
        return
      }
    }
  }

  /// Returns the list as a fetch of a new context gives it.
  private static func fetched(_ stack: ObjectStack, _ listing: Listing) throws -> PlainList {
    let context = stack.newContext()
    var list = PlainList()
    if listing.section == nil { list.sections = [(.null, [])] }
    for student in try context.fetch(listing.request) {
      var value = SectionValue.null
      if let section = listing.section {
        switch try Self.value(section, of: student) {
        case .string(let text): value = .text(text)
        case .integer(let number): value = .integer(number)
        default: value = .null
        }
      }
      if listing.section != nil, list.sections.last?.value != value { list.sections.append((value, [])) }
      list.sections[list.sections.count - 1].ids.append(student.objectID.number ?? -1)
    }
    return list
  }

  private static func value(_ keyPath: String, of object: ManagedObject) throws -> Value {
    var object = object
    let keys = keyPath.split(separator: ".").map(String.init)
    for key in keys.dropLast() {
      guard let next = try object.object(key) else { return .null }
      object = next
    }
    return try object.value(keys[keys.count - 1])
  }

  private static let names = ["a", "A", "b", "ab", "ä", ""]

  private static func edit(_ context: ObjectContext, _ random: inout SeededGenerator) throws {
    let entity = ["Student", "Student", "MyClass", "Teacher", "Course"].randomElement(using: &random) ?? "Student"
    let objects = try context.fetch(ObjectFetchRequest(entity))
    guard objects.count >= 3, Int.random(in: 0..<4, using: &random) > 0,
      let object = objects.randomElement(using: &random)
    else {
      try change(try context.insert(entity), context, &random)
      return
    }
    if Int.random(in: 0..<5, using: &random) == 0 {
      try context.delete(object)
    } else {
      try change(object, context, &random)
    }
  }

  private static func change(_ object: ManagedObject, _ context: ObjectContext, _ random: inout SeededGenerator) throws
  {
    func other(_ entity: String) throws -> ManagedObject? {
      Bool.random(using: &random) ? try context.fetch(ObjectFetchRequest(entity)).randomElement(using: &random) : nil
    }
    let name = names.randomElement(using: &random) ?? ""
    if object.entity.name != "Course" { try object.set("name", to: .string(name)) }
    switch object.entity.name {
    case "Student":
      try object.set("age", to: .integer(Int64.random(in: 18...21, using: &random)))
      try object.set("myclass", to: other("MyClass"))
      if let course = try other("Course") { try object.add([course], to: "courses") }
    case "MyClass": try object.set("teacher", to: other("Teacher"))
    case "Course": try object.set("teacher", to: other("Teacher"))
    default: break
    }
  }

  private static func statement(_ random: inout SeededGenerator) -> String {
    let name = names.randomElement(using: &random) ?? ""
    let number = Int.random(in: 1...12, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "UPDATE MyClass SET name = '\(name)' WHERE _id = \(number)"
    case 1: return "UPDATE Person SET name = '\(name)' WHERE _id = \(number)"
    case 2: return "DELETE FROM MyClass WHERE _id = \(number)"
    case 3: return "UPDATE Student SET myclass = \(number) WHERE _id % 3 = \(number % 3)"
    case 4: return "DELETE FROM Student WHERE _id = \(number)"
    case 5: return "UPDATE MyClass SET teacher = \(number) WHERE _id % 2 = 0"
    case 6: return "UPDATE Course SET teacher = NULL WHERE _id = \(number)"
    default: return "UPDATE Student SET name = '\(name)', age = age + 1 WHERE _id = \(number)"
    }
  }
}

/// A list as sections of numbers.
struct PlainList: Equatable, CustomStringConvertible {
  var sections: [(value: SectionValue, ids: [Int64])] = []

  init() {}

  init(_ snapshot: ResultsSnapshot) {
    sections = snapshot.sections.enumerated().map { number, section in
      (section.value, (0..<section.count).map { snapshot.id(at: RowPath(section: number, row: $0)) ?? -1 })
    }
  }

  static func == (left: PlainList, right: PlainList) -> Bool {
    left.sections.map(\.value) == right.sections.map(\.value) && left.sections.map(\.ids) == right.sections.map(\.ids)
  }

  var description: String { sections.map { "\($0.value.plainTitle)\($0.ids)" }.joined(separator: " ") }

  /// Returns the list after a change set, as a table view applies it: deletes by old paths, then inserts by new paths.
  func applying(_ changes: ChangeSet) throws -> PlainList {
    var rows: [[Int64?]] = sections.map(\.ids)
    for (path, id) in changes.deletes.map({ ($0.path, $0.id) }) + changes.moves.map({ ($0.from, $0.id) }) {
      try #require(rows[path.section][path.row] == id)
      rows[path.section][path.row] = nil
    }
    let gone = Set(changes.deletedSections.map(\.ordinal))
    var list = PlainList()
    for (ordinal, section) in sections.enumerated() {
      let kept = rows[ordinal].compactMap(\.self)
      if gone.contains(ordinal) { try #require(kept.isEmpty) } else { list.sections.append((section.value, kept)) }
    }
    for section in changes.insertedSections { list.sections.insert((section.info.value, []), at: section.ordinal) }
    let come = changes.inserts.map { ($0.path, $0.id) } + changes.moves.map { ($0.to, $0.id) }
    for (path, id) in come.sorted(by: { $0.0 < $1.0 }) { list.sections[path.section].ids.insert(id, at: path.row) }
    return list
  }
}
