import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel
@testable import FolderSync

/// Two books that are synced with one server, each through folders that a copying program such as vdirsyncer keeps the
/// same as the server's.
@Suite struct TwoMachinesTests {
  /// SYNC_MACHINES is a number of random seeds, SYNC_SEED one to repeat.
  private static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let seed = environment["SYNC_SEED"].flatMap(UInt64.init) { return [seed] }
    guard let count = environment["SYNC_MACHINES"].flatMap(Int.init) else { return Array(0..<3) }
    return (0..<count).map { _ in .random(in: 0...UInt64.max) }
  }()

  @Test(arguments: seeds) func twoMachinesConverge(seed: UInt64) throws { try converge(seed, kills: false) }

  /// Some syncs are killed anywhere.
  @Test(arguments: seeds) func twoMachinesConvergeAfterKills(seed: UInt64) throws { try converge(seed, kills: true) }

  private func converge(_ seed: UInt64, kills: Bool) throws {
    print("seed of twoMachinesConverge\(kills ? "AfterKills" : ""): \(seed)")
    var generator = SeededGenerator(seed: seed)
    let server = CopiedServer(folders: ["a", "b", "c"])
    let machines = try [Machine("1", server), Machine("2", server)]
    for _ in 0..<8 { try machines[0].addContact() }
    for machine in machines + machines { try machine.sync() }
    for _ in 0..<400 {
      let machine = machines.randomElement(using: &generator) ?? machines[0]
      try machine.edit(&generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: try machine.sync(stoppingAfter: kills ? Int.random(in: 0..<80, using: &generator) : .max)
      case 1: try machine.sync()
      default: break
      }
    }
    for machine in machines + machines { try machine.sync() }
    let before = server.cards
    for machine in machines {
      let count = try machine.sync()
      #expect(count == 0, "seed \(seed)")
      #expect(machine.conflicts.map { "\($0.uid) \($0.conflict)" } == [], "seed \(seed)")
    }
    #expect(server.cards == before, "seed \(seed)")
    let contents = try machines.map { try $0.contents() }
    let differences = contents[0].filter { contents[1][$0.key] != $0.value }.map { uid, mine in
      "\(uid): \(mine), \(contents[1][uid].map { "\($0)" } ?? "nothing")"
    }
    #expect(differences == [] && contents[0].count == contents[1].count, "seed \(seed)")
    #expect(contents[0].mapValues { $0.folders } == server.folders(), "seed \(seed)")
    let losses = try Machine.losses(machines)
    #expect(losses == [], "seed \(seed)")
  }
}

/// The cards of a server, by folder and UID.
private final class CopiedServer {
  var cards: [String: [String: [UInt8]]]

  init(folders: [String]) { cards = Dictionary(uniqueKeysWithValues: folders.map { ($0, [:]) }) }

  /// Returns the folders of each card.
  func folders() -> [String: [String]] {
    cards.sorted { $0.key < $1.key }.reduce(into: [:]) { result, folder in
      for uid in folder.value.keys { result[uid, default: []].append(folder.key) }
    }
  }
}

private final class Machine {
  struct Content: Equatable {
    var title = ""
    var nickname = ""
    var phones: Set<String> = []
    var groups: [String] = []
    var folders: [String] = []
  }

  private let name: String
  private let folder = TemporaryFolder()
  private let book: AddressBook
  private let server: CopiedServer
  /// What the folders and the server had in common after the last copy.
  private var copied: [String: [String: (here: [UInt8], there: [UInt8])]] = [:]
  private var next = 0
  private(set) var conflicts: [SyncReport.Conflict] = []
  private var added: [String: Set<String>] = [:]
  private var removed: Set<String> = []
  private var deleted: Set<String> = []
  /// The last value of the text that only this machine sets.
  private var texts: [String: String] = [:]
  private func previous(_ name: String) -> PreviousCards { PreviousCards(folder: folder.file("former/" + name)) }

  init(_ name: String, _ server: CopiedServer) throws {
    self.name = name
    self.server = server
    book = try AddressBook.open(at: folder.book())
    for folder in server.cards.keys {
      try FileManager.default.createDirectory(atPath: path(folder), withIntermediateDirectories: true)
    }
  }

  private func path(_ name: String) -> String { folder.file("cards/" + name) }

  // MARK: - Edits

  func addContact() throws {
    next += 1
    var contact = Contact()
    contact.uid = "uid\(name)-\(next)"
    contact.family = "Name\(name)-\(next)"
    added[contact.uid] = []
    try book.bulkWrite { _ = try $0.write(contact) }
  }

