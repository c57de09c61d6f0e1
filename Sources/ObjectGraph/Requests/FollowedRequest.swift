import GRDB

/// The SQL of a request, for a client that keeps its result up to date: the FROM, the condition, the order, and the
/// tables that the result depends on. The client need not know how objects are stored.
package struct FollowedRequest {
  /// A table that the request's result depends on.
  package struct Related {
    /// Its name, not quoted.
    package let table: String
    /// An SQL expression for the row number in this table that a requested row refers to; nil if the path to this table
    /// goes through a to-many relationship.
    package let referrer: String?
  }

  /// The requested entity.
  package let entity: Entity
  /// The table of the entity, not quoted.
  package let table: String
  /// The FROM clause: the table under its alias, and the joins of to-ones.
  package let from: String
  /// The alias of the table.
  package let alias: String
  /// The WHERE condition; nil for all rows.
  package let condition: String?
  /// The arguments of the condition.
  package let arguments: StatementArguments
  /// The expression that divides the objects into sections; nil if there are no sections.
  package let section: String?
  /// The sort keys, without the section; objects that compare equal are in the order of their numbers.
  package let order: [(sql: String, isAscending: Bool)]
  /// The tables that the request's relationship paths go through; a table may occur more than once.
  package let related: [Related]

  /// - Parameter sectionKeyPath: a key path through to-ones to an attribute of an ordered type.
  /// - Throws: the same as `CheckedRequest.init(_:model:)`; `badRequest` for a limit, an offset, deleted objects or a
  ///   result other than objects, and for a predicate or order that exceeds SQLite's limits.
  package init(_ request: ObjectFetchRequest, sectionKeyPath: String?, stack: ObjectStack) throws(ObjectGraphError) {
    if request.limit != 0 { throw .badRequest(field: "limit") }
    if request.offset != 0 { throw .badRequest(field: "offset") }
    if request.onlyDeleted { throw .badRequest(field: "onlyDeleted") }
    if request.result != .objects { throw .badRequest(field: "result") }
    var whole = request
    whole.sort = (sectionKeyPath.map { [SortKey($0)] } ?? []) + request.sort
    let checked = try CheckedRequest(whole, model: stack.model)
    let store = stack.store(of: checked.entity).identifier
    let statement = try translating { try RequestStatement(checked, store: store) }
    guard let statement else { throw .badRequest(field: "predicate") }
    let compiler = statement.compiler
    var order = try translating {
      try checked.order.compactMap { order -> (sql: String, isAscending: Bool)? in
        guard case .input(let input) = order.source else { return nil }
        return (try compiler.sql(.path(input.path), order.fold), order.isAscending)
      }
    }
    section = sectionKeyPath == nil ? nil : order.removeFirst().sql
    self.order = order
    // This may add joins, so read the FROM after it.
    related = RequestPaths(checked, RequestInputs(checked)).paths.flatMap { Self.related(along: $0, compiler.root) }
    entity = checked.entity
    table = checked.entity.table
    from = compiler.root.from
    alias = compiler.root.alias
    condition = statement.condition.isEmpty ? nil : String(statement.condition.dropFirst(" WHERE ".count))
    arguments = StatementArguments(compiler.arguments)
  }

  private static func related(along path: [Relationship], _ scope: SQLScope) -> [Related] {
    var related: [Related] = []
    var isToOne = true
    for (index, relationship) in path.enumerated() {
      let table = relationship.destination.table
      switch relationship.storage {
      case .column(let column):
        // Only a path of to-ones has aliases in this FROM.
        let owner = isToOne ? scope.alias(after: Array(path[..<index])) : nil
        related.append(Related(table: table, referrer: owner.map { "\($0).\(column.sqlIdentifier)" }))
      case .inverseColumn:
        related.append(Related(table: table, referrer: nil))
        isToOne = false
      case .join(let join):
        related.append(Related(table: table, referrer: nil))
        related.append(Related(table: join.table, referrer: nil))
        isToOne = false
      }
    }
    return related
  }
}

extension ObjectStack {
  /// Returns the database that stores an entity's objects; nil if the stack did not open it as a SQLite store.
  package func database(of entity: Entity) -> (any DatabaseWriter)? {
    (store(of: entity) as? SQLiteStore)?.pool
  }

  /// Returns the id of an object of an entity without children.
  package func id(_ number: Int64, of entity: Entity) -> ObjectID {
    ObjectID(store: store(of: entity).identifier, entity: entity.name, key: .permanent(number))
  }

  /// Returns the ids of the existing objects with these numbers in the entity's family, by number.
  /// - Throws: `store` if the rows cannot be read.
  package func ids(_ numbers: [Int64], of entity: Entity) throws(ObjectGraphError) -> [Int64: ObjectID] {
    let store = store(of: entity)
    return try translating {
      let rows = try store.read { try $0.rows(numbers, of: entity.root) }
      return Dictionary(
        rows.map { row in
          (row.number, ObjectID(store: store.identifier, entity: row.entity.name, key: .permanent(row.number)))
        }, uniquingKeysWith: { first, _ in first })
    }
  }
}
