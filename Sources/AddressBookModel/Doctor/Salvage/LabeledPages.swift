/// Finds the tables of pages with labeled values that no tree leads to. The tables of phones, emails and so on have the
/// same columns, so their indexes decide; if the indexes are lost too, the values do.
struct LabeledPages {
  /// The pages, each with its table.
  private(set) var tables: [(page: Int, table: String)] = []

  private struct Key: Hashable {
    let contact: Int64
    let position: Int64
    let row: Int64
  }

  init(_ book: DamagedBook, _ numbers: [Int]) {
    guard !numbers.isEmpty else { return }
    var pageOfValue: [Key: Int] = [:]
    for number in numbers {
      for record in book.records(ofPage: number) {
        guard record.values.count > 2, let contact = record.values[1].integer,
          let position = record.values[2].integer, let row = record.rowID
        else { continue }
        pageOfValue[Key(contact: contact, position: position, row: row)] = number
      }
    }
    var hits: [Int: [String: Int]] = [:]
    for table in Schema.labeledTables {
      book.forEachEntry(ofIndex: table + "_contact") { entry in
        let numbers = entry.values.compactMap(\.integer)
        guard numbers.count == 3,
          let page = pageOfValue[Key(contact: numbers[0], position: numbers[1], row: numbers[2])]
        else { return }
        hits[page, default: [:]][table, default: 0] += 1
      }
    }
    tables = numbers.map { number in
      let best = hits[number]?.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
      return (number, best ?? Self.guess(book.records(ofPage: number).compactMap { $0.values.last?.text }))
    }
  }

  private static func guess(_ values: [String]) -> String {
    func most(_ condition: (String) -> Bool) -> Bool { values.count(where: condition) * 2 > values.count }
    if most({ $0.contains("@") && !$0.contains("/") }) { return "email" }
    if most({ $0.contains("://") || $0.hasPrefix("www.") }) { return "url" }
    if most({ $0.contains(/^(-|[0-9]{4})-[0-9]{2}-[0-9]{2}$/) }) { return "contact_date" }
    if most({ $0.count(where: \.isNumber) >= 3 }) { return "phone" }
    return most({ $0.contains(" ") }) ? "related" : "handle"
  }
}
