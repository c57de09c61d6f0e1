import ContactSearch
import Contacts
import Foundation
import GRDB
import SeededRandom
import Testing

@testable import AddressBookModel
@testable import BookInterchange
@testable import BookSearching

/// The cache file of a book's search index: it is used if it is valid, and silently ignored otherwise.
struct SearchCacheTests: SearchCacheSuite {
  let folder = TemporaryFolder()

  /// The position of an id among ascending ones, with and without missing ids, is that of a search from the start.
  @Test(arguments: [1, 2, 30]) func positionsOfIDs(step: Int64) {
    var random = SeededGenerator(seed: UInt64(step))
    for count in 0..<40 {
      var ids: [Int64] = []
      for _ in 0..<count {
        ids.append((ids.last ?? Int64.random(in: -5...5, using: &random)) + .random(in: 1...step, using: &random))
      }
      let wanted = ids.flatMap { [$0 - 1, $0, $0 + 1] } + [.min, .max, 0]
      for id in wanted {
        let found = ids.withUnsafeBufferPointer { $0.firstIndex(notBelow: id) }
        #expect(found == ids.firstIndex { $0 >= id } ?? count, "\(id) in \(ids)")
      }
    }
  }

  /// Contacts that were written since the file was made are placed among the others, without reading the order of all.
  @Test func writtenContactsArePlacedAmongTheOthers() throws {
    let book = try makeBook(200)
    let before = try book.listRows().map(\.id)
    let renamed = try [(0, "Zzz"), (199, "Aaa"), (100, "Mmm"), (101, "Mmm"), (50, "欧阳")].map { place, name in
      var contact = try #require(try book.contact(id: before[place]))
      (contact.formattedName, contact.family, contact.given) = ("", name, "")
      return contact
    }
    try book.bulkWrite { writer in
      for contact in renamed { try writer.write(contact) }
      try writer.delete(before[10])
      for person in SampleContacts(count: 5, seed: 9) { try writer.write(person) }
    }
    let queries = BookQueries(book)
    _ = try queries.find("li")
    let order = try #require(queries.askedIndex.withLock { $0?.ticket.order })
    let listed = try book.listRows().map(\.id)
    #expect(listed.count == 204 && listed != before)
    let places = try #require(try book.store.read { try order.places(of: listed, $0) })
    #expect(zip(places, places.dropFirst()).allSatisfy(<))
    #expect(try book.store.read { try order.places(of: [before[10]], $0) } == nil, "it was deleted")
  }

  /// An import into an empty book builds the index as it goes. Its hits are those of an index built from the book.
  @Test func anImportWritesTheIndex() throws {
    let book = try AddressBook.open(at: location)
    var cards = ""
    var people: [Contact] = []
    for var person in SampleContacts(count: 400, seed: 5) {
      if person.uid.isEmpty { person.uid = UniqueID.make() }
      people.append(person)
      cards += String(decoding: CardExporter(version: nil).card(of: person, photo: nil), as: UTF8.self)
    }
    // These make the import write contacts again: a second card, and a group, whose members are added at the end.
    cards += "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(people[7].uid)\r\nFN:\(people[7].displayName)\r\n"
    cards += "TEL:999 888 777\r\nEND:VCARD\r\n"
    cards += "BEGIN:VCARD\r\nVERSION:4.0\r\nKIND:group\r\nUID:g\r\nFN:gathered\r\n"
    for person in people.prefix(20) { cards += "MEMBER:\(CardIdentity.reference(person.uid))\r\n" }
    cards += "END:VCARD\r\n"
    let importer = Importer(book: book)
    #expect(try importer.run([folder.write(Array(cards.utf8), to: "cards.vcf")]).imported == 401)
    try book.refreshSearchIndex()
    #expect(try isUsed(book))
    try expectFresh(book, ["999888777", "group:gathered"])
    #expect(try book.find("group:gathered").count == 20)
  }

