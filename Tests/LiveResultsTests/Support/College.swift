import Foundation
import Synchronization

import struct GRDB.Configuration
import class GRDB.DatabaseQueue

@testable import LiveResults

/// A college of classes, students, courses and teachers in a file of its own.
final class College {
  let folder: URL
  let path: String
  let stack: ObjectStack
  let context: ObjectContext
  private let statements = Statements()

  /// Returns the statements since the last call.
  func takeStatements() -> [String] { statements.take() }

  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Student",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("age", .integer),
          AttributeDescription("born", .date),
        ],
        relationships: [
          .toOne("myclass", "MyClass", inverse: "students"), .toMany("courses", "Course", inverse: "students"),
        ]),
      EntityDescription(
        "MyClass", attributes: [AttributeDescription("name", .string)],
        relationships: [
          .toMany("students", "Student", inverse: "myclass", deleteRule: .noAction),
          .toOne("teacher", "Teacher", inverse: "myclass"),
        ]),
      EntityDescription(
        "Course", attributes: [AttributeDescription("title", .string), AttributeDescription("subject", .string)],
        relationships: [
          .toMany("students", "Student", inverse: "courses"), .toOne("teacher", "Teacher", inverse: "courses"),
        ]),
      EntityDescription("Person", isAbstract: true, attributes: [AttributeDescription("name", .string)]),
      EntityDescription(
        "Teacher", parent: "Person",
        relationships: [
          .toOne("myclass", "MyClass", inverse: "teacher"), .toMany("courses", "Course", inverse: "teacher"),
        ]),
      EntityDescription("Guest", parent: "Person"),
      EntityDescription(
        "Key", attributes: [AttributeDescription("bytes", .data), AttributeDescription("name", .string)]),
    ])
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "college-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "college.db").path
    let statements = statements
    stack = try ObjectStack(
      model: Self.model(), store: .sqlite(path),
      options: StackOptions(trace: statements.record))
    context = stack.newContext()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @discardableResult
  func insert(_ entity: String, _ values: [String: Value], _ ones: [String: ManagedObject] = [:]) throws
    -> ManagedObject
  {
    let object = try context.insert(entity)
    for (key, value) in values { try object.set(key, to: value) }
    for (key, other) in ones { try object.set(key, to: other) }
    return object
  }

  /// Writes like another program.
  func run(_ sql: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }
}

/// The statements that a stack has run.
final class Statements: Sendable {
  private let recorded = Mutex<[String]>([])

  func record(_ event: SQLTraceEvent) { recorded.withLock { $0.append(event.sql) } }

  /// Returns the statements since the last call.
  func take() -> [String] {
    recorded.withLock { recorded in
      defer { recorded = [] }
      return recorded
    }
  }
}

/// A list that follows a college, with the updates that it delivered.
final class FollowedList: Sendable {
  let controller: FetchedResultsController
  private let received = Mutex<[ResultsUpdate]>([])
  private let failures = Mutex<[String]>([])

  init(_ stack: ObjectStack, _ request: ObjectFetchRequest, by section: String? = nil) throws {
    controller = try FetchedResultsController(
      stack, request: request, sectionKeyPath: section, deliver: ResultsDelivery { $0() })
    controller.listen { [weak self] event in
      switch event {
      case .changed(let update): self?.received.withLock { $0.append(update) }
      case .failed(let error): self?.failures.withLock { $0.append("\(error)") }
      case .written: break
      }
    }
    try controller.performFetch()
    controller.waitForUpdates()
  }

  var errors: [String] { failures.withLock { $0 } }

  /// The number of updates that were not taken yet.
  var waiting: Int { received.withLock { $0.count } }

  /// Returns the updates since the last call.
  func updates() -> [ResultsUpdate] {
    controller.waitForUpdates()
    return received.withLock { updates in
      defer { updates = [] }
      return updates
    }
  }

  /// Returns the changes since the last call as lines, with old paths for removed rows and new paths for inserted rows.
  func changes() -> [String] {
    updates().flatMap { update in
      let changes = update.changes
      var lines: [String] = []
      for section in changes.deletedSections { lines.append("- \(section.info.title)") }
      for section in changes.insertedSections { lines.append("+ \(section.info.title)") }
      for row in changes.deletes { lines.append("- \(row.path)") }
      for row in changes.inserts { lines.append("+ \(row.path)") }
      for move in changes.moves { lines.append("> \(move.from) \(move.to)") }
      for update in changes.updates { lines.append("* \(update.to)") }
      return lines
    }
  }

  /// Waits for an update, and returns the changes since the last call; empty after ten seconds.
  func awaitedChanges() -> [String] {
    for _ in 0..<10_000 {
      let lines = changes()
      if !lines.isEmpty { return lines }
      usleep(1000)
    }
    return []
  }

  /// Returns the names of each section, as a context sees them.
  func names(_ key: String, in context: ObjectContext) throws -> [String] {
    try controller.sections.enumerated().map { number, section in
      let names = try (0..<section.count).map { row -> String in
        guard let object = try controller.object(at: RowPath(section: number, row: row), in: context) else {
          return "?"
        }
        guard case .string(let name) = try object.value(key) else { return "-" }
        return name
      }
      return "\(section.title): \(names.joined(separator: ", "))"
    }
  }
}
