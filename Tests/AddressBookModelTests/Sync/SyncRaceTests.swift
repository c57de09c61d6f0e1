import Contacts
import Foundation
import GRDB
import SeededRandom
import SystemCalls
import Testing

@testable import AddressBookModel
@testable import FolderSync

/// Edits of the book at any moment of a sync, and syncs that end at any moment: every acknowledged edit stays, and there
/// is no conflict that nobody made.
@Suite struct SyncRaceTests {
  /// What happens to the contact after its file was written and before the book is.
  enum Edit: CaseIterable {
    case sameField, otherField, delete, deleteAndRestore, group, move
  }

  @Test(arguments: Edit.allCases, [false, true]) func anEditBetweenTheFileAndTheBook(_ edit: Edit, isKilled: Bool)
    throws
  {
    let world = try RaceWorld(contacts: 1)
    try world.write { try $0.change(world.id(0)) { $0.title = "A" } }
    var isDone = false
    try world.sync(stoppingIf: isKilled) { phase in
      guard phase == .filesWritten, !isDone else { return }
      isDone = true
      try world.perform(edit)
    }
    #expect(isDone)
    for _ in 0..<2 { try world.syncAll() }
    #expect(world.conflicts.isEmpty)
    #expect(try world.differences() == [])
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64]) func racesAndKills(number: UInt64) throws {
    let seed = number == 0 ? UInt64.random(in: 0...UInt64.max) : number
    print("seed of racesAndKills: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let races = ProcessInfo.processInfo.environment["SYNC_RACES"].flatMap(Int.init) ?? 160
    let world = try RaceWorld(contacts: 4)
    for race in 0..<races / 4 {
      try world.race(&generator)
      #expect(world.conflicts.isEmpty, "seed \(seed), race \(race)")
      #expect(try world.differences() == [], "seed \(seed), race \(race)")
      if !world.conflicts.isEmpty { break }
    }
  }
}

extension FolderSync {
  /// Runs a sync again while a process that another test is about to start still holds the lock of a former one.
  static func retrying<Value>(_ body: () throws -> Value) throws -> Value {
    let end = Date().addingTimeInterval(20)
    while true {
      do { return try body() } catch let error as SyncError where error.reason == .inUse && Date() < end {}
    }
  }
}

/// A book with two folders, and what must be in them.
private final class RaceWorld {
  enum Phase { case anywhere, filesWritten }

  private struct Expected: Equatable {
    var title = ""
    var phones: Set<String> = []
    var groups: Set<String> = []
    var folder = "a"
    var isDeleted = false
  }

  private let folder = TemporaryFolder()
  private let book: AddressBook
  /// The book as another program has it open.
  private let other: AddressBook
  private var expected: [String: Expected] = [:]
  private var next = 0
  private(set) var conflicts: [SyncReport.Conflict] = []

