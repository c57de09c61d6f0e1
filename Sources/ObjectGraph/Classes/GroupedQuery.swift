/// A query that makes one row of all objects with the same value:
///
/// ```swift
/// let means = try context.rows(Student.grouped(by: \.class?.name) { (name: $0.key, mean: $0.average(\.age)) })
/// ```
///
/// Rows are in the order of their keys, nil first. What the closure asks of a group is read for all of them: the first
/// group shows what that is, and a group that asks for more has the rows read again.
public struct GroupedQuery<Root: Object, Key: AttributeValue, Row> {
  let request: ObjectFetchRequest
  let key: String
  let row: (ObjectGroup<Root, Key>) -> Row
}

extension ObjectQuery {
  /// The objects of the query by the values of an attribute; see ``GroupedQuery``.
  public func grouped<Key: AttributeValue, Row>(
    by key: KeyPath<Root, Key>, _ row: @escaping (ObjectGroup<Root, Key>) -> Row
  ) -> GroupedQuery<Root, Key, Row> {
    let name = KeyPathRecorder.key(of: key)
    var request = request
    request.groupBy = [name]
    request.sort = [SortKey(name)]
    return GroupedQuery(request: request, key: name, row: row)
  }
}

/// The objects with the same value of an attribute.
public struct ObjectGroup<Root: Object, Key: AttributeValue> {
  /// The value that the objects of the group have in common.
  public let key: Key
  fileprivate let asked: AskedColumns
  fileprivate let row: [String: Value]

  /// The number of objects.
  public var count: Int { value { .function(name: $0, .count, keyPath: "SELF") } ?? 0 }

  /// The number of objects that match a condition.
  public func count(where condition: (ObjectPath<Root>) -> some ObjectCondition) -> Int {
    let predicate = condition(ObjectPath()).predicate
    return value { .count(name: $0, where: predicate) } ?? 0
  }

  /// The sum of an attribute; 0 if there are no values.
  public func sum<Number: AttributeValue & Numeric>(_ attribute: KeyPath<Root, Number>) -> Number {
    value(.sum, attribute) ?? .zero
  }

  /// The sum of an attribute; 0 if there are no values.
  public func sum<Number: AttributeValue & Numeric>(_ attribute: KeyPath<Root, Number?>) -> Number {
    value(.sum, attribute) ?? .zero
  }

  /// The mean of an attribute; nil if there are no values.
  public func average<Stored: AttributeValue>(_ attribute: KeyPath<Root, Stored>) -> Double? {
    value(.average, attribute)
  }

  /// The smallest value of an attribute; nil if there are none.
  public func minimum<Stored: AttributeValue>(_ attribute: KeyPath<Root, Stored>) -> Stored? {
    value(.minimum, attribute)
  }

  /// The smallest value of an attribute; nil if there are none.
  public func minimum<Stored: AttributeValue>(_ attribute: KeyPath<Root, Stored?>) -> Stored? {
    value(.minimum, attribute)
  }

  /// The largest value of an attribute; nil if there are none.
  public func maximum<Stored: AttributeValue>(_ attribute: KeyPath<Root, Stored>) -> Stored? {
    value(.maximum, attribute)
  }

  /// The largest value of an attribute; nil if there are none.
  public func maximum<Stored: AttributeValue>(_ attribute: KeyPath<Root, Stored?>) -> Stored? {
    value(.maximum, attribute)
  }

  private func value<Result: AttributeValue, Side>(
    _ function: AggregateFunction, _ attribute: KeyPath<Root, Side>
  ) -> Result? {
    let key = KeyPathRecorder.key(of: attribute)
    return value { .function(name: $0, function, keyPath: key) }
  }

  private func value<Result: AttributeValue>(_ column: (_ name: String) -> FetchColumn) -> Result? {
    row[asked.name(of: column)].flatMap { Result(attributeValue: $0) }
  }
}

/// What the closure of a grouped query has asked for.
private final class AskedColumns {
  private(set) var columns: [FetchColumn] = []

  /// The name of a column, which is added if nobody has asked for it yet.
  func name(of column: (_ name: String) -> FetchColumn) -> String {
    func name(_ index: Int) -> String { "column \(index)" }
    let index = columns.indices.first { columns[$0] == column(name($0)) } ?? columns.count
    if index == columns.count { columns.append(column(name(index))) }
    return name(index)
  }
}

extension ObjectContext {
  /// Returns the rows of a grouped query.
  /// - Throws: as ``fetch(_:)-(ObjectFetchRequest)``; `typeMismatch` for a key that its type does not have.
  public func rows<Root, Key, Row>(_ query: GroupedQuery<Root, Key, Row>) throws(ObjectGraphError) -> [Row] {
    let asked = AskedColumns()
    var request = query.request
    request.limit = 1
    while true {
      let columns = asked.columns
      request.properties = [.keyPath(query.key)] + columns
      var rows: [Row] = []
      for row in try dictionaries(request) {
        guard let key = Key(attributeValue: row[query.key] ?? .null) else {
          throw .typeMismatch(entity: request.entity, property: query.key)
        }
        rows.append(query.row(ObjectGroup(key: key, asked: asked, row: row)))
      }
      if request.limit == query.request.limit, asked.columns.count == columns.count { return rows }
      request.limit = query.request.limit
    }
  }
}
