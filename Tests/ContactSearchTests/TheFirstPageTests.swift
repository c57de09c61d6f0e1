import ContactSearch
import SharedMaterial
import Testing

struct TheFirstPageTests {
  @Test func theFirstPagePrintsThis() throws {
    let print = PrintedLines()

    let names = ["王小明", "欧阳娜娜", "Hans Müller", "Иван Петров"]
    let contacts = names.enumerated().map { SearchDocument(id: Int64($0), name: $1) }
    let index = SearchIndex()
    index.upsert(contacts)
    for text in ["wxm", "oyn", "ouyang", "mueller", "petr"] {
      let query = SearchQuery(text)
      for hit in index.search(query) {
        let ranges = query.matches(in: contacts[Int(hit.id)])?.first?.ranges ?? []
        print("\(text): \(names[Int(hit.id)]), characters", ranges.map(\.description).joined(separator: ", "))
      }
    }
    let mistyped = SearchQuery("mulelr").correcting { index.find($0) }
    for hit in mistyped?.best ?? [] { print("mulelr: \(names[Int(hit.id)])") }

    let problems = try DocumentedCode(of: "ContactSearch").problems(in: #filePath, printed: print.lines)
    #expect(problems == [])
  }
}
