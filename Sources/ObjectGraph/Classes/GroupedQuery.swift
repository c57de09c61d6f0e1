import Foundation

/// A query that makes one row of all objects with the same value:
///
/// ```swift
/// let means = try context.rows(Student.grouped(by: \.class?.name) { (name: $0.key, mean: $0.average(\.age)) })
/// ```
///
/// The closure is called once to find out what it asks for, with the declared values of the properties, and then for
/// every group. Rows are in the order of their keys, nil first.
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
    let columns = ColumnList()
    _ = row(ObjectGroup(key: name, columns: columns))
    var request = request
    request.groupBy = [name]
    request.properties = [.keyPath(name)] + columns.columns
    request.sort = [SortKey(name)]
    return GroupedQuery(request: request, key: name, row: row)
  }
}

/// The objects with the same value of an attribute.
public struct ObjectGroup<Root: Object, Key: AttributeValue> {
  fileprivate let name: String
  /// What the closure asks for; nil when it makes a row.
  fileprivate let columns: ColumnList?
  fileprivate let row: [String: Value]

  fileprivate init(key name: String, columns: ColumnList? = nil, row: [String: Value] = [:]) {
    (self.name, self.columns, self.row) = (name, columns, row)
  }

  /// The value that the objects of the group have in common.
  public var key: Key { Key(attributeValue: row[name] ?? .null) ?? placeholder() }

  /// The number of objects.
  public var count: Int { value(.function(name: "count", .count, keyPath: "SELF")) ?? 0 }

  /// The number of objects that match a condition.
  public func count(where condition: (ObjectPath<Root>) -> ObjectPredicate) -> Int {
    let predicate = condition(ObjectPath(path: PredicatePath()))
    return value(.count(name: "count \(predicate.hashValue)", where: predicate)) ?? 0
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
    return value(.function(name: "\(function.rawValue) \(key)", function, keyPath: key))
  }

  private func value<Result: AttributeValue>(_ column: FetchColumn) -> Result? {
    columns?.add(column)
    return row[column.name].flatMap { Result(attributeValue: $0) }
  }

  /// A value of the type of the key, before there are rows.
  private func placeholder() -> Key {
    for value: Value in ["", 0, .double(0), false, .date(.distantPast), .data(Data()), .uuid(UUID())] {
      if let key = Key(attributeValue: value) { return key }
    }
    preconditionFailure("a group needs a key whose type has a value for an empty attribute")
  }
}

/// What the closure of a grouped query asks for.
final class ColumnList {
  private(set) var columns: [FetchColumn] = []

  func add(_ column: FetchColumn) {
    if !columns.contains(column) { columns.append(column) }
  }
}

extension ObjectContext {
  /// Returns the rows of a grouped query.
  /// - Throws: as ``fetch(_:)-(ObjectFetchRequest)``.
  public func rows<Root, Key, Row>(_ query: GroupedQuery<Root, Key, Row>) throws(ObjectGraphError) -> [Row] {
    try dictionaries(query.request).map { query.row(ObjectGroup(key: query.key, row: $0)) }
  }
}