  /// A canceled import leaves neither contacts nor an index, and the next one makes both.
  @Test(arguments: [1, 500, 1400])
  func aCanceledImportLeavesNothing(after questions: Int) throws {
    let book = try AddressBook.open(at: location)
    let cards = (0..<1500).map { ImportRun.card("u\($0)", "Name \($0)", "TEL:\($0)") }
    let file = folder.write(Array(cards.joined().utf8), to: "cards.vcf")
    let asked = Counter()
    let importer = Importer(book: book)
    importer.isCancelled = {
      asked.add()
      return asked.value > questions
    }
    #expect(throws: ImportError.self) { try importer.run([file]) }
    #expect(try book.find("").isEmpty)
    #expect(!files.contains { $0.hasSuffix(".index") })
    importer.isCancelled = { false }
    _ = try importer.run([file])
    try book.refreshSearchIndex()
    #expect(try book.find("").count == 1500)
    try expectFresh(book)
  }

  @Test func theSecondSearchUsesTheFile() throws {
    let book = try makeBook()
    #expect(files.count == 1)
    #expect(try isUsed(book))
    try expectFresh(book)
    var status = stat()
    #expect(stat(cacheFolder, &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    // Also if the book is opened for reading only.
    book.close()
    let reader = try AddressBook.open(at: location, mode: .readOnly)
    #expect(try isUsed(reader))
    try expectFresh(reader)
  }

  @Test(arguments: [1, 2, UInt64.random(in: 100...1_000_000)])
  func writesAreFoundAtOnce(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try makeBook(200)
    let other = try AddressBook.open(at: location)
    for round in 0..<12 {
      let writer = round.isMultiple(of: 2) ? book : other
      let ids = try book.store.read { try Int64.fetchAll($0, sql: "SELECT id FROM contact WHERE deleted_at IS NULL") }
      let id = try #require(ids.randomElement(using: &random))
      var contact = try #require(try writer.contact(id: id))
      switch Int.random(in: 0..<7, using: &random) {
      case 0: try writer.bulkWrite { try $0.delete(id) }
      case 1:
        contact.family = "欧阳"
        contact.given = "测\(round)"
        try writer.bulkWrite { _ = try $0.write(contact) }
      case 2:
        contact.phones = [LabeledValue(label: "", value: "0\(round)77 1234")]
        contact.groups.append("Group \(round)")
        try writer.bulkWrite { _ = try $0.write(contact) }
      case 3:
        let context = writer.newContext()
        let person = try #require(try context.person(id))
        person.nickname = "Nick\(round)"
        try context.save()
      case 4:
        try writer.bulkWrite {
          for person in SampleContacts(count: 5, seed: seed &+ UInt64(round)) { try $0.write(person) }
        }
      case 5:
        // Another program, such as the sqlite3 shell, may write only the parts of a contact.
        try writer.store.write { db in
          try db.execute(sql: "UPDATE phone SET value = '99\(round)99' WHERE contact_id = ?", arguments: [id])
          try db.execute(sql: "UPDATE contact_group SET name = name || 'x'")
        }
      default:
        try writer.store.write { db in
          try db.execute(sql: "DELETE FROM email WHERE contact_id = ?", arguments: [id])
          try db.execute(
            sql: "INSERT INTO url(contact_id, value) VALUES (?, 'https://a\(round).example')", arguments: [id])
        }
      }
      try expectFresh(
        book, ["nick\(round)", "99\(round)99", "测", "a\(round).ex", "group:x"], "seed \(seed) round \(round)")
      if round.isMultiple(of: 5) { try other.keepSearchIndex() }
    }
    #expect(try isUsed(book))
  }

  @Test func manyWritesRewriteTheFile() throws {
    let book = try makeBook(300)
    try book.store.write { try $0.execute(sql: "UPDATE contact SET title = 'Novice', version = version + 1") }
    #expect(try !isUsed(book))
    try expectFresh(book, ["novice"])
    try book.keepSearchIndex()
    #expect(try isUsed(book))
  }

  // MARK: Damage

