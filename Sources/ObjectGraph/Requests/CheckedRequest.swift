import Foundation

/// A request that was checked and fits the model. It can run as SQL and in memory.
public struct CheckedRequest: Sendable {
  /// The request that was checked.
  public let request: FetchRequest
  /// The requested entity.
  public let entity: Entity
  /// The entities whose objects are requested, none of them abstract.
  public let entities: [Entity]
  var predicate: CheckedPredicate
  let order: [Order]
  /// The columns of rows; nil unless the request is for dictionaries.
  var rows: Rows?

  struct Order: Sendable {
    enum Source: Sendable {
      case input(Input)
      /// The value of a column or a group.
      case name(String)
    }

    let source: Source
    let isAscending: Bool
    let fold: TextOptions
  }

  /// A value of an object that a request needs.
  struct Input: Hashable, Sendable {
    let path: ValuePath
    /// Nil for an object.
    let type: AttributeType?
  }

  /// The shape of dictionary rows.
  struct Rows: Sendable {
    struct Column: Sendable {
      enum Content: Sendable {
        case input(Input)
        case function(AggregateFunction, Input)
        /// How many objects of the row match the predicate.
        case count(CheckedPredicate)
        /// The number of an object's members.
        case members(ElementSource)
      }

      let name: String
      var content: Content

      /// Nil for an object.
      var type: AttributeType? {
        switch content {
        case .input(let input): input.type
        case .function(.count, _), .count, .members: .integer
        case .function(.average, _): .double
        case .function(_, let input): input.type
        }
      }
    }

    var columns: [Column]
    let groups: [Column]
    var having: CheckedPredicate?

    /// Whether groups, functions or counts combine several objects into one row.
    let isGrouped: Bool
  }

  /// Checks a request against a model.
  /// - Throws: ``ObjectGraphError/unknownEntity(_:)``, ``ObjectGraphError/predicate(_:)``,
  ///   ``ObjectGraphError/badRequest(field:)`` or ``ObjectGraphError/wrongKind(key:)``.
  public init(_ request: FetchRequest, model: ObjectModel) throws(ObjectGraphError) {
    let entity = try model.entity(request.entity)
    let checker = RequestChecker(request: request, entity: entity)
    self.request = request
    self.entity = entity
    entities = entity.concreteFamily(includingChildren: request.includesSubentities)
    predicate = try checker.predicate()
    try checker.checkFields()
    rows = try checker.rows()
    order = try checker.order(rows)
    try checker.checkPrefetch()
  }
}
