import Foundation
import GRDB
import Testing

@testable import ObjectGraph

/// How a request runs in SQLite: limits of its parser, long lists, indexes.
@Suite struct RequestSQLTests {
  private let graph: SampleGraph
  private let queue: DatabaseQueue

  init() throws {
    var graph = SampleGraph(try College.model())
    let myclass = try graph.insert("MyClass", ["name": "one"])
    for index in 1...60 {
      let student = try graph.insert("Student", ["age": .integer(Int64(index)), "name": .string("name\(index)")])
      if index % 2 == 0 { try graph.relate(student, "myclass", myclass) }
    }
    self.graph = graph
    queue = try graph.database()
  }

  private func run(_ predicate: ObjectPredicate, sort: [SortKey] = []) throws -> RequestRun {
    let request = try CheckedRequest(ObjectFetchRequest("Student", where: predicate, sort: sort), model: graph.model)
    return RequestRun(request, store: SampleGraph.store, pending: PendingChanges(), reader: graph)
  }

  private func numbers(_ predicate: ObjectPredicate) throws -> [Int64] {
    let run = try run(predicate)
    let result = try queue.read { try run.result($0) }
    #expect(try result == run.result())
    guard case .objects(let ids) = result else { return [] }
    return ids.compactMap(\.number)
  }

  /// Returns SQLite's query plan for the objects of a request.
  private func plan(_ predicate: ObjectPredicate) throws -> String {
    let request = try run(predicate).request
    return try queue.read { database in
      let lines = Log()
      database.trace(options: .statement) { event in
        if case .statement(let statement) = event { lines.text = statement.expandedSQL }
      }
      let statement = try #require(try RequestStatement(request, store: SampleGraph.store))
      _ = try statement.rows(database, RequestInputs(request), limit: nil, offset: 0)
      database.trace(options: [])
      return try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(lines.text)").map { $0["detail"] as String? ?? "" }
        .joined(separator: "\n")
    }
  }

  private final class Log { var text = "" }

  @Test(arguments: [2, 10, 20, 30, 60, 90]) func deepPredicates(_ depth: Int) throws {
    var text = "age == 1"
    for level in 0..<depth { text = "(\(text) \(level % 2 == 0 ? "OR" : "AND") NOT (age > 3 AND age < 50))" }
    #expect(try numbers(ObjectPredicate(text)).count == 14)
  }

  @Test func nestedSubqueries() throws {
    let text = "SUBQUERY(myclass.students, $a, SUBQUERY($a.myclass.students, $b, $b.age == 2).@count > 0).@count == 30"
    #expect(try numbers(ObjectPredicate(text)).count == 30)
  }

  @Test func longChainsAndLists() throws {
    let terms = (0..<3000).map { "age == \($0 + 30)" }.joined(separator: " OR ")
    #expect(try numbers(ObjectPredicate(terms)).count == 31)
    #expect(try numbers(ObjectPredicate("NOT (\(terms))")).count == 29)
    let integers = PredicateConstant.list((30...3000).map { .value(.integer(Int64($0))) })
    #expect(try numbers(ObjectPredicate("age IN %@", arguments: [integers])).count == 31)
    let texts = PredicateConstant.list((30...3000).map { .value(.string("name\($0)")) } + [nil])
    #expect(try numbers(ObjectPredicate("name IN %@", arguments: [texts])).count == 31)
    #expect(try numbers(ObjectPredicate("NOT name IN %@", arguments: [texts])).isEmpty)
    // More values than are bound as arguments, and of a type that JSON does not preserve.
    let doubles = PredicateConstant.list((30...32_100).map { .value(.double(Double($0))) })
    #expect(try numbers(ObjectPredicate("age > 57 AND age IN %@", arguments: [doubles])).count == 3)
  }

  @Test func aTextWithNULIsFoundNowhere() throws {
    for sign in ["==", "CONTAINS", "ENDSWITH", "LIKE", "BEGINSWITH", "==[c]"] {
      #expect(try numbers(ObjectPredicate("name \(sign) %@", "name1\u{0}x")).isEmpty)
    }
    #expect(try numbers(ObjectPredicate("name ENDSWITH %@", "\u{0}")).isEmpty)
  }

  @Test func plainComparisonsUseIndexes() throws {
    try queue.write { database in
      try database.execute(sql: "CREATE INDEX byName ON Student(name); CREATE INDEX byAge ON Student(age)")
      try database.execute(sql: "CREATE INDEX byClass ON Student(myclass)")
    }
    #expect(try plan(ObjectPredicate("name == 'name3'")).contains("USING INDEX byName (name=?)"))
    #expect(try plan(ObjectPredicate("name BEGINSWITH 'name3'")).contains("USING INDEX byName (name>? AND name<?)"))
    #expect(try plan(ObjectPredicate("age BETWEEN {3, 5} AND name CONTAINS '4'")).contains("USING INDEX byAge"))
    #expect(try plan(ObjectPredicate("age IN {3, 5}")).contains("USING INDEX byAge (age=?)"))
    let object = try #require(graph.order.first)
    #expect(try plan(ObjectPredicate("myclass == %@", object)).contains("USING INDEX byClass (myclass=?)"))
    #expect(
      try plan(ObjectPredicate("SELF == %@", try #require(graph.order.last))).contains("INTEGER PRIMARY KEY (rowid=?)"))
    #expect(try numbers(ObjectPredicate("myclass == %@", object)).count == 30)
  }
}
