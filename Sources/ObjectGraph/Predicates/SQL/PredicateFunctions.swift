import GRDB

/// The SQL functions that requests call.
enum PredicateFunctions {
  static let fold = "objectgraph_fold"
  static let ends = "objectgraph_ends"
  static let like = "objectgraph_like"
  static let matches = "objectgraph_matches"
  static let sum = "objectgraph_sum"
  static let average = "objectgraph_avg"
  static let date = "objectgraph_date"

  static func name(of function: PredicateFunction) -> String { "objectgraph_\(function.rawValue)_of" }

  /// Adds the functions to a connection that this library did not open, unless it has them.
  static func registerOnce(in database: Database) {
    do {
      _ = try database.cachedStatement(sql: "SELECT \(date)('')")
    } catch {
      register(in: database)
    }
  }

  /// Adds the functions to a connection. Every connection that runs requests needs them.
  static func register(in database: Database) {
    let patterns = PatternCache()
    database.add(
      function: DatabaseFunction(fold, argumentCount: 2, pure: true) { arguments in
        guard case .string(let text) = arguments[0].storage, case .int64(let bits) = arguments[1].storage else {
          return nil
        }
        return TextFolding.fold(text, TextOptions(rawValue: UInt8(truncatingIfNeeded: bits)))
      })
    add(ends, .ends, patterns, to: database)
    add(like, .like, patterns, to: database)
    database.add(
      function: DatabaseFunction(matches, argumentCount: 3, pure: true) { arguments in
        guard case .int64(let bits) = arguments[2].storage else { return nil }
        return evaluate(.matches, arguments, TextOptions(rawValue: UInt8(truncatingIfNeeded: bits)), patterns)
      })
    database.add(
      function: DatabaseFunction(date, argumentCount: 1, pure: true) { arguments in
        guard case .string(let text) = arguments[0].storage else { return nil }
        return FormatDate.date(text)?.timeIntervalSinceReferenceDate
      })
    for function in [PredicateFunction.lowercase, .uppercase, .minimum, .maximum, .sum] {
      database.add(
        function: DatabaseFunction(name(of: function), pure: true) { arguments in
          function.value(of: arguments.map(\.plainValue)).databaseValue
        })
    }
    database.add(function: DatabaseFunction(sum, argumentCount: 1, pure: true, aggregate: SumAggregate.self))
    database.add(function: DatabaseFunction(average, argumentCount: 1, pure: true, aggregate: AverageAggregate.self))
  }

  private static func add(_ name: String, _ test: Condition.TextTest, _ patterns: PatternCache, to database: Database) {
    database.add(
      function: DatabaseFunction(name, argumentCount: 2, pure: true) { arguments in
        evaluate(test, arguments, [], patterns)
      })
  }

  private static func evaluate(
    _ test: Condition.TextTest, _ arguments: [DatabaseValue], _ options: TextOptions, _ patterns: PatternCache
  ) -> Bool? {
    guard case .string(let text) = arguments[0].storage, case .string(let other) = arguments[1].storage else {
      return nil
    }
    return test.evaluate(.string(text), .string(other), options, patterns)
  }
}

private struct SumAggregate: DatabaseAggregate {
  private var sum = ExactSum()

  mutating func step(_ arguments: [DatabaseValue]) { sum.add(arguments[0]) }

  func finalize() -> (any DatabaseValueConvertible)? { sum.sum.databaseValue }
}

private struct AverageAggregate: DatabaseAggregate {
  private var sum = ExactSum()

  mutating func step(_ arguments: [DatabaseValue]) { sum.add(arguments[0]) }

  func finalize() -> (any DatabaseValueConvertible)? { sum.average.databaseValue }
}

extension ExactSum {
  fileprivate mutating func add(_ value: DatabaseValue) { add(value.plainValue) }
}

extension DatabaseValue {
  fileprivate var plainValue: Value {
    switch storage {
    case .null: .null
    case .int64(let integer): .integer(integer)
    case .double(let double): .double(double)
    case .string(let text): .string(text)
    case .blob(let data): .data(data)
    }
  }
}
