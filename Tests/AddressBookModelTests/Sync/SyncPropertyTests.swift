import Contacts
import Foundation
import SeededRandom
import Testing

@testable import AddressBookModel
@testable import FolderSync

/// Random edits on both sides with syncs that are interrupted anywhere: no phone number that was added is ever lost,
/// and both sides are the same in the end.
@Suite struct SyncPropertyTests {
  @Test(arguments: [0, 1, 2, 3] as [UInt64]) func nothingIsLost(number: UInt64) throws {
    let seed = number == 0 ? UInt64.random(in: 0...UInt64.max) : number
    print("seed of nothingIsLost: \(seed)")
    var world = try SyncWorld(seed: seed)
    for round in 0..<40 {
      try world.edit()
      for _ in 0..<world.random(3) { try world.interruptedSync() }
      try world.sync()
      #expect(try world.differences() == [], "seed \(seed), round \(round)")
      let again = try world.sync()
      #expect(again.toBook == .init() && again.toFolder == .init(), "seed \(seed), round \(round)")
    }
  }
}

/// A book, a folder, and what must be in both.
private struct SyncWorld {
  private var generator: SeededGenerator
  private let folder = TemporaryFolder()
  private let book: AddressBook
  private let cards: String
  /// The phone numbers of each contact, by UID.
  private var numbers: [String: Set<String>] = [:]
  private var next = 1000

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    book = try AddressBook.open(at: folder.book())
    cards = folder.file("cards")
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: false)
    for number in 0..<4 { try addFile("uid\(number)") }
    try sync()
  }

  mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  @discardableResult func sync() throws -> SyncReport {
    let sync = FolderSync(book: book, path: cards)
    sync.forcesDeletion = true
    return try sync.run()
  }

  /// Runs a sync that may be interrupted anywhere, even after it has written files and before it records them in the
  /// book.
  mutating func interruptedSync() throws {
    var left = random(40)
    let sync = FolderSync(book: book, path: cards)
    sync.forcesDeletion = true
    sync.isCancelled = {
      left -= 1
      return left < 0
    }
    do { _ = try sync.run() } catch let error as SyncError where error.reason == .cancelled {}
  }

  private mutating func number() -> String {
    next += 1
    return "070-\(next)"
  }

  /// Edits or deletes each contact on neither, one or both sides.
  mutating func edit() throws {
    for uid in numbers.keys.sorted() {
      let (here, there) = (random(5), random(5))
      var isEdited = (here: false, there: false)
      var isGone = (here: false, there: false)
      if here == 1 { isEdited.here = true; try editBook(uid) }
      if here == 2 { isGone.here = try delete(uid) }
      if there == 1 { isEdited.there = true; try editFile(uid) }
      if there == 2 { isGone.there = removeFile(uid) }
      let isBack = isGone.here && isEdited.there || isGone.there && isEdited.here
      if (isGone.here || isGone.there) && !isBack { numbers[uid] = nil }
    }
    if random(3) == 0 { try addFile("uid\(next)") }
    if random(3) == 0 {
      next += 1
      var contact = Contact()
      contact.uid = "uid\(next)"
      contact.given = "Given\(next)"
      numbers[contact.uid] = []
      try book.bulkWrite { _ = try $0.write(contact) }
    }
  }

  private mutating func editBook(_ uid: String) throws {
    guard let contact = try book.contact(uid: uid) else { return }
    let number = number()
    let gone = random(3) == 0 ? contact.phones.first?.value : nil
    try book.bulkWrite(groups: .replace) {
      try $0.change(contact.id) { contact in
        contact.phones.removeAll { $0.value == gone }
        contact.phones.append(LabeledValue(label: "mobile", value: number))
      }
    }
    if let gone { numbers[uid]?.remove(gone) }
    numbers[uid]?.insert(number)
  }

  private mutating func delete(_ uid: String) throws -> Bool {
    guard let contact = try book.contact(uid: uid) else { return false }
    try book.bulkWrite { try $0.delete(contact.id) }
    return true
  }

  private func file(_ uid: String) -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cards)) ?? []
    return names.map { cards + "/" + $0 }.first {
      FileManager.default.contents(atPath: $0).map { String(decoding: $0, as: UTF8.self) }?.contains("UID:\(uid)\r\n")
        == true
    }
  }

  private mutating func editFile(_ uid: String) throws {
    guard let file = file(uid), let data = FileManager.default.contents(atPath: file) else { return }
    let number = number()
    var lines = String(decoding: data, as: UTF8.self).components(separatedBy: "\r\n")
    let index = lines.firstIndex { $0.hasPrefix("TEL") }
    if random(3) == 0, let index {
      let gone = String(lines[index].split(separator: ":", maxSplits: 1)[1])
      lines.remove(at: index)
      numbers[uid]?.remove(gone)
    }
    lines.insert("TEL;TYPE=WORK:" + number, at: lines.count - 2)
    try Data(lines.joined(separator: "\r\n").utf8).write(to: URL(filePath: file), options: .atomic)
    numbers[uid]?.insert(number)
  }

  private func removeFile(_ uid: String) -> Bool {
    guard let file = file(uid) else { return false }
    return (try? FileManager.default.removeItem(atPath: file)) != nil
  }

  private mutating func addFile(_ uid: String) throws {
    next += 1
    let number = number()
    let text =
      "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(uid)\r\nN:\(uid);;;;\r\nFN:\(uid)\r\nTEL;TYPE=WORK:\(number)\r\nEND:VCARD\r\n"
    try Data(text.utf8).write(to: URL(filePath: cards + "/\(uid).vcf"), options: .atomic)
    numbers[uid] = [number]
  }

  /// Returns what differs from the expected state.
  func differences() throws -> [String] {
    var found: [String] = []
    let count = try book.contactCount()
    if count != numbers.count { found.append("\(count) contacts, not \(numbers.count)") }
    for (uid, expected) in numbers {
      let inBook = try Set(book.contact(uid: uid)?.phones.map(\.value) ?? ["no contact"])
      if inBook != expected { found.append("\(uid) in the book: \(inBook.sorted()), not \(expected.sorted())") }
      let text = file(uid).flatMap { FileManager.default.contents(atPath: $0) }.map {
        String(decoding: $0, as: UTF8.self)
      }
      let inFile = Set(
        (text ?? "TEL:no file").components(separatedBy: "\r\n").filter { $0.hasPrefix("TEL") }
          .map { String($0.split(separator: ":", maxSplits: 1)[1]) })
      if inFile != expected { found.append("\(uid) in the folder: \(inFile.sorted()), not \(expected.sorted())") }
    }
    return found
  }
}
