import Foundation
import ObjectGraph

// A separate process that edits a store: `StoreProbe KIND PATH`. It executes the commands on standard input, and
// answers each with one line. The tests of ObjectGraph start two or three of them on the same file.

/// A counter that all processes increment, and an entry for each increment of a race.
enum Ledger {
  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Counter",
        attributes: [
          AttributeDescription("value", .integer, default: 0), AttributeDescription("first", .integer, default: 0),
          AttributeDescription("second", .integer, default: 0),
        ]),
      EntityDescription(
        "Entry", attributes: [AttributeDescription("writer", .string), AttributeDescription("number", .integer)]),
    ])
  }
}

/// One process's view of the store.
final class Probe {
  private let context: ObjectContext

  init(kind: String, path: String) throws {
    let store: StoreDescription =
      switch kind {
      case "xml": .propertyList(path, format: .xml)
      case "binary": .propertyList(path, format: .binary)
      default: .sqlite(path)
      }
    context = try ObjectStack(model: Ledger.model(), store: store).newContext()
  }

  func answer(_ line: String) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "make":
      try context.insert("Counter")
      return try save()
    case "read": return try "\(counter().value("value"))"
    case "add":
      try add(1, to: words[1])
      return "added"
    case "delete":
      try context.delete(counter())
      return "deleted"
    case "policy":
      context.mergePolicy = MergePolicy(rawValue: words[1]) ?? .error
      return "set"
    case "save": return try save()
    case "refresh":
      try context.refresh(counter(), keepsChanges: false)
      return "refreshed"
    case "race": return try race(words[1], Int(words[2]) ?? 0)
    default: return "unknown"
    }
  }

  private func counter() throws -> ManagedObject {
    guard let counter = try context.fetch(ObjectFetchRequest("Counter")).first else {
      throw ObjectGraphError.unknownKey("", entity: "")
    }
    return counter
  }

  private func add(_ number: Int64, to name: String) throws {
    let counter = try counter()
    guard case .integer(let value) = try counter.value(name) else { return }
    try counter.set(name, to: .integer(value + number))
  }

  private func save() throws -> String {
    do {
      try context.save()
      return "saved"
    } catch {
      guard case .conflicts(let conflicts) = error else { throw error }
      let fields = conflicts.flatMap { conflict in
        conflict.fields.sorted { $0.key < $1.key }.map {
          "\($0.key) \($0.value.base) \($0.value.mine) \($0.value.theirs)"
        }
      }
      return (["conflict"] + fields).joined(separator: " ")
    }
  }

  /// Increments the counter and adds an entry, the given number of times; retries if another process saved first.
  private func race(_ writer: String, _ rounds: Int) throws -> String {
    var conflicts = 0
    for number in 0..<rounds {
      let entry = try context.insert("Entry")
      try entry.set("writer", to: .string(writer))
      try entry.set("number", to: .integer(Int64(number)))
      try add(1, to: "value")
      while try save() != "saved" {
        conflicts += 1
        try context.refresh(counter(), keepsChanges: false)
        try add(1, to: "value")
      }
    }
    return "raced \(conflicts)"
  }
}

do {
  let probe = try Probe(kind: CommandLine.arguments[1], path: CommandLine.arguments[2])
  while let line = readLine() {
    let answer = try probe.answer(line)
    FileHandle.standardOutput.write(Data((answer + "\n").utf8))
  }
} catch {
  FileHandle.standardOutput.write(Data("error \(error)\n".utf8))
  exit(1)
}
