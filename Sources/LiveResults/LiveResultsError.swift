import ObjectGraph
import ResultsController

/// An error of a live list of objects.
public enum LiveResultsError: Error, Sendable {
  /// The request does not fit the model or cannot be followed (`badRequest` with the field), or an object could not be
  /// read.
  case objects(ObjectGraphError)
  /// The entity is not kept in a SQLite store that the stack opened; other stores cannot be followed.
  case notFollowed(entity: String)
  /// The list could not be read or followed, a path is not in it, or an object was deleted.
  case list(ResultsError)

  /// Creates an error from any other.
  init(_ error: any Error) {
    switch error {
    case let error as LiveResultsError: self = error
    case let error as ObjectGraphError: self = .objects(error)
    case let error as ResultsError: self = .list(error)
    default: self = .list(.database(code: 1, message: String(describing: error)))
    }
  }
}
