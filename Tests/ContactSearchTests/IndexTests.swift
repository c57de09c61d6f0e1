import ContactSearch
import Synchronization
import Testing

/// The index as a whole: changes, rebuilding, canceling, several threads.
@Suite struct IndexTests {
  private func people(_ count: Int, seed: UInt64 = 1) -> [SearchDocument] {
    var people = RandomPeople(seed: seed)
    return (1...count).map { people.next(id: Int64($0)) }
  }

  @Test func changesAreSeen() {
    let index = SearchIndex()
    index.upsert(SearchDocument(id: 5, name: "李强"))
    index.upsert(SearchDocument(id: 2, name: "李明"))
    #expect(index.find(SearchQuery("li"))?.ids == [2, 5])
    index.upsert(SearchDocument(id: 5, name: "王强"))
    #expect(index.find(SearchQuery("li"))?.ids == [2])
    index.remove(2)
    index.remove(2)
    #expect(index.find(SearchQuery("li"))?.ids == [])
    #expect(index.count == 1)
    #expect(index.find(SearchQuery("wang"))?.contains(5) == true)
  }

  @Test func manyChangesArePacked() {
    let index = SearchIndex()
    index.rebuild(from: people(3000).reversed())
    let before = index.footprint
    for round in 0..<10 { index.upsert(people(3000, seed: UInt64(round))) }
    #expect(index.count == 3000)
    #expect(index.footprint < before * 5)
    #expect(index.find(SearchQuery(""))?.ids == (1...3000).map { Int64($0) })
  }

  @Test func aCancelledRebuildLeavesTheIndexAsItWas() {
    let index = SearchIndex()
    index.upsert(SearchDocument(id: 1, name: "李强"))
    var progress: [Int] = []
    let isBuilt = index.rebuild(
      from: people(5000), progress: { progress.append($0) }, isCancelled: { progress.count == 2 })
    #expect(!isBuilt)
    #expect(progress == [1024, 2048])
    #expect(index.find(SearchQuery("liq"))?.ids == [1])
    #expect(index.rebuild(from: people(2000), progress: { progress.append($0) }))
    #expect(progress.last == 2000)
  }

  @Test func changesDuringARebuildAreKept() {
    let index = SearchIndex()
    let documents = people(3000)
    index.rebuild(
      from: documents,
      progress: { count in
        if count == 1024 {
          index.upsert(SearchDocument(id: 7, name: "Zebulon"))
          index.remove(8)
        }
      })
    #expect(index.find(SearchQuery("zebulon"))?.ids == [7])
    #expect(index.count == 2999)
  }

  @Test func aCanceledSearchReportsIt() {
    let index = SearchIndex()
    index.upsert(people(100))
    #expect(index.find(SearchQuery("l"), isCancelled: { true }) == nil)
    #expect(index.find(SearchQuery("l"))?.count ?? 0 > 0)
  }

  @Test func severalThreadsMayUseIt() async {
    let index = SearchIndex()
    let documents = people(400)
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<4 {
        group.addTask {
          for document in documents where document.id % 4 == part { index.upsert(document) }
        }
        group.addTask {
          for _ in 0..<20 { _ = index.search(SearchQuery("li")) }
        }
      }
    }
    #expect(index.count == 400)
  }

  /// Without a limit every match is ranked, whatever the query is made of.
  @Test(arguments: ["", "l", "li", "wang", "1", "138", "李", "li wang", "-li", "has:phone", "zzzz", "org:acme"])
  func aSearchWithoutALimitRanksAll(_ text: String) {
    let index = SearchIndex()
    let query = SearchQuery(text)
    #expect(index.search(query).isEmpty)
    index.rebuild(from: people(2000))
    #expect(index.search(query).map(\.id).sorted() == index.find(query)?.ids)
  }

  @Test func aSessionSeesChangesOfTheIndex() {
    let index = SearchIndex()
    index.upsert(SearchDocument(id: 1, name: "李强"))
    var session = SearchSession(index)
    #expect(session.update(SearchQuery("l"))?.ids == [1])
    #expect(session.update(SearchQuery("li"))?.ids == [1])
    index.upsert(SearchDocument(id: 2, name: "李明"))
    #expect(session.update(SearchQuery("li"))?.ids == [1, 2])
    #expect(session.update(SearchQuery("lim"))?.ids == [2])
    #expect(session.update(SearchQuery("l"))?.ids == [1, 2])
  }

  @Test func aLongNoteIsSearchedToItsEnd() {
    var person = SearchDocument(id: 1, name: "甲")
    person.note = String(repeating: "很长的笔记 and words ", count: 2000) + "needle"
    let index = SearchIndex()
    index.upsert(person)
    #expect(index.find(SearchQuery("needle"))?.ids == [1])
    #expect(SearchQuery("needle").matches(in: person)?.first?.field.key == "note")
  }

  /// For numbers, the share that matches counts, so a short number can be the best of several.
  @Test(arguments: ["8", "81", "812"])
  func theShortestMatchingNumberCounts(_ text: String) {
    let index = SearchIndex()
    let numbers = [["8123456789"], ["8123456789", "55"], ["812345678", "8123456789012"], ["8123456789012"]]
    index.upsert(
      numbers.enumerated().map { index, phones in
        var document = SearchDocument(id: Int64(index), name: "Ann")
        document.phones = phones
        return document
      })
    #expect(index.search(SearchQuery(text), limit: 1).map(\.id) == [2])
    #expect(index.search(SearchQuery(text)).map(\.id) == [2, 0, 1, 3])
  }
}
