import Testing

@testable import ObjectGraph

/// The trees and paths of conflicts about parts in unordered lists, and about parts of parts.
@Suite struct TreeConflictTests {
  private let mine: ObjectContext
  private let theirs: ObjectContext
  private let shelf: ManagedObject
  private let other: ManagedObject

  /// Saves a shelf with the books "a" and "b" of two pages each, and reads it in two contexts.
  init() throws {
    let model = try ObjectModel(entities: [
      EntityDescription(
        "Shelf", attributes: [AttributeDescription("name", .string)],
        relationships: [.toMany("books", "Book", inverse: "shelf", deleteRule: .cascade)]),
      EntityDescription(
        "Book", owner: "shelf", attributes: [AttributeDescription("title", .string)],
        relationships: [
          .toOne("shelf", "Shelf", inverse: "books"),
          .toMany("pages", "Page", inverse: "book", isOrdered: true, deleteRule: .cascade),
        ]),
      EntityDescription(
        "Page", owner: "book", attributes: [AttributeDescription("text", .string)],
        relationships: [.toOne("book", "Book", inverse: "pages")]),
    ])
    let stack = try ObjectStack(model: model, store: .memory())
    let filling = stack.newContext()
    let shelf = try filling.insert("Shelf")
    for title in ["a", "b"] {
      let book = try Self.addBook(title, to: shelf)
      for text in ["1", "2"] {
        let page = try filling.insert("Page")
        try page.set("text", to: .string(text))
        try page.set("book", to: book)
      }
    }
    try filling.save()
    (mine, theirs) = (stack.newContext(mergePolicy: .byProperty), stack.newContext())
    self.shelf = try #require(try mine.object(shelf.objectID))
    other = try #require(try theirs.object(shelf.objectID))
  }

  @discardableResult private static func addBook(_ title: String, to shelf: ManagedObject) throws -> ManagedObject {
    let book = try #require(try shelf.context?.insert("Book"))
    try book.set("title", to: .string(title))
    try book.set("shelf", to: shelf)
    return book
  }

  private func conflict() throws -> TreeConflict {
    var trees: [TreeConflict] = []
    do {
      try mine.save()
    } catch ObjectGraphError.conflicts(let conflicts) {
      trees = try mine.treeConflicts(conflicts)
    }
    #expect(trees.count == 1)
    return try #require(trees.first)
  }

  private func titles(_ tree: ObjectTree?) -> [String] { books(tree).compactMap { $0.values["title"]?.text } }

  private func books(_ tree: ObjectTree?) -> [ObjectTree] { tree?.parts["books"] ?? [] }

  @Test func thePathOfAPartOfAPartNamesBothLists() throws {
    let page = try shelf.objects("books")[1].objects("pages")[0]
    try other.objects("books")[1].objects("pages")[0].set("text", to: "x")
    try other.set("name", to: "x")
    try theirs.save()
    try page.set("text", to: "y")
    try shelf.set("name", to: "y")
    #expect(try conflict().fields == ["name", "books[1].pages[0].text"])
  }

  @Test func theBaseOfAnUnorderedListHasTheSavedParts() throws {
    try other.set("name", to: "x")
    try theirs.save()
    try shelf.set("name", to: "y")
    try mine.delete(shelf.objects("books")[0])
    try Self.addBook("c", to: shelf)
    let conflict = try conflict()
    #expect(titles(conflict.base) == ["a", "b"])
    #expect(titles(conflict.mine) == ["b", "c"])
    #expect(titles(conflict.theirs) == ["a", "b"])
  }

  @Test func partsThatWereNotReadAreInAllTrees() throws {
    try other.set("name", to: "x")
    try theirs.save()
    try shelf.set("name", to: "y")
    let conflict = try conflict()
    for tree in [conflict.base, conflict.mine, conflict.theirs] {
      #expect(titles(tree) == ["a", "b"])
      for book in books(tree) {
        let texts: [String] = (book.parts["pages"] ?? []).compactMap { $0.values["text"]?.text }
        #expect(texts == ["1", "2"])
      }
    }
  }
}
