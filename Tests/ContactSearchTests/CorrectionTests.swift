import Testing

@testable import ContactSearch

/// With nothing found, one typing error is forgiven. A search itself never forgives one.
@Suite struct CorrectionTests {
  private static let names = [
    "Hans Müller", "Ann Johnson", "Иван Петров", "王小明", "김철수", "Κώστας Δήμου", "Liisa Kask", "Ann Li", "علي كريمي",
    "佐藤太郎",
  ]

  private static func index() -> SearchIndex {
    let index = SearchIndex()
    index.upsert(names.enumerated().map { SearchDocument(id: Int64($0), name: $1) })
    return index
  }

  private func corrected(_ query: String) -> [String] {
    let index = Self.index()
    let query = SearchQuery(query)
    #expect(index.search(query).isEmpty, "\(query.text)")
    return query.correcting { index.find($0, ranking: .max) }?.best.map { Self.names[Int($0.id)] } ?? []
  }

  @Test(arguments: [
    ("müler", "Hans Müller"), ("muler", "Hans Müller"), ("mulller", "Hans Müller"), ("mülelr", "Hans Müller"),
    ("müllar", "Hans Müller"), ("mueler", "Hans Müller"), ("umller", "Hans Müller"), ("jonson", "Ann Johnson"),
    ("johnsen", "Ann Johnson"), ("jhonson", "Ann Johnson"), ("ann jonson", "Ann Johnson"), ("jons", "Ann Johnson"),
    ("петроф", "Иван Петров"), ("petrof", "Иван Петров"), ("wangxaoming", "王小明"), ("wnagxiaoming", "王小明"),
    ("κωστσα", "Κώστας Δήμου"), ("كريمو", "علي كريمي"), ("kaask", "Liisa Kask"), ("müler has:phone", ""),
  ])
  func oneErrorIsForgiven(query: String, name: String) {
    if query.contains("has:") { return #expect(corrected(query).isEmpty) }
    #expect(corrected(query) == [name], "\(query)")
  }

  @Test(arguments: [
    "mler", "xoller", "jnosno", "hans jonson", "\"jonson\"", "-jonson ann x", "김찰수", "王大明", "12345", "佐藤次郎", "abcd",
  ])
  func moreIsNot(query: String) { #expect(corrected(query).isEmpty, "\(query)") }

  @Test func shortTermsNumbersAndOtherKindsHaveNoCorrections() {
    for text in [
      "", "ann", "1234", "王小明明", "김철수김", "\"jonson\"", "-jonson", "has:phone", "a1b2c",
      String(repeating: "a", count: 25),
    ] {
      #expect(SearchQuery(text).corrections.isEmpty, "\(text)")
    }
  }

  /// What the search itself finds, and how well, has nothing to do with corrections.
  @Test func exactSearchIsUnchanged() {
    let index = Self.index()
    for name in Self.names {
      for word in name.split(separator: " ") {
        let query = SearchQuery(String(word))
        let hits = index.search(query)
        #expect(hits.contains { Self.names[Int($0.id)] == name }, "\(word)")
        _ = query.correcting { index.find($0, ranking: .max) }
        #expect(index.search(query) == hits)
        for hit in hits { #expect(query.matches(in: SearchDocument(id: 1, name: Self.names[Int(hit.id)])) != nil) }
      }
    }
    for text in ["müler", "jonson", "петроф"] {
      let query = SearchQuery(text)
      #expect(index.search(query).isEmpty && query.matches(in: SearchDocument(id: 1, name: "Hans Müller")) == nil)
    }
  }

  @Test func aCanceledSearchGivesNothing() {
    let index = Self.index()
    #expect(SearchQuery("jonson").correcting { _ in nil } == nil)
    #expect(SearchQuery("jonson").correcting { index.find($0) { true } }?.count ?? 0 == 0)
  }
}
