import Foundation
import Testing

@testable import ObjectGraph

/// A child context reads the tags of parts from its parent, where the owner of one part has an unsaved deletion.
@Suite struct ChildOfMarkedOwnerTests {
  private static let statements = [
    "CREATE TABLE shelves(id INTEGER PRIMARY KEY AUTOINCREMENT, gone TEXT)",
    "CREATE TABLE books(id INTEGER PRIMARY KEY AUTOINCREMENT, shelf INTEGER)",
    "CREATE TABLE tags(id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)",
    "CREATE TABLE tagged(book INTEGER, tag INTEGER, PRIMARY KEY (book, tag))",
  ]

  private static let mapping = StoreMapping([
    "Shelf": EntityMapping(
      "shelves", deletion: .marked(column: "gone", value: { "now" }),
      relationships: ["books": .inverseColumn("shelf", position: nil)]),
    "Book": EntityMapping(
      "books", deletion: .withOwner("shelf"),
      relationships: ["tags": .join(JoinTable(table: "tagged", ownColumn: "book", otherColumn: "tag"))]),
    "Tag": EntityMapping(
      "tags", relationships: ["books": .join(JoinTable(table: "tagged", ownColumn: "tag", otherColumn: "book"))]),
  ])

  private static func model() throws -> ObjectModel {
    try ObjectModel(entities: [
      EntityDescription("Shelf", relationships: [.toMany("books", "Book", inverse: "shelf", deleteRule: .cascade)]),
      EntityDescription(
        "Book", owner: "shelf",
        relationships: [.toOne("shelf", "Shelf", inverse: "books"), .toMany("tags", "Tag", inverse: "books")]),
      EntityDescription(
        "Tag", attributes: [AttributeDescription("text", .string)],
        relationships: [.toMany("books", "Book", inverse: "tags")]),
    ])
  }

  @Test func eachOwnerGetsItsOwnMembers() throws {
    let folder = try TemporaryFolder()
    let host = try TestHost(path: folder.path("store"), statements: Self.statements)
    let stack = try ObjectStack(model: try Self.model(), store: .mapped(host, identifier: UUID(), Self.mapping))
    let parent = stack.newContext()
    let texts: [Value] = ["a", "b", "c"]
    let books = try texts.map { text -> ManagedObject in
      let (shelf, book, tag) = (try parent.insert("Shelf"), try parent.insert("Book"), try parent.insert("Tag"))
      try book.set("shelf", to: shelf)
      try tag.set("text", to: text)
      try book.add([tag], to: "tags")
      return book
    }
    try parent.save()
    let child = parent.newChild()
    let copies = try child.objects(books.map(\.objectID))
    try parent.delete(try #require(try books[0].object("shelf")))
    try child.prefetch(["tags"], of: copies)
    let tags = try copies.map { try $0.objects("tags").map { try $0.value("text") } }
    #expect(tags.dropFirst() == [["b"], ["c"]])
  }
}