  init(contacts: Int) throws {
    book = try AddressBook.open(at: folder.book())
    other = try AddressBook.open(at: folder.book())
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
    }
    for number in 0..<contacts {
      var contact = Contact()
      contact.uid = "uid\(number)"
      contact.family = "Name\(number)"
      expected[contact.uid] = Expected()
      try book.bulkWrite { _ = try $0.write(contact) }
    }
    try syncAll()
    try syncAll()
  }

  func id(_ number: Int) -> Int64 { Int64(number + 1) }
  private func uid(_ id: Int64) -> String { "uid\(id - 1)" }

  func write(_ change: (BulkWriter) throws -> Void) throws {
    try other.bulkWrite(groups: .replace, change)
    try remember()
  }

  /// What the book has now was acknowledged.
  private func remember() throws {
    for uid in expected.keys {
      let folder = expected[uid]?.folder ?? ""
      guard let contact = try other.contact(uid: uid) else {
        expected[uid]?.isDeleted = true
        continue
      }
      expected[uid] = Expected(
        title: contact.title, phones: Set(contact.phones.map(\.value)), groups: Set(contact.groups), folder: folder)
    }
  }

  // MARK: - Edits

  func perform(_ edit: SyncRaceTests.Edit, on number: Int = 0) throws {
    next += 1
    let (id, uid) = (id(number), "uid\(number)")
    switch edit {
    case .sameField: try change(id) { $0.title = "T\(next)" }
    case .otherField: try change(id) { $0.phones.append(LabeledValue(label: "home", value: "070-\(next)")) }
    case .group: try change(id) { $0.groups = $0.groups == ["Team"] ? [] : ["Team"] }
    case .delete:
      try other.bulkWrite { try $0.delete(id) }
      expected[uid]?.isDeleted = true
    case .deleteAndRestore:
      try other.bulkWrite { try $0.delete(id) }
      try restore(id)
    case .move:
      guard expected[uid]?.isDeleted == false else { return }
      let target = expected[uid]?.folder == "a" ? "b" : "a"
      guard let place = try other.folders().first(where: { $0.name == target }) else { return }
      try other.move([id], to: place)
      expected[uid]?.folder = target
    }
  }

  private func change(_ id: Int64, _ change: (inout Contact) -> Void) throws {
    guard var state = expected[uid(id)], !state.isDeleted else { return }
    try other.bulkWrite(groups: .replace) { try $0.change(id, change) }
    guard let contact = try other.contact(id: id) else { return }
    (state.title, state.phones, state.groups) = (
      contact.title, Set(contact.phones.map(\.value)), Set(contact.groups)
    )
    expected[uid(id)] = state
  }

  private func restore(_ id: Int64) throws {
    try other.bulkWrite { try $0.restore(id) }
    expected[uid(id)]?.isDeleted = false
  }

  private func performAny(_ generator: inout SeededGenerator) throws {
    let number = Int.random(in: 0..<expected.count, using: &generator)
    if expected["uid\(number)"]?.isDeleted == true, Bool.random(using: &generator) { return try restore(id(number)) }
    try perform(SyncRaceTests.Edit.allCases.randomElement(using: &generator) ?? .sameField, on: number)
  }

  // MARK: - Syncs

  func syncAll() throws {
    for name in ["a", "b"] { try sync(name) { _ in } }
  }

  /// Syncs the first folder.
  /// - Parameter body: called at every step, between two writes; with `filesWritten` after the files and before the book.
  func sync(stoppingIf isKilled: Bool, _ body: @escaping (Phase) throws -> Void) throws {
    try sync("a", isKilled: { phase in isKilled && phase == .filesWritten }, body)
  }

  private func sync(
    _ name: String, isKilled: @escaping (Phase) -> Bool = { _ in false }, _ body: @escaping (Phase) throws -> Void
  ) throws {
    let sync = FolderSync(book: book, path: folder.file(name))
    sync.forcesDeletion = true
    sync.adoptsFreeContacts = name == "a"
    var failure: (any Error)?
    sync.isCancelled = { [self] in
      let phase: Phase = isFileNewer(in: name) ? .filesWritten : .anywhere
      do { try body(phase) } catch { failure = error }
      return isKilled(phase)
    }
    do {
      conflicts += try FolderSync.retrying { try sync.run() }.conflicts.filter { $0.conflict.kept == .each }
    } catch let error as SyncError where error.reason == .cancelled {}
    if let failure { throw failure }
  }

  /// Whether there is a file that the book was not told about: an intent that came true.
  private func isFileNewer(in name: String) -> Bool {
    let intents = try? other.database.writeWithoutTransaction { db in
      try Row.fetchAll(
        db, sql: "SELECT i.file, i.digest FROM sync_intent i JOIN sync_folder f ON f.id = folder_id WHERE f.path = ?",
        arguments: [RealPath.resolved(folder.file(name))])
    }
    guard let intents, !intents.isEmpty, let files = try? CardFolder(path: folder.file(name)) else { return false }
    return intents.contains { files.has($0[0], $0[1]) }
  }

  /// Random edits before and during a few syncs that may end anywhere.
  func race(_ generator: inout SeededGenerator) throws {
    for _ in 0..<Int.random(in: 0...2, using: &generator) { try performAny(&generator) }
    for _ in 0..<2 {
      let name = Bool.random(using: &generator) ? "a" : "b"
      var steps = Int.random(in: 0..<30, using: &generator)
      let stop = Bool.random(using: &generator) ? Int.random(in: 0..<40, using: &generator) : Int.max
      var step = 0
      var random = generator
      try sync(name, isKilled: { _ in step >= stop }) { [self] _ in
        step += 1
        steps -= 1
        if steps < 0, steps > -3 { try performAny(&random) }
      }
      generator = random
      if Bool.random(using: &generator) { try performAny(&generator) }
    }
    for _ in 0..<3 { try syncAll() }
  }

  // MARK: - Checking

  /// Returns what is not as expected.
  func differences() throws -> [String] {
    var found: [String] = []
    for (uid, wanted) in expected.sorted(by: { $0.key < $1.key }) {
      var inBook = Expected(folder: wanted.folder, isDeleted: true)
      if let contact = try other.contact(uid: uid) {
        inBook = Expected(
          title: contact.title, phones: Set(contact.phones.map(\.value)), groups: Set(contact.groups),
          folder: try other.folderNames(ofContact: contact.id).joined(separator: "+"))
      }
      if wanted.isDeleted {
        if !inBook.isDeleted { found.append("\(uid) is back: \(inBook)") }
      } else if inBook != wanted {
        found.append("\(uid) in the book: \(inBook), not \(wanted)")
      }
      for name in ["a", "b"] {
        let text = String(
          decoding: FileManager.default.contents(atPath: folder.file(name) + "/\(uid).vcf") ?? Data(), as: UTF8.self)
        let isWanted = name == wanted.folder && !wanted.isDeleted
        if text.isEmpty == isWanted { found.append("\(uid) in \(name): \(text)") }
        if isWanted, !text.contains("TITLE:" + wanted.title) && !wanted.title.isEmpty {
          found.append("\(uid) in \(name) has not \(wanted.title): \(text)")
        }
        if isWanted, let phone = wanted.phones.first(where: { !text.contains($0) }) {
          found.append("\(uid) in \(name) has not \(phone): \(text)")
        }
      }
    }
    return found
  }
}
