import AddressBookModel
import Foundation
import Messages
import SystemCalls

/// The state that the full-screen interface saves from one session to the next, in the state folder.
@MainActor
final class SessionState {
  private let browser: BrowserScreen
  private let positions: PositionFile?
  private let drafts: DraftFolder?
  /// The path of the book; nil for one in memory, whose state is not saved.
  private let path: String?

  /// - Parameters:
  ///   - folder: the state folder; nil if there is none, and nothing is saved.
  ///   - path: the path of the book, which identifies it; nil for a book in memory.
  init(browser: BrowserScreen, folder: String?, path: String?) {
    self.browser = browser
    self.path = path
    positions = folder.map(PositionFile.init)
    drafts = folder.flatMap { folder in path.map { DraftFolder(folder: folder, book: $0) } }
    browser.environment.importChoices = folder.map(ImportChoicesFile.init)
    browser.environment.drafts = drafts.map { DraftAutosave(store: $0, loop: browser.environment.loop) }
  }

  /// Restores the state of the last session.
  func restore() {
    let position = path.flatMap { positions?.position(in: $0) }
    if let positions {
      browser.environment.inputs = positions.inputs
      browser.parts.search.inputs = positions.inputs[.searches]
    }
    restoreOrder(position)
    // A choice begins with its search, and is no time for an interrupted form.
    guard browser.environment.pick == nil else { return }
    if let position { restore(position) }
    guard !browser.environment.book.isReadOnly, let drafts else { return }
    if let reason = drafts.setAside() {
      browser.parts.status.fail(browser.environment.strings("status.saveFailed", reason))
    }
    browser.forms.offer(drafts.left())
  }

  /// Sorts the list as in the last session, or as the configuration says.
  private func restoreOrder(_ position: LastPosition?) {
    let order = position?.order.flatMap(ContactSortOrder.init) ?? browser.environment.configuration.order
    if browser.list.needsSorting(by: order) { browser.list.sort(by: order) }
  }

  /// Restores the position in the list, unless the user has already moved.
  private func restore(_ position: LastPosition) {
    guard browser.list.filter.isEmpty, (browser.list.selectedRow ?? 0) == 0 else { return }
    browser.restore(position)
  }

  /// Saves the position in the list, and the input of a form that is still open.
  /// - Returns: what could not be saved and why, in the user's language. It is not an error: quitting succeeds even
  ///   with a full disk or a read-only home.
  func save() -> [String] {
    let strings = browser.environment.strings
    var lost: [String] = []
    if let reason = browser.environment.drafts?.flush() { lost.append(strings("draft.lost", reason)) }
    guard browser.environment.pick == nil, let path, let positions, let position = browser.position else { return lost }
    do {
      browser.environment.inputs[.searches] = browser.parts.search.inputs
      try positions.save(position, browser.environment.inputs, in: path)
    } catch {
      lost.append(strings("position.notKept", error.message))
    }
    return lost
  }
}

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
    var inputs: InputHistories?
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

  /// What was entered in earlier sessions.
  var inputs: InputHistories { content.inputs ?? InputHistories() }

  func save(_ position: LastPosition, _ inputs: InputHistories, in book: String) throws(FileFailure) {
    var books = content.books.filter { $0.path != book }
    books.insert(Book(path: book, position: position), at: 0)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Content(books: Array(books.prefix(Self.most)), inputs: inputs)) else { return }
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
      order: list.asked.chosenOrder == environment.configuration.order ? nil : list.asked.chosenOrder.rawValue)
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