  func edit(_ generator: inout SeededGenerator) throws {
    let uids = try contents().keys.sorted()
    guard let uid = uids.randomElement(using: &generator), let contact = try book.contact(uid: uid) else {
      return try addContact()
    }
    next += 1
    func change(_ change: (inout Contact) -> Void) throws {
      try book.bulkWrite(groups: .replace) { try $0.change(contact.id, change) }
    }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: try addContact()
    case 1:
      try book.bulkWrite { try $0.delete(contact.id) }
      deleted.insert(uid)
    case 2:
      guard let phone = contact.phones.randomElement(using: &generator) else { return }
      try change { contact in contact.phones.removeAll { $0.value == phone.value } }
      removed.insert(phone.value)
    case 3, 4:
      let text = "T\(next)"
      try change { if name == "1" { $0.title = text } else { $0.nickname = text } }
      texts[uid] = text
    case 5:
      let group = "Group " + name
      try change { $0.groups = $0.groups.contains(group) ? $0.groups.filter { $0 != group } : $0.groups + [group] }
    case 6, 7, 8:
      let folders = try book.folders()
      if let target = folders.randomElement(using: &generator) { try book.move([contact.id], to: target) }
    default:
      let number = "070-\(name)\(next)"
      try change { $0.phones.append(LabeledValue(label: "mobile", value: number)) }
      added[uid, default: []].insert(number)
    }
  }

  // MARK: - Syncs

  /// Copies, syncs all folders, and copies again.
  /// - Parameter steps: after how many steps of the syncs the program is killed.
  /// - Returns: how many contacts and files were changed.
  @discardableResult func sync(stoppingAfter steps: Int = .max) throws -> Int {
    var left = steps
    var count = 0
    let syncs = server.cards.keys.sorted().map { name in
      let sync = FolderSync(book: book, path: path(name))
      sync.forcesDeletion = true
      sync.adoptsFreeContacts = name == "a"
      sync.previousCards = previous(name)
      sync.isCancelled = {
        left -= 1
        return left < 0
      }
      return sync
    }
    func run(_ sync: FolderSync) throws {
      let report = try FolderSync.retrying { try sync.run() }
      conflicts += report.conflicts.filter { $0.conflict.kept == .each }
      count += report.toBook.total + report.toFolder.total + report.skipped.count
    }
    do {
      let hasChanges = server.cards.keys.contains { !previous($0).isEmpty }
      for sync in syncs { try FolderSync.retrying(sync.takeBack) }
      try copy(uploads: !hasChanges)
      for sync in syncs { try run(sync) }
      for sync in syncs where try sync.isPending() { try run(sync) }
      try copy()
    } catch let error as SyncError where error.reason == .cancelled {}
    return count
  }

  /// Copies between the folders and the server, as vdirsyncer does.
  /// - Parameter uploads: false to fetch only.
  private func copy(uploads: Bool = true) throws {
    var isComplete = true
    if uploads { for name in server.cards.keys { previous(name).beginUpload() } }
    for name in server.cards.keys.sorted() {
      var files: [String: (file: String, bytes: [UInt8])] = [:]
      for file in try FileManager.default.contentsOfDirectory(atPath: path(name)) where file.hasSuffix(".vcf") {
        let bytes = Array(FileManager.default.contents(atPath: path(name) + "/" + file) ?? Data())
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
        let uid = lines.first { $0.hasPrefix("UID:") }?.dropFirst(4) ?? ""
        #expect(files[String(uid)] == nil, "\(uid) is twice in \(name)")
        files[String(uid)] = (file, bytes)
      }
      let known = copied[name] ?? [:]
      var status: [String: (here: [UInt8], there: [UInt8])] = [:]
      for uid in Set(files.keys).union(server.cards[name, default: [:]].keys).union(known.keys).sorted() {
        let (here, there) = (files[uid]?.bytes, server.cards[name]?[uid])
        let isChangedHere = here != known[uid]?.here
        let isChangedThere = there != known[uid]?.there
        var result = there
        if let here, let there, isChangedHere, isChangedThere, here != there {
          let base = try PreviousCards.card(like: here, in: folder.file("former"))
          guard let merge = CardMerge(base: base, mine: here, theirs: there, prefers: nil) else {
            Issue.record("machine \(self.name) cannot merge \(uid) in \(name)")
            isComplete = false
            status[uid] = known[uid]
            continue
          }
          result = merge.bytes
        } else if isChangedHere, here != nil || !isChangedThere {
          result = here
        }
        let file = path(name) + "/" + (files[uid]?.file ?? uid + ".vcf")
        if let result {
          if result != here { try Data(result).write(to: URL(filePath: file), options: .atomic) }
        } else if here != nil {
          try FileManager.default.removeItem(atPath: file)
        }
        if uploads || result == there {
          server.cards[name]?[uid] = result
          status[uid] = result.map { ($0, $0) }
        } else {
          status[uid] = known[uid]
        }
      }
      copied[name] = status
    }
    if isComplete, uploads { for name in server.cards.keys { previous(name).clear() } }
  }

  // MARK: - Results

  func contents() throws -> [String: Content] {
    let ids = try book.database.read { try Int64.fetchAll($0, sql: "SELECT id FROM contact WHERE deleted_at IS NULL") }
    return try book.contacts(ids: ids).reduce(into: [:]) { result, contact in
      result[contact.uid] = Content(
        title: contact.title, nickname: contact.nickname, phones: Set(contact.phones.map(\.value)),
        groups: contact.groups.sorted(), folders: try book.folderNames(ofContact: contact.id).sorted())
    }
  }

  /// Returns what was added, and not removed, and is gone; contacts that were deleted somewhere are not compared.
  static func losses(_ machines: [Machine]) throws -> [String] {
    let contents = try machines[0].contents()
    let deleted = machines.reduce(into: Set()) { $0.formUnion($1.deleted) }
    let removed = machines.reduce(into: Set()) { $0.formUnion($1.removed) }
    var found: [String] = []
    for machine in machines {
      for (uid, numbers) in machine.added where !deleted.contains(uid) {
        let missing = numbers.subtracting(removed).subtracting(contents[uid]?.phones ?? [])
        if contents[uid] == nil || !missing.isEmpty { found.append("\(uid): \(missing.sorted())") }
      }
      for (uid, text) in machine.texts where !deleted.contains(uid) {
        let now = machine.name == "1" ? contents[uid]?.title : contents[uid]?.nickname
        if now != text { found.append("\(uid): \(now ?? "nothing"), not \(text)") }
      }
    }
    let back = contents.filter { !deleted.contains($0.key) }.values.flatMap { $0.phones.intersection(removed) }
    return found.sorted() + back.sorted().map { $0 + " is back" }
  }
}
