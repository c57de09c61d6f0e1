import AddressBookModel
import Foundation
import Messages
import TerminalKit
import TerminalKitTesting
import Testing

@testable import AddressBookTUI

/// What the screen offers when a book is damaged, in both languages.
@MainActor
@Suite struct RescueTests {
  private let folder = RescueFolder()

  init() throws {
    let book = try AddressBook.open(at: folder.book())
    try book.bulkWrite { for person in ScreenPeople.few { try $0.write(person) } }
    book.close()
  }

  /// Overwrites the first page of the book, and opens the screen that offers to repair it.
  private func rescue(_ language: Language, _ size: Size = Size(rows: 24, columns: 80)) throws -> Rescue {
    let file = URL(fileURLWithPath: folder.file("book.db"))
    var bytes = try Data(contentsOf: file)
    bytes.replaceSubrange(0..<4096, with: Data(repeating: 9, count: 4096))
    try bytes.write(to: file)
    chmod(file.path, 0o600)
    return try Rescue(folder.book(), language, size)
  }

  @Test(arguments: ScreenGoldenTests.views)
  func aBookIsExaminedAndRepaired(size: (rows: Int, columns: Int), language: Language) throws {
    let name = "\(size.columns)x\(size.rows)-\(language.rawValue)"
    let rescue = try rescue(language, Size(rows: size.rows, columns: size.columns))
    try Golden.check(rescue.text, "rescue-offer-\(name)")
    rescue.press("e")
    try rescue.waitForQuestion()
    try Golden.check(rescue.text, "rescue-found-\(name)")
    if size.rows == 12 {
      // Everything can be read in a small window.
      rescue.press("PgDn")
      try Golden.check(rescue.text, "rescue-scrolled-\(name)")
    }
    rescue.press("r")
    try rescue.waitForQuestion()
    try Golden.check(rescue.text, "rescue-repaired-\(name)")
    rescue.press("Enter")
    #expect(rescue.screen.outcome == .open)
    let book = try AddressBook.open(at: folder.book())
    #expect(try book.contactCount() == ScreenPeople.few.count)
    book.close()
  }

  @Test func aBackupIsRestored() throws {
    let book = try AddressBook.open(at: folder.book())
    mkdir(folder.file("book.db.backups"), 0o700)
    try book.backUp(to: folder.file("book.db.backups/book-2026-11-20.db"))
    book.close()
    let rescue = try rescue(.english)
    rescue.press("b")
    #expect(rescue.text.contains("2026-"))
    rescue.press("Enter")
    try rescue.waitForQuestion()
    #expect(rescue.text.contains("in order again"))
    rescue.press("Enter")
    #expect(rescue.screen.outcome == .open)
    let restored = try AddressBook.open(at: folder.book())
    #expect(try restored.contactCount() == ScreenPeople.few.count)
    restored.close()
  }

  @Test(arguments: Language.allCases)
  func warningsAreNotCalledDamage(_ language: Language) throws {
    let strings = Strings(Localization(language: language))
    try Data("Not a book. ".utf8).write(to: URL(fileURLWithPath: folder.file("book.db")))
    chmod(folder.file("book.db"), 0o600)
    let rescue = try Rescue(folder.book(), language, Size(rows: 20, columns: 100))
    rescue.press("e")
    try rescue.waitForQuestion()
    #expect(rescue.text.contains(strings("rescue.title")), "\(rescue.text)")
    #expect(rescue.text.contains(strings("rescue.cannotHelp")))
    #expect(!rescue.text.contains(strings("rescue.found")) && !rescue.text.contains(strings("rescue.nothingHelps")))
  }

  @Test(arguments: Language.allCases)
  func theRepairOfAWarningPromisesNoCopy(_ language: Language) throws {
    let strings = Strings(Localization(language: language))
    chmod(folder.file("book.db"), 0o644)
    let rescue = try Rescue(folder.book(), language, Size(rows: 20, columns: 100), isOpenable: true)
    try rescue.waitForQuestion()
    for key in ["rescue.warnings", "rescue.willCorrect", "rescue.repairInPlace"] {
      #expect(rescue.text.contains(strings(key)), "\(rescue.text)")
    }
    #expect(!rescue.text.contains(strings("rescue.found")) && !rescue.text.contains(strings("rescue.willRepair")))
    rescue.press("r")
    try rescue.waitForQuestion()
    #expect(rescue.text.contains(strings("rescue.repaired")))
    #expect(folder.names.allSatisfy { !$0.contains("damaged") })
  }

  @Test func leavingTheQuestionChangesNothing() throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.file("book.db")))
    let rescue = try rescue(.english)
    let damaged = try Data(contentsOf: URL(fileURLWithPath: folder.file("book.db")))
    rescue.press("e")
    try rescue.waitForQuestion()
    rescue.press("Esc")
    #expect(rescue.screen.outcome == .quit)
    #expect(before != damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("book.db"))) == damaged)
  }
}

/// A folder whose name is as long as that in the goldens.
private final class RescueFolder {
  static let shown = "/home/user/books1"
  let path: String

  init() {
    var template = Array("/tmp/rescueXXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }
  func book() -> StoreLocation { .file(file("book.db")) }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

/// The screen without a terminal.
@MainActor
private final class Rescue {
  let screen: RescueScreen
  private let environment: AppEnvironment
  private let terminal: RecordingTerminal
  private let loop = ManualLoop()
  private let root: AppRoot
  private let folder: String

  /// Offers to examine a book that cannot be opened, or examines one that can.
  init(_ location: StoreLocation, _ language: Language, _ size: Size, isOpenable: Bool = false) throws {
    terminal = RecordingTerminal(size: size, colors: 256)
    environment = AppEnvironment(
      book: try AddressBook.inMemory(), strings: Strings(Localization(language: language)),
      theme: .named(.terminal, colors: 256), terminal: terminal, loop: loop)
    screen = RescueScreen(location, isOpenable: isOpenable, environment: environment)
    root = AppRoot(environment: environment)
    folder = location.folder ?? ""
    environment.screens.push(screen)
    if isOpenable {
      screen.examine()
      return
    }
    do {
      _ = try AddressBook.open(at: location)
      Issue.record("The book opens.")
    } catch {
      #expect(RescueScreen.helps(error))
      screen.offer(error)
    }
  }

  /// What is shown, with names that are the same in each run.
  var text: String {
    terminal.present(root.draw(size: terminal.size))
    // The time in a file's name may be wrapped after a hyphen.
    return terminal.text.replacing(folder, with: RescueFolder.shown)
      .replacing(/20[0-9]{2}-[0-9]{2}-/, with: "2026-11-").replacing(/[0-9]{2}-[0-9]{6}/, with: "23-093000")
      .split(separator: "\n", omittingEmptySubsequences: false).map { $0.replacing(/[ ]+$/, with: "") }
      .joined(separator: "\n")
  }

  func press(_ keys: String) {
    for key in KeySequence(notation: keys)?.keys ?? [] {
      loop.drain()
      root.handle(.key(key))
    }
  }

  func waitForQuestion() throws {
    let deadline = DispatchTime.now() + .seconds(20)
    while environment.screens.screens.count < 2 {
      try #require(loop.waitForPost(until: deadline))
      loop.drain()
    }
  }
}