  @Test(arguments: [1, UInt64.random(in: 100...1_000_000)])
  func damageIsDetected(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let book = try makeBook(100)
    let path = file
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    func put(_ data: Data) throws {
      try data.write(to: URL(fileURLWithPath: path))
      chmod(path, 0o600)
    }
    func parts() -> [[UInt8]]? { CacheFile.read(path)?.parts.map { [UInt8]($0.bytes) } }
    let before = try #require(parts())
    // A changed byte is noticed, or belongs to no part.
    for _ in 0..<20 {
      var bytes = whole
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      try put(bytes)
      #expect(parts() == nil || parts() == before)
      try expectFresh(book, [], "seed \(seed)")
    }
    // A change to any byte of the header is noticed.
    for index in stride(from: 0, to: 4096, by: 37) {
      var bytes = whole
      bytes[index] ^= 0x10
      try put(bytes)
      #expect(CacheFile.read(path) == nil, "byte \(index)")
    }
    for length in [0, 1, 23, 4095, 4096, 20_000, whole.count / 2, whole.count - 1] {
      try put(whole.prefix(length))
      #expect(CacheFile.read(path) == nil, "\(length) bytes")
      try expectFresh(book)
    }
    try put(Data(count: whole.count))
    #expect(CacheFile.read(path) == nil)
    try put(whole)
    #expect(try isUsed(book))
  }

