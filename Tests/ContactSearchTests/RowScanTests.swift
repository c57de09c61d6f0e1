import Testing

@testable import ContactSearch

/// A pass over all rows in two threads finds the same as in one thread, and as checking each row alone.
@Suite struct RowScanTests {
  @Test(
    arguments: [
      "l", "z", "li", "wang", "zgl", "李", "王强", "138", "0", "5678", "+86 139", "smith", "gmail", "a@", "org:acme",
      "email:gm", "tel:13", "note:a", "\"li qiang\"", "example.com",
    ], [1, 63, 64, 129, 300])
  func bothHalvesAreScanned(_ text: String, _ count: Int) throws {
    var people = RandomPeople(seed: UInt64(count))
    var storage = SearchStorage()
    for id in 1...count { storage.put(people.next(id: Int64(id))) }
    let plan = QueryPlan(SearchQuery(text))
    for (number, term) in plan.query.terms.enumerated() {
      guard case .text(let term) = term.condition else { continue }
      storage.contacts.withView { view in
        func scan(_ parallelThreshold: Int) -> RowScan {
          RowScan(
            term, plan.compiled(number, storage.lexicon), contacts: view, parallelThreshold: parallelThreshold,
            isCancelled: { false })
        }
        let one = scan(.max).all().rows()
        #expect(scan(1).all().rows() == one)
        #expect(scan(1).filter((0..<UInt32(view.rowCount)).map { $0 }) == one)
      }
    }
  }
}
