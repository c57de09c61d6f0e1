import Foundation
import ObjectGraph
import Testing

/// Two or three processes write one store. No edit is lost, and the one that saves second gets the conflict.
struct TwoProcessesTests {
  /// The stores that are files.
  private static let kinds = ["sqlite", "xml", "binary"]
  private let folder: TemporaryFolder
  private var path: String { folder.path("ledger") }

  init() throws { folder = try TemporaryFolder() }

  private func pair(_ kind: String) throws -> (ProbeProcess, ProbeProcess) {
    let first = try ProbeProcess(kind, path)
    try #require(try first.ask("make") == "saved")
    return (first, try ProbeProcess(kind, path))
  }

  @Test(arguments: kinds)
  func theSecondSaveReportsTheConflict(_ kind: String) throws {
    let (first, second) = try pair(kind)
    for probe in [first, second] {
      #expect(try probe.ask("read") == "integer(0)")
      #expect(try probe.ask("add value") == "added")
    }
    #expect(try first.ask("add value") == "added")
    #expect(try first.ask("save") == "saved")
    #expect(try second.ask("save") == "conflict value integer(0) integer(1) integer(2)")
    #expect(try second.ask("refresh") == "refreshed")
    #expect(try second.ask("add value") == "added")
    #expect(try second.ask("save") == "saved")
    #expect(try first.ask("refresh") == "refreshed")
    #expect(try first.ask("read") == "integer(3)")
  }

  @Test(arguments: kinds)
  func differentPropertiesAreMerged(_ kind: String) throws {
    let (first, second) = try pair(kind)
    for probe in [first, second] {
      #expect(try probe.ask("policy byProperty") == "set")
      #expect(try probe.ask("read") == "integer(0)")
    }
    _ = try first.ask("add first")
    _ = try second.ask("add second")
    #expect(try first.ask("save") == "saved")
    #expect(try second.ask("save") == "saved")
    #expect(try saved("first", kind) == 1)
    #expect(try saved("second", kind) == 1)
  }

  @Test(arguments: kinds)
  func aDeletionByTheOtherProcessIsAConflict(_ kind: String) throws {
    let (first, second) = try pair(kind)
    _ = try second.ask("add value")
    #expect(try first.ask("delete") == "deleted")
    #expect(try first.ask("save") == "saved")
    #expect(try second.ask("save") == "conflict")
  }

  @Test(arguments: [("sqlite", 150), ("xml", 25), ("binary", 25)])
  func noEditIsLost(_ kind: String, _ rounds: Int) throws {
    let (first, second) = try pair(kind)
    let third = try ProbeProcess(kind, path)
    let probes = [("a", first), ("b", second), ("c", third)]
    // All at once; each tries again if another saved first.
    for (name, probe) in probes { try probe.order("race \(name) \(rounds)") }
    for (_, probe) in probes { #expect(try probe.answer().hasPrefix("raced ")) }
    #expect(try saved("value", kind) == .integer(Int64(3 * rounds)))
    let entries = try stack(kind).newContext().fetch(
      ObjectFetchRequest("Entry", sort: [SortKey("writer"), SortKey("number")]))
    let expected = ["a", "b", "c"].flatMap { name in (0..<rounds).map { "\(name) \($0)" } }
    let found = try entries.map { entry -> String in
      guard case .string(let writer) = try entry.value("writer"), case .integer(let number) = try entry.value("number")
      else { return "?" }
      return "\(writer) \(number)"
    }
    #expect(found == expected)
  }

  // MARK: -

  private func stack(_ kind: String) throws -> ObjectStack {
    // The model of the probe (`Ledger`).
    let model = try ObjectModel(entities: [
      EntityDescription(
        "Counter",
        attributes: ["value", "first", "second"].map { AttributeDescription($0, .integer, default: 0) }),
      EntityDescription(
        "Entry", attributes: [AttributeDescription("writer", .string), AttributeDescription("number", .integer)]),
    ])
    switch kind {
    case "xml": return try ObjectStack(model: model, store: .propertyList(path, format: .xml))
    case "binary": return try ObjectStack(model: model, store: .propertyList(path, format: .binary))
    default: return try ObjectStack(model: model, store: .sqlite(path))
    }
  }

  private func saved(_ name: String, _ kind: String) throws -> Value {
    let context = try stack(kind).newContext()
    return try #require(try context.fetch(ObjectFetchRequest("Counter")).first).value(name)
  }
}
