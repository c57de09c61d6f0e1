import AddressBookModel
import BookCare
import Foundation
import Glibc
import Messages
import SystemCalls
import TerminalKit

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
    browser.environment.drafts = drafts.map { DraftAutosave(store: $0, loop: browser.environment.loop) }
  }

  /// Restores the state of the last session.
  func restore() {
    let position = path.flatMap { positions?.position(in: $0) }
    restoreOrder(position)
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
    guard let path, let positions, let position = browser.position else { return lost }
    do {
      try positions.save(position, in: path)
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

/// The language that a reader of Traditional Chinese, in which there are no strings, chose on the screen.
struct LanguageChoice {
  /// Nil unless the locale is one of Traditional Chinese, and if there is no state folder.
  private let file: PrivateFile?

  init(_ folders: UserFolders, isTraditional: Bool = Language.isTraditionalRequested) {
    file = isTraditional ? folders.state.map { PrivateFile($0 + "/language") } : nil
  }

  /// Nil if nothing was chosen yet.
  var language: Language? {
    // A file that cannot be read is like none: the question is asked again.
    guard let bytes = try? file?.read(atMost: 64) else { return nil }
    return Language(rawValue: String(decoding: bytes, as: UTF8.self).trimmed)
  }

  /// True if the user is to be asked.
  var isOpen: Bool { file != nil && language == nil }

  func save(_ language: Language) throws(FileFailure) {
    try file?.write(Array((language.rawValue + "\n").utf8), makesFolder: true, isDurable: false)
  }

  /// The language in `config.toml`; nil if it has none, or one that does not exist.
  static func inSettings(of folders: UserFolders) -> Language? {
    guard let bytes = try? ConfigurationFile.bytes(in: folders.configuration) else { return nil }
    for setting in ConfigurationParser(String(decoding: bytes, as: UTF8.self)).settings
    where setting.path == "language" {
      if case .string(let text) = setting.value { return Language(rawValue: text) }
      return nil
    }
    return nil
  }
}

/// The program's folders in the user's home, by the XDG Base Directory Specification
/// (https://specifications.freedesktop.org/basedir-spec/latest/). A folder is nil if no absolute path is known.
struct UserFolders: Equatable, Sendable {
  /// `$XDG_CONFIG_HOME/addressbook`, or else `~/.config/addressbook`.
  var configuration: String?
  /// `$XDG_STATE_HOME/addressbook`, or else `~/.local/state/addressbook`.
  var state: String?

  /// No folders: nothing is read or saved.
  static let none = UserFolders()

  /// The folders according to the environment of this process.
  static var ofProcess: UserFolders {
    UserFolders(
      configuration: folder("XDG_CONFIG_HOME", ".config"), state: folder("XDG_STATE_HOME", ".local/state"))
  }

  private static func folder(_ variable: String, _ standard: String) -> String? {
    let environment = ProcessEnvironment.values(of: [variable, "HOME"])
    return HomeFolder.folder(variable, standard, in: environment).map { $0 + "/addressbook" }
  }
}

/// A file that is replaced atomically, with mode 0600: after a crash of the program it has the old or the new content.
struct PrivateFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// Returns the content; nil if there is no such file.
  /// - Parameter limit: the maximum size in bytes. A larger file is refused with `EFBIG`, a folder or a pipe with
  ///   `EINVAL` and without blocking, a book that this program has open with `EBUSY`.
  func read(atMost limit: Int) throws(FileFailure) -> [UInt8]? {
    if AddressBook.isOpen(path: path) { throw FileFailure(path, EBUSY, isOpenDatabase: true) }
    return try FileBytes.all(of: path, atMost: limit)
  }

  /// Replaces the file, with mode 0600.
  /// - Parameters:
  ///   - makesFolder: creates a missing folder, with mode 0700 like the program's other folders.
  ///   - isDurable: waits until the bytes are on disk, so that a power failure leaves the old or the new content, too.
  func write(_ bytes: [UInt8], makesFolder: Bool, isDurable: Bool) throws(FileFailure) {
    if makesFolder { try PrivateFolder.make(Folder.split(path).folder) }
    try FileReplacement.write(bytes, to: path, isDurable: isDurable)
  }

  /// Removes the file, if it exists.
  func remove() throws(FileFailure) {
    guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw FileFailure(path, errno) }
  }

  /// True if there is anything with this name.
  var exists: Bool { stat(of: path, followsLinks: false) != nil }
}

/// Explains in the user's language why a backup, an examination, a repair or a restore failed.
public enum BackupMessage {
  /// Returns the message of an error.
  public static func text(of error: any Error, in localization: Localization) -> String {
    switch error {
    case let error as BackupError: error.message(in: localization)
    case let error as StoreError: error.message(in: localization)
    case let failure as FileFailure: localization.titled(failure.path, failure.message)
    default: String(describing: error)
    }
  }
}

/// Text for commands that print lines, with the same widths and symbols as on the screen.
public enum PlainColumns {
  /// Returns text that is safe for a terminal: control characters become symbols, and nothing shifts the columns next
  /// to it.
  public static func clean(_ text: String) -> String { DisplayText.clean(text) }

  /// Returns the display width of a text in columns.
  public static func width(of text: String) -> Int { TextWidth.columns(of: text) }

  /// Returns the lines of a text that is wrapped at this many columns, but not after hyphens.
  public static func wrapped(_ text: String, to columns: Int) -> [String] {
    TextWidth.wrap(text, columns: columns, breaksAfterHyphens: false)
  }

  /// Returns the widths of columns that have two spaces between them, the widest ones narrowed until a line fits.
  public static func narrowed(_ widths: [Int], to columns: Int) -> [Int] {
    var room = columns - 2 * (widths.count - 1)
    guard widths.reduce(0, +) > room else { return widths }
    var narrowed = widths
    // From the narrowest to the widest, each gets at most an equal share of the room that is left.
    for (count, index) in widths.indices.sorted(by: { (widths[$0], $0) < (widths[$1], $1) }).enumerated() {
      narrowed[index] = max(1, min(widths[index], room / (widths.count - count)))
      room -= narrowed[index]
    }
    return narrowed
  }

  /// Returns the text in exactly this many columns: padded with spaces, or truncated at a cluster, with `…` where it was
  /// cut.
  /// - Parameter keepsEnd: whether the beginning is cut, as of a path.
  public static func fitted(_ text: String, to columns: Int, keepsEnd: Bool = false) -> String {
    let width = TextWidth.columns(of: text)
    guard width > columns else { return text + String(repeating: " ", count: columns - width) }
    guard columns > 0 else { return "" }
    if keepsEnd {
      let (end, used) = TextWidth.prefix(of: String(text.reversed()), columns: columns - 1)
      return TextWidth.ellipsis + String(end.reversed()) + String(repeating: " ", count: columns - 1 - used)
    }
    let (beginning, used) = TextWidth.prefix(of: text, columns: columns - 1)
    return beginning + TextWidth.ellipsis + String(repeating: " ", count: columns - 1 - used)
  }
}
