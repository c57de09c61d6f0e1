import Foundation

@testable import ObjectGraph

/// Wholes with ordered parts, and circles that wholes belong to, in memory, in SQLite and in existing tables.
enum Wholes {
  /// Where the objects are kept.
  enum Kind: CaseIterable { case memory, sqlite, versions, marks }

  final class Whole: ManagedObject {
    override func willSave() throws {
      let texts = try objects("parts").map { try $0.value("text") }
      try set(
        "summary", to: .string(texts.map { if case .string(let text) = $0 { text } else { "" } }.joined(separator: ","))
      )
    }
  }

  static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Whole",
        attributes: [
          AttributeDescription("name", .string, isOptional: false, default: ""), AttributeDescription("note", .string),
          AttributeDescription("summary", .string),
        ],
        relationships: [
          .toMany("parts", "Part", inverse: "whole", isOrdered: true, deleteRule: .cascade),
          .toMany("circles", "Circle", inverse: "wholes"),
        ], class: Whole.self),
      EntityDescription(
        "Part", owner: "whole", attributes: [AttributeDescription("text", .string, maximumLength: 5)],
        relationships: [.toOne("whole", "Whole", inverse: "parts", isOptional: false)]),
      EntityDescription(
        "Circle", attributes: [AttributeDescription("title", .string)],
        relationships: [.toMany("wholes", "Whole", inverse: "circles")]),
    ])
  }

  static func stack(_ kind: Kind, _ folder: TemporaryFolder) throws -> ObjectStack {
    let model = try model()
    let store: StoreDescription
    switch kind {
    case .memory: store = .memory()
    case .sqlite: store = .sqlite(folder.path("store"))
    case .versions, .marks:
      let tables = ForeignTables(model, kind == .versions ? .versions : .marks)
      let host = try TestHost(path: folder.path("store"), statements: tables.statements)
      store = .mapped(host, identifier: UUID(), tables.mapping)
    }
    return try ObjectStack(model: model, store: store)
  }

  /// Makes and saves an owner with the parts "a" and "b".
  static func make(_ context: ObjectContext) throws -> ManagedObject {
    let whole = try context.insert("Whole")
    try whole.set("name", to: "one")
    for text in ["a", "b"] { try add(.string(text), to: whole) }
    try context.save()
    return whole
  }

  @discardableResult static func add(_ text: Value, to whole: ManagedObject) throws -> ManagedObject {
    guard let context = whole.context else { throw ObjectGraphError.deletedObject(whole.objectID) }
    return try context.undoGroup {
      let part = try context.insert("Part")
      try part.set("text", to: text)
      try part.set("whole", to: whole)
      return part
    }
  }
}
