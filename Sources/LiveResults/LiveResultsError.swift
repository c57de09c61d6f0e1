import ObjectGraph
import ResultsController

/// What can go wrong in a live list of objects.
public enum LiveResultsError: Error, Sendable {
  /// The request does not fit the model, cannot be followed (`badRequest` with the field), or an object could not be read.
  case objects(ObjectGraphError)
  /// The entity is not kept in a SQLite store; others are read as a whole and are not followed.
  case notFollowed(entity: String)
  /// The list could not be read, or a path is not in it.
  case list(ResultsError)

  /// An error as one of these.
  init(_ error: any Error) {
    switch error {
    case let error as LiveResultsError: self = error
    case let error as ObjectGraphError: self = .objects(error)
    case let error as ResultsError: self = .list(error)
    default: self = .list(.database(code: 1, message: String(describing: error)))
    }
  }
}
