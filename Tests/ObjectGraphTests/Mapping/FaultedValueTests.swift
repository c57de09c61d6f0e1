import Foundation
import Testing

@testable import ObjectGraph

/// A value that is loaded on demand, of an object whose deletion marks its row.
@Suite struct FaultedValueTests {
  private static let statements = [
    """
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, body TEXT NOT NULL, rev INTEGER NOT NULL, gone TEXT)
    """
  ]

  private static let mapping = StoreMapping([
    "Note": EntityMapping(
      "notes", version: "rev", deletion: .marked(column: "gone", value: { "now" }),
      attributes: ["body": MappedColumn("body", isFaulted: true)])
  ])

  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription(
        "Note",
        attributes: [AttributeDescription("title", .string), AttributeDescription("body", .string)],
        rules: [ValidationRule("body != nil", message: "body")])
    ])
  }

  private let folder: TemporaryFolder
  private let stack: ObjectStack
  private let id: ObjectID

  init() throws {
    folder = try TemporaryFolder()
    let host = try TestHost(path: folder.path("store"), statements: Self.statements)
    stack = try ObjectStack(model: Self.model(), store: .mapped(host, identifier: UUID(), Self.mapping))
    let filling = stack.newContext()
    let note = try filling.insert("Note")
    try note.set("title", to: "a")
    try note.set("body", to: "long")
    try filling.save()
    id = note.objectID
  }

  private func isFound(_ body: String, in context: ObjectContext) throws -> Bool {
    try context.count(ObjectFetchRequest("Note", where: ObjectPredicate("body == %@", body))) == 1
  }

  private func saved() throws -> Value? {
    let context = stack.newContext()
    return try withExtendedLifetime(context) { try context.object(id)?.value("body") }
  }

  @Test func aFetchReadsItBelowUnsavedChanges() throws {
    let context = stack.newContext()
    let note = try #require(try context.object(id))
    try note.set("title", to: "b")
    #expect(try isFound("long", in: context))
    #expect(try isFound("long", in: context.newChild()))
    try note.set("body", to: "short")
    #expect(try isFound("short", in: context) && !isFound("long", in: context))
  }

  @Test func aRuleReadsIt() throws {
    let context = stack.newContext()
    try #require(try context.object(id)).set("title", to: "b")
    try context.save()
    #expect(try saved() == "long")
  }

  @Test func aRestoredObjectKeepsIt() throws {
    let context = stack.newContext()
    let note = try #require(try context.object(id))
    try context.delete(note)
    try context.save()
    context.undo()
    #expect(try isFound("long", in: context))
    try context.save()
    #expect(try saved() == "long")
    try context.delete(note)
    try context.save()
    let other = stack.newContext()
    try other.restore(try #require(try other.deletedObject("Note", number: 1)))
    try other.save()
    #expect(try saved() == "long")
  }

  /// The context has a change when it finds that others have deleted the object.
  @Test func anObjectThatIsInsertedAgainKeepsIt() throws {
    let context = stack.newContext(mergePolicy: .objectWins)
    try #require(try context.object(id)).set("title", to: "b")
    let other = stack.newContext()
    try other.delete(try #require(try other.object(id)))
    try other.save()
    try context.save()
    #expect(try saved() == "long")
  }

  /// Nothing holds the deleted object in the parent.
  @Test func aChildRestoresTheRow() throws {
    let filling = stack.newContext()
    try filling.delete(try #require(try filling.object(id)))
    try filling.save()
    let context = stack.newContext()
    let child = context.newChild()
    try child.restore(try #require(try child.deletedObject("Note", number: 1)))
    try child.save()
    try context.save()
    #expect(try saved() == "long")
    #expect(try stack.newContext().object(id)?.version == 3)
  }
}
