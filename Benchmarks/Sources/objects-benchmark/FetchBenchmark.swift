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

  private func page(_ what: String, _ offset: Int) throws {
    let query = Person.sorted(by: \.name).limit(50).offset(offset)
    try compare(
      what, repeats: 15, { try store.stack.newContext().fetch(query).map(\.name) },
      {
        try store.pool.read { db in
          try PersonRow.fetchAll(
            db, sql: "SELECT * FROM Person ORDER BY name, _id LIMIT 50 OFFSET ?", arguments: [offset]
          ).map(\.name)
        }
      })
  }

  private func counts() throws {
    let questions: [(String, ObjectQuery<Person>, String)] = [
      ("age", Person.where { $0.age >= 30 && $0.age < 40 }, "age >= 30 AND age < 40"),
      ("name", Person.where { $0.name.beginsWith("AB") }, "name >= 'AB' AND name < 'AC'"),
      (
        "company", Person.where { $0.company.name == "Company 7" },
        "company IN (SELECT _id FROM Company WHERE name = 'Company 7')"
      ),
    ]
    for (name, query, sql) in questions {
      try compare(
        "count by \(name)", repeats: 15, { try store.stack.newContext().count(query) },
        { try store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Person WHERE \(sql)") ?? 0 } })
    }
  }

  private func statements() throws {
    let query = Person.sorted(by: \.name).limit(50).prefetching(\.company, \.skills)
    let count = try store.queries { context in
      for person in try context.fetch(query) { _ = (person.company?.name, person.skills.map(\.name)) }
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
