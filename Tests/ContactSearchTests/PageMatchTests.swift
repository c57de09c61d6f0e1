import Testing

@testable import ContactSearch

/// Matching a page of contacts at once finds what matching each alone finds.
@Suite struct PageMatchTests {
  @Test(
    arguments: [
      "l", "li", "wang", "zgl", "有限", "王强", "138", "smith", "j s", "-l", "z -l", "has:phone", "org:acme", "email:gm",
      "ivan", "mueller", "\"li qiang\"", "",
    ], [false, true])
  func aPageAgreesWithItsContacts(_ text: String, _ isLoose: Bool) {
    var people = RandomPeople(seed: 11)
    let page = (1...60).map { people.next(id: Int64($0)) }
    let query = SearchQuery(text, options: SearchOptions(fuzzy: isLoose, t9: isLoose))
    for everywhere in [false, true] {
      #expect(
        query.matches(in: page, everywhere: everywhere) == page.map { query.matches(in: $0, everywhere: everywhere) })
    }
    #expect(query.matches(in: [SearchDocument]()).isEmpty)
  }
}
