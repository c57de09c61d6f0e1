import BenchmarkReport
import Foundation
import GRDB
import ObjectGraph

/// Saves, compared with bare commits of the same rows. Both alternate, so that the disk is in the same state for both.
struct SaveBenchmark {
  private let store: PeopleStore

  init(_ store: PeopleStore) { self.store = store }

  func run() throws {
    try change(1, repeats: 41)
    try change(1000, repeats: 7)
    try insert(1000, repeats: 7)
  }

  private func print(_ what: String, _ ours: [Double], _ bare: [Double]) {
    report("save of \(what)", median(ours))
    report("save of \(what), by SQL", median(bare))
  }

  private func change(_ count: Int, repeats: Int) throws {
    var (ours, bare): ([Double], [Double]) = ([], [])
    for round in 0..<repeats {
      let numbers = (0..<count).map { _ in Int64.random(in: 1...Int64(store.rows)) }
      let context = store.stack.newContext()
      let people = try numbers.compactMap { try context.object("Person", number: $0) as? Person }
      for person in people { person.age = round }
      ours.append(try milliseconds { try context.save() })
      bare.append(
        try commit("UPDATE Person SET _version = _version + 1, age = ? WHERE _id = ?", numbers.map { [round + 1, $0] }))
    }
    print("\(count) changed", ours, bare)
  }

  private func insert(_ count: Int, repeats: Int) throws {
    var (ours, bare): ([Double], [Double]) = ([], [])
    for _ in 0..<repeats {
      let names = (0..<count).map { _ in UUID().uuidString }
      let context = store.stack.newContext()
      context.undoLimit = 0
      for name in names {
        try context.insert(Person.self) {
          $0.name = name
          $0.age = 30
        }
      }
      ours.append(try milliseconds { try context.save() })
      bare.append(
        try commit(
          "INSERT INTO Person(_type, _version, name, age, company) VALUES ('Person', 1, ?, ?, NULL)",
          names.map { [$0, 30] }))
    }
    print("\(count) new", ours, bare)
  }

  /// Returns the duration of a bare commit of rows, in milliseconds.
  private func commit(_ sql: String, _ rows: [StatementArguments]) throws -> Double {
    try milliseconds {
      try store.pool.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          let statement = try db.cachedStatement(sql: sql)
          for row in rows { try statement.execute(arguments: row) }
          return .commit
        }
      }
    }
  }
}
