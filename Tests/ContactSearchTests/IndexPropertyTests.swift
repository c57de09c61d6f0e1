import ContactSearch
import Testing

/// The index packs, filters and skips; comparing each document alone does none of this. Both must find the same.
@Suite struct IndexPropertyTests {
  @Test(arguments: [1, 2, 3, UInt64.random(in: 100...1_000_000)])
  func theIndexFindsWhatDocumentsMatch(seed: UInt64) {
    print("seed \(seed)")
    var people = RandomPeople(seed: seed)
    var documents: [Int64: SearchDocument] = [:]
    let index = SearchIndex()
    index.rebuild(
      from: (1...120).map { people.next(id: Int64($0)) }.map { document in
        documents[document.id] = document
        return document
      })
    for round in 0..<80 {
      if round % 4 == 0 { change(&documents, index, &people) }
      let options = SearchOptions(fuzzy: people.generator.chance(20), t9: people.generator.chance(20))
      expectSame(documents, index, SearchQuery(people.query(), options: options), seed)
    }
  }

  @Test(arguments: [1, 2, 3, UInt64.random(in: 100...1_000_000)])
  func numbersAreFoundAtAnyPosition(seed: UInt64) {
    print("seed \(seed)")
    var people = RandomPeople(seed: seed)
    func number() -> String { people.generator.digits(1 + Int(people.generator.next() % 4)) }
    var documents: [Int64: SearchDocument] = [:]
    for id in Int64(1)...150 {
      var document = people.next(id: id)
      switch people.generator.next() % 8 {
      case 0: document.name += " " + number()
      case 1: document.organization += number()
      case 2: document.addresses.append("№" + number() + "/" + number() + "²")
      case 3: document.phones += [number(), "ext. " + number(), "+86 " + number()]
      case 4: document.phones = ["00" + people.generator.digits(6), "(" + number() + ")"]
      case 5: document.note = (0..<14).map { _ in number() }.joined(separator: " x")
      case 6: document.urls = ["https://a.example/" + number()]
      default: document.phones = []
      }
      documents[id] = document
    }
    let index = SearchIndex()
    index.rebuild(from: documents.values)
    for _ in 0..<60 {
      let prefix = people.generator.pick(["", "", "", "", "+", "0", "00", "+86", "tel:", "addr:", "-", "\"", "l "])
      let options = SearchOptions(t9: people.generator.chance(20))
      expectSame(documents, index, SearchQuery(prefix + number(), options: options), seed)
    }
  }

  @Test(arguments: [1, 2, UInt64.random(in: 100...1_000_000)])
  func aSessionFindsWhatANewSearchFinds(seed: UInt64) {
    print("seed \(seed)")
    var people = RandomPeople(seed: seed)
    let index = SearchIndex()
    index.rebuild(from: (1...600).map { people.next(id: Int64($0)) })
    var session = SearchSession(index)
    for round in 0..<25 {
      let text = Array(people.query())
      for length in Array(0...text.count) + (0..<text.count).reversed() {
        let query = SearchQuery(String(text[..<length]))
        let typed = session.update(query, ranking: 5)
        let fresh = index.find(query, ranking: 5)
        #expect(typed?.ids == fresh?.ids, "seed \(seed), \(query.text)")
        #expect(typed?.best == fresh?.best, "seed \(seed), \(query.text)")
      }
      if round % 5 == 0 { index.upsert(people.next(id: Int64(people.generator.next() % 650))) }
    }
  }

  private func change(_ documents: inout [Int64: SearchDocument], _ index: SearchIndex, _ people: inout RandomPeople) {
    let id = Int64(people.generator.next() % 140)
    if people.generator.chance(30) {
      documents[id] = nil
      index.remove(id)
    } else {
      let document = people.next(id: id)
      documents[id] = document
      index.upsert(document)
    }
    #expect(index.count == documents.count)
  }

  private func expectSame(
    _ documents: [Int64: SearchDocument], _ index: SearchIndex, _ query: SearchQuery, _ seed: UInt64
  ) {
    let hits = index.search(query)
    var scores: [Int64: Double] = [:]
    for document in documents.values { scores[document.id] = query.evaluate(document)?.score }
    let found = Dictionary(uniqueKeysWithValues: hits.map { ($0.id, $0.score) })
    for id in Set(found.keys).union(scores.keys) where found[id] != scores[id] {
      Issue.record(
        "seed \(seed), query \(query.text) \(query.options): index \(String(describing: found[id])), document \(String(describing: scores[id])): \(String(describing: documents[id]))"
      )
      return
    }
    for (hit, next) in zip(hits, hits.dropFirst()) {
      #expect(hit.score > next.score || hit.score == next.score && hit.id < next.id)
    }
    #expect(index.search(query, limit: 3) == Array(hits.prefix(3)), "seed \(seed), query \(query.text)")
  }
}
