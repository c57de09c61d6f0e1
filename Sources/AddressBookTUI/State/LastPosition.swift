import AddressBookModel
import Foundation
import SystemCalls

/// The position in the list of a book at the end of a session.
struct LastPosition: Codable, Equatable {
  /// Id of the selected contact, with its UID, because in another book at the same path the id may belong to a
  /// different contact.
  var id: Int64
  var uid: String
  /// The number of rows from the first visible one to the selected one.
  var line: Int
  /// The displayed group; nil for all contacts, a folder or a collection.
  var group: String?
  /// The name of the chosen order; nil for the configured one.
  var order: String?
}

/// `state.json`: the last position in each book, the most recently used first.
struct PositionFile {
  private struct Content: Codable {
    var books: [Book]
  }

  private struct Book: Codable {
    var path: String
    var position: LastPosition
  }

  /// The maximum number of books.
  private static let most = 100
  private static let largest = 1 << 20
  private let file: PrivateFile

  init(folder: String) { file = PrivateFile(folder + "/state.json") }

  /// Returns the position in a book; nil if none is saved, or if the file cannot be read or decoded.
  func position(in book: String) -> LastPosition? { content.books.first { $0.path == book }?.position }

  func save(_ position: LastPosition, in book: String) throws(FileFailure) {
    var books = content.books.filter { $0.path != book }
    books.insert(Book(path: book, position: position), at: 0)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Content(books: Array(books.prefix(Self.most)))) else { return }
    try file.write(Array(data) + [0x0A], makesFolder: true, isDurable: false)
  }

  private var content: Content {
    guard let bytes = try? file.read(atMost: Self.largest),
      let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
    else { return Content(books: []) }
    return content
  }
}

extension BrowserScreen {
  /// The position to save; nil if no contact is selected, or if the contact is gone or cannot be read.
  var position: LastPosition? {
    guard let contact = list.contactForAction() else { return nil }
    return LastPosition(
      id: contact.id, uid: contact.uid, line: max(0, (list.selectedRow ?? 0) - list.top), group: list.filter.group,
      order: list.order == environment.order ? nil : list.order.rawValue)
  }

  /// Restores a position, unless its contact is gone; shows all contacts if the contact is no longer in its group.
  func restore(_ position: LastPosition) {
    do {
      guard let contact = try environment.book.contact(id: position.id), contact.uid == position.uid else { return }
      if let group = position.group, contact.groups.contains(group) {
        let isFavorites = group == Favorites.group
        let filter = isFavorites ? Favorites.filter(environment.strings) : ContactFilter(group: group)
        list.setFilter(filter, selecting: contact.id)
      } else {
        list.select(id: contact.id, line: position.line)
      }
    } catch {
      parts.status.show(reading: error)
    }
  }
}