  /// A file that is mapped gives what a copy of it gives, and stays as it is when the memory is written and grows.
  @Test func aMappedFileIsACopy() throws {
    let book = try makeBook(100)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let mapped = try #require(CacheFile.read(file, isMapped: true))
    let copied = try #require(CacheFile.read(file))
    #expect(mapped.origin == copied.origin)
    #expect(mapped.parts.map { [UInt8]($0.bytes) } == copied.parts.map { [UInt8]($0.bytes) })
    let indexes = [mapped, copied].map { file in
      let index = SearchIndex()
      #expect(index.load(file.parts.dropLast()))
      return index
    }
    let documents = SampleContacts(count: 200, seed: 9).enumerated().map { number, person in
      var person = person
      person.id = Int64(number + 50)
      return person.searchDocument
    }
    for index in indexes { index.upsert(documents) }
    for query in Self.queries {
      #expect(indexes[0].search(SearchQuery(query)) == indexes[1].search(SearchQuery(query)), "\(query)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    book.close()
  }

  @Test func invalidFilesAreNotRead() throws {
    let book = try makeBook(50)
    let path = file
    chmod(path, 0o644)
    #expect(CacheFile.read(path) == nil)  // others can read it
    unlink(path)
    symlink("/etc/passwd", path)
    #expect(try !isUsed(book))
    unlink(path)
    mkfifo(path, 0o600)
    #expect(try !isUsed(book))
    unlink(path)
    mkdir(path, 0o700)
    #expect(try !isUsed(book))
    try book.keepSearchIndex()  // cannot replace a folder
    try expectFresh(book)
  }

  @Test func partsOfAnotherVersionAreNotRead() throws {
    let book = try makeBook(50)
    var (origin, parts) = try #require(CacheFile.read(file))
    origin.form &+= 1
    try CacheFile.write(file, origin, parts.map { UnsafeRawBufferPointer($0.bytes) })
    #expect(CacheFile.read(file)?.origin == origin)
    #expect(try !isUsed(book))
    parts.removeLast()
    origin.form &-= 1
    try CacheFile.write(file, origin, parts.map { UnsafeRawBufferPointer($0.bytes) })
    #expect(try !isUsed(book))
  }

  // MARK: Another book

  @Test func aRestoredBookDoesNotUseTheCacheOfTheReplacedOne() throws {
    let book = try makeBook(100)
    book.close()
    let before = folder.bytes(of: "book.db")
    let changed = try AddressBook.open(at: location)
    try changed.store.write { try $0.execute(sql: "UPDATE contact SET nickname = 'Vorher', version = version + 1") }
    try changed.keepSearchIndex()
    #expect(try changed.find("vorher").count == 100)
    changed.close()
    // The same file with its earlier content, and then as many other writes: the log continues from the same line.
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("book.db")))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(before))
    try handle.close()
    let restored = try AddressBook.open(at: location)
    try restored.store.write { try $0.execute(sql: "UPDATE contact SET nickname = 'Nachher', version = version + 1") }
    #expect(try restored.find("vorher").isEmpty)
    #expect(try restored.find("nachher").count == 100)
    try expectFresh(restored)
  }

  @Test func aCopyHasAFileOfItsOwn() throws {
    let book = try makeBook(50)
    book.close()
    try FileManager.default.copyItem(atPath: folder.file("book.db"), toPath: folder.file("copy.db"))
    let copy = try AddressBook.open(at: .file(folder.file("copy.db"), cacheFolder: cacheFolder))
    #expect(try !isUsed(copy))
    try copy.keepSearchIndex()
    #expect(files.filter { $0.hasSuffix(".index") }.count == 2)
    #expect(try isUsed(copy))
  }

  @Test func aLogWithGapsIsNotTrusted() throws {
    let book = try makeBook(50)
    try book.store.write {
      try $0.execute(sql: "UPDATE contact SET nickname = 'Lost', version = version + 1 WHERE id < 9")
    }
    try book.store.write { try $0.execute(sql: "DELETE FROM results_log_contact") }
    #expect(try !isUsed(book))
    #expect(try book.find("lost").count == 8)
    try book.keepSearchIndex()
    #expect(try isUsed(book))
    // Pruned by more writes than the log keeps.
    try book.store.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 33500)
          INSERT INTO results_log_contact(old_id, new_id) SELECT 1, 1 FROM n
          """)
    }
    #expect(try !isUsed(book))
    try book.keepSearchIndex()
    // The log starts again at line 1.
    try book.store.write { db in
      try db.execute(sql: "DELETE FROM results_log_contact; DELETE FROM sqlite_sequence WHERE name LIKE 'results%'")
      try db.execute(sql: "UPDATE contact SET nickname = 'Again', version = version + 1 WHERE id < 5")
    }
    #expect(try book.find("again").count == 4)
    try book.keepSearchIndex()
    // A trigger of the log is missing.
    try book.store.write { db in
      try db.execute(sql: "DROP TRIGGER results_updated_contact")
      try db.execute(sql: "UPDATE contact SET nickname = 'Silent' WHERE id < 4")
    }
    #expect(try book.find("silent").count == 3)
  }

  // MARK: Writing

  @Test func twoWritersLeaveAValidFile() throws {
    let book = try makeBook(100)
    let other = try AddressBook.open(at: location)
    for _ in 0..<3 {
      unlink(file)
      let queries = [BookQueries(book), BookQueries(other)]
      for each in queries { _ = try each.find("li") }
      DispatchQueue.concurrentPerform(iterations: 2) { queries[$0].keepIndex() }
      #expect(files.count == 1)
      #expect(try isUsed(book))
      #expect(try isUsed(other))
    }
  }

  @Test func aFolderThatCannotBeWrittenIsNotAnError() throws {
    try FileManager.default.createDirectory(atPath: folder.file("cache"), withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(fileURLWithPath: cacheFolder))  // a file in place of the folder
    let book = try makeBook(30)
    try expectFresh(book)
    #expect(try !isUsed(book))
  }

  @Test func aBookWithoutACacheFolderHasNoFile() throws {
    let plain = try AddressBook.open(at: folder.book("plain.db"))
    try plain.bulkWrite { _ = try $0.write(.example) }
    #expect(try plain.find("lee").count == 1)
    try plain.keepSearchIndex()
    #expect(folder.names == ["plain.db", "plain.db-shm", "plain.db-wal"])
  }

  /// The busy timeout of the book is 1,000 seconds.
  @Test(.timeLimit(.minutes(5))) func aBusyBookIsNotWaitedFor() throws {
    let book = try makeBook(30)
    unlink(file)
    let other = try AddressBook.open(at: location, configuration: StoreConfiguration(busyTimeout: 1000))
    let queries = BookQueries(other)
    _ = try queries.find("li")
    try book.store.write { db in
      try db.execute(sql: "UPDATE contact SET nickname = 'x'")
      queries.keepIndex()
    }
    #expect(files.allSatisfy { !$0.hasSuffix(".index") })
  }

  @Test func aScreenKeepsTheIndexThatItBuilt() async throws {
    let book = try makeBook(200)
    unlink(file)
    for isFirst in [true, false] {
      let search = BookSearch(book: book)
      let counted = Counter()
      await withCheckedContinuation { done in
        search.build(progress: { _ in counted.add() }) { _ in done.resume() }
      }
      let found = await withCheckedContinuation { done in search.find("li") { done.resume(returning: $0) } }
      #expect(try found.get().matches.sorted() == book.find("li").map(\.id).sorted())
      #expect((counted.value > 0) == isFirst)
      while !files.contains(where: { $0.hasSuffix(".index") }) { await Task.yield() }
    }
    #expect(files.count == 1)
  }
}
