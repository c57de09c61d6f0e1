import ChangeLog
import Foundation
import GRDB

/// An error of a request, a path, or the database behind a controller.
public enum ResultsError: LocalizedError, Sendable, Equatable {
  /// The request has no sort key. The primary key is appended to the sort keys; it does not replace them.
  case sortKeyNeeded
  /// The section key is among the sort keys but not the first, so its sections would be split.
  case sectionKeyNotFirst(column: String)
  /// A section value occurs in two places: the section key does not agree with the order of rows.
  case sectionOrderDisagrees(SectionValue)
  /// The database has no such table.
  case unknownTable(String)
  /// A controller is bound to the table of its first request; create another controller for another table.
  case otherTable(String)
  /// The table has no such column.
  case unknownColumn(String, table: String)
  /// The table declares no primary key, and its columns use all names of SQLite's rowid.
  case unsupportedPrimaryKey(table: String)
  /// A row has NULL in its primary key, which SQLite allows in some tables: such rows cannot be told apart.
  case nullInPrimaryKey(table: String)
  /// A sort column, or a column of the primary key, uses a collation other than BINARY, NOCASE and RTRIM. To sort in
  /// another order, store a sort key as a blob.
  case unsupportedCollation(String, column: String)
  /// The path, section or row does not exist in the list.
  case outOfRange
  /// The row was deleted in the database after the snapshot was made. If the list is tracked, an update follows.
  case rowGone(id: Int64)
  /// Changes to the list are not tracked: a table has no triggers, or they no longer fit it or keep too little. Install
  /// them in a migration, or create the controller with `installsTriggers`.
  case notTracked(table: String)
  /// `performFetch()` has not succeeded yet.
  case notFetched
  /// A newer request replaced this one while it was running.
  case cancelled
  /// The database reported an error with this extended result code, or another error occurred (code 1), for example
  /// when a record was decoded. The list stays as it was and tracking continues.
  case database(code: Int32, message: String)

  /// A sentence in English, for a log or a developer.
  public var errorDescription: String? {
    switch self {
    case .sortKeyNeeded: "The request has no sort key."
    case .sectionKeyNotFirst(let column): "The section key \(column) is not the first sort key."
    case .sectionOrderDisagrees(let value): "The section \(value.plainTitle) does not agree with the order of rows."
    case .unknownTable(let name): "The database has no table \(name)."
    case .otherTable(let name): "The controller follows another table than \(name)."
    case .unknownColumn(let name, let table): "The table \(table) has no column \(name)."
    case .unsupportedPrimaryKey(let table): "The rows of \(table) cannot be told apart: it has no primary key."
    case .nullInPrimaryKey(let table): "A row of \(table) has NULL in its primary key."
    case .unsupportedCollation(let name, let column): "The collation \(name) of \(column) is not supported."
    case .outOfRange: "The list has no such row."
    case .rowGone(let id): "The row \(id) was deleted."
    case .notTracked(let table): "Changes of \(table) are not tracked: it has no triggers that fit."
    case .notFetched: "The list is not fetched yet."
    case .cancelled: "A newer request replaced this one."
    case .database(let code, let message): "The database reports error \(code): \(message)."
    }
  }

  init(_ error: any Error) {
    switch error {
    case let error as ResultsError: self = error
    case ChangeLogError.unknownTable(let table): self = .unknownTable(table)
    case ChangeLogError.unknownColumn(let column, let table): self = .unknownColumn(column, table: table)
    case ChangeLogError.noRowID(let table): self = .unsupportedPrimaryKey(table: table)
    case let error as DatabaseError:
      self = .database(
        code: error.extendedResultCode.rawValue, message: error.message ?? String(describing: error))
    default: self = .database(code: 1, message: String(describing: error))
    }
  }

  /// Whether retrying may help, because another connection holds a lock.
  var isBusy: Bool {
    guard case .database(let code, _) = self else { return false }
    let primary = code & 0xFF
    return primary == ResultCode.SQLITE_BUSY.rawValue || primary == ResultCode.SQLITE_LOCKED.rawValue
  }
}
