import BenchmarkReport
import GRDB
import ObjectGraph

/// Fetches, compared with the same SQL through GRDB, in alternation.
struct FetchBenchmark {
  private let store: PeopleStore

  init(_ store: PeopleStore) { self.store = store }

  private struct PersonRow: FetchableRecord {
    let number: Int64
    let name: String
    let age: Int
    let company: Int64?

    init(row: Row) {
      number = row["_id"]
      name = row["name"]
      age = row["age"]
      company = row["company"]
    }
  }

  func run() throws {
    try page("first page of 50 without an index", 0)
    try store.pool.write { try $0.execute(sql: "CREATE INDEX person_name ON Person(name, _id)") }
    try page("first page of 50", 0)
    try page("middle page of 50", store.rows / 2)
    try counts()
    try statements()
  }

  private func pageRequest(_ offset: Int) -> ObjectFetchRequest {
    var request = ObjectFetchRequest("Person", sort: [SortKey("name")])
    request.limit = 50
    request.offset = offset
    return request
  }

  private func page(_ what: String, _ offset: Int) throws {
    try compare(
      what, repeats: 15,
      { try store.stack.newContext().fetch(pageRequest(offset), as: Person.self).map { try $0.value(Person.name) } },
      {
        try store.pool.read { db in
          try PersonRow.fetchAll(
            db, sql: "SELECT * FROM Person ORDER BY name, _id LIMIT 50 OFFSET ?", arguments: [offset]
          ).map(\.name)
        }
      })
  }

  private func counts() throws {
    let questions: [(String, ObjectPredicate, String)] = [
      ("age", Person.age >= 30 && Person.age < 40, "age >= 30 AND age < 40"),
      ("name", Person.name.beginsWith("AB"), "name >= 'AB' AND name < 'AC'"),
      (
        "company", Person.company[Company.name] == "Company 7",
        "company IN (SELECT _id FROM Company WHERE name = 'Company 7')"
      ),
    ]
    for (name, predicate, sql) in questions {
      try compare(
        "count by \(name)", repeats: 15,
        { try store.stack.newContext().count(ObjectFetchRequest("Person", where: predicate)) },
        { try store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Person WHERE \(sql)") ?? 0 } })
    }
  }

  private func statements() throws {
    var request = pageRequest(0)
    request.prefetch = ["company", "skills"]
    let count = try store.queries { context in
      for person in try context.fetch(request, as: Person.self) {
        _ = try person.value(Person.company)?.value(Company.name)
        for skill in try person.value(Person.skills) { _ = try skill.value(Skill.name) }
      }
    }
    report("statements for a page of 50 with prefetch", Double(count), "")
  }

  private func compare<Answer: Equatable>(
    _ what: String, repeats: Int, _ ours: () throws -> Answer, _ theirs: () throws -> Answer
  ) throws {
    guard try ours() == theirs() else { throw DifferentAnswers(what: what) }
    var (mine, sql): ([Double], [Double]) = ([], [])
    for _ in 0..<repeats {
      mine.append(try milliseconds { _ = try ours() })
      sql.append(try milliseconds { _ = try theirs() })
    }
    report(what, median(mine))
    report("\(what), by SQL", median(sql))
  }

  private struct DifferentAnswers: Error { let what: String }
}
