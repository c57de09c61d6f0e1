import ContactSearch
import Contacts
import Foundation
import Testing

@testable import AddressBookModel

/// The cache file of a book's search index while it is mapped: it may change, and its pages are released.
struct MappedSearchCacheTests: SearchCacheSuite {
  let folder = TemporaryFolder()

  private func answer(_ search: BookSearch, _ query: String) async throws -> [Int64] {
    let found = await withCheckedContinuation { done in search.find(query) { done.resume(returning: $0) } }
    return try found.get().matches.sorted()
  }

  private enum Damage: CaseIterable { case cutToNothing, cutInTheMiddle, cutAtTheEnd, overwritten }

  /// A screen continues with an index of its own, and the file is written again.
  @Test(arguments: Damage.allCases)
  private func aFileThatChangesWhileItIsMapped(damage: Damage) async throws {
    let book = try makeBook(300)
    let wanted = try book.find("li").map(\.id).sorted()
    let search = BookSearch(book: book)
    await withCheckedContinuation { done in search.build(completion: { _ in done.resume() }) }
    let size = try Data(contentsOf: URL(fileURLWithPath: file)).count
    let path = file
    switch damage {
    case .cutToNothing: #expect(truncate(path, 0) == 0)
    case .cutInTheMiddle: #expect(truncate(path, off_t(size / 2)) == 0)
    case .cutAtTheEnd: #expect(truncate(path, off_t(size - 10)) == 0)
    case .overwritten:
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try handle.write(contentsOf: Data(count: size))
      try handle.close()
    }
    #expect(try await answer(search, "li") == wanted)
    let id = try #require(wanted.first)
    // After a write to the book, too: the file may be written before or after the index learns of it.
    try book.bulkWrite { try $0.delete(id) }
    await withCheckedContinuation { done in search.update(changed: [], removed: [id]) { _ in done.resume() } }
    #expect(try await answer(search, "li") == Array(wanted.dropFirst()))
    while CacheFile.read(file) == nil { await Task.yield() }
    try expectFresh(book)
  }

  /// An update of the index, before any search, notices the truncated file too.
  @Test func aChangeAfterTheFileWasCut() async throws {
    let book = try makeBook(300)
    let search = BookSearch(book: book)
    await withCheckedContinuation { done in search.build(completion: { _ in done.resume() }) }
    #expect(truncate(file, 0) == 0)
    let id = try #require(try book.find("li").first?.id)
    try book.bulkWrite { try $0.delete(id) }
    await withCheckedContinuation { done in search.update(changed: [], removed: [id]) { _ in done.resume() } }
    let wanted = try book.find("li").map(\.id).sorted()
    #expect(try await answer(search, "li") == wanted)
  }

  /// The file may be truncated at any moment of a search.
  @Test func aFileIsCutWhileItIsSearched() async throws {
    let book = try makeBook(2000)
    let wanted = try book.find("li").map(\.id).sorted()
    let path = file
    for _ in 0..<10 {
      if CacheFile.read(path) == nil { try book.refreshSearchIndex() }
      let search = BookSearch(book: book)
      await withCheckedContinuation { done in search.build(completion: { _ in done.resume() }) }
      let isCut = Counter()
      let cutter = Task.detached {
        truncate(path, 20_000)
        isCut.add()
      }
      while isCut.value == 0 { #expect(try await answer(search, "li") == wanted) }
      await cutter.value
      #expect(try await answer(search, "li") == wanted)
    }
  }

  /// Checking a file leaves hardly any of its rows in memory. `loadPages` loads them again, and a search loads those
  /// that it needs.
  @Test func checkedPagesAreReleased() throws {
    let book = try makeBook(20_000)
    let queries = Self.queries.map { SearchQuery($0) }
    let built = SearchIndex()
    try book.store.read { db in _ = try built.rebuild(from: db) }
    let parts = try #require(CacheFile.read(file)?.parts)
    let loaded = SearchIndex()
    #expect(loaded.load(parts.map { SearchIndex.StoredPart(memory: $0.memory, count: $0.count, owner: $0.owner) }))
    // The tokens, addresses and links of the rows: the longest parts.
    for part in [parts[6], parts[7]] {
      let address = UInt(bitPattern: part.memory.baseAddress)
      #expect(part.count > 200_000)
      // The kernel maps up to 64 KB around a page that is read.
      #expect(try #require(residentBytes(at: address)) <= 65_536 + 4096)
    }
    for query in queries { #expect(loaded.search(query) == built.search(query), "\(query.text)") }
    loaded.loadPages()
    for part in [parts[6], parts[7]] where madvise(part.memory.baseAddress, 1, MADV_POPULATE_READ) == 0 {
      #expect(try #require(residentBytes(at: UInt(bitPattern: part.memory.baseAddress))) >= part.count)
    }
    for query in queries { #expect(loaded.search(query) == built.search(query), "\(query.text)") }
    book.close()
  }

  /// Returns the resident bytes of the mapping that contains an address.
  private func residentBytes(at address: UInt) -> Int? {
    // A file of /proc has no length.
    guard let data = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/smaps")).readToEnd() else {
      return nil
    }
    let maps = String(decoding: data, as: UTF8.self)
    var isFound = false
    for line in maps.split(separator: "\n") {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      if let range = words.first?.split(separator: "-"), range.count == 2, let low = UInt(range[0], radix: 16),
        let high = UInt(range[1], radix: 16)
      {
        isFound = low <= address && address < high
      } else if isFound, words[0] == "Rss:" {
        return Int(words[1]).map { $0 * 1024 }
      }
    }
    return nil
  }

  /// Truncated pages read as zeros without a call of another handler of the signal. A signal that was sent is passed on
  /// to that handler.
  @Test func otherSignalHandlersAreCalled() throws {
    let book = try makeBook(300)
    defer { book.close() }
    let parts = try #require(CacheFile.read(file)?.parts)
    var before = sigaction()
    var mine = sigaction()
    mine.__sigaction_handler.sa_handler = { _ in signalsHeard.add() }
    #expect(sigaction(SIGBUS, &mine, &before) == 0)
    defer { sigaction(SIGBUS, &before, nil) }
    for part in parts { #expect(part.owner.isIntact) }
    #expect(truncate(file, 4096) == 0)
    for part in parts {
      #expect(!part.owner.isIntact)
      #expect(!part.memory[..<part.count].contains { $0 != 0 })
    }
    #expect(signalsHeard.value == 0)
    raise(SIGBUS)
    #expect(signalsHeard.value == 1)
  }
}

private let signalsHeard = Counter()
