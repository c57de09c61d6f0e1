import Foundation
import GRDB

/// The column of an attribute, and how it holds the value.
public struct MappedColumn: Hashable, Sendable, ExpressibleByStringLiteral {
  /// How a column holds a value.
  public enum Form: Hashable, Sendable {
    /// As in the library's own tables: text, numbers and blobs, 0 and 1 for Booleans, seconds since 2001-01-01 UTC for
    /// dates, upper-case text for UUIDs.
    case plain
    /// A date as text in UTC, `2026-03-01T09:30:00Z`, with milliseconds if it has any. Other text reads as nil.
    case timestamp
    /// A string stored as a number. A number that is not listed reads as nil.
    case names([Int64: String])
  }

  /// Name of the column, not quoted.
  public var column: String
  /// How the column holds the value.
  public var form: Form

  /// Whether the value is loaded on demand. Use this for large values.
  public var isFaulted = false

  /// Creates a mapping to a column.
  public init(_ column: String, _ form: Form = .plain, isFaulted: Bool = false) {
    self.column = column
    self.form = form
    self.isFaulted = isFaulted
  }

  /// Creates a mapping to a column in the form of the library's own tables.
  public init(stringLiteral value: String) { self.init(value) }
}

extension MappedColumn.Form {
  /// Returns whether attributes of the type can have this form.
  func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .plain: true
    case .timestamp: type == .date
    case .names: type == .string
    }
  }

  /// Returns an SQL expression for the column's value in the plain form.
  func sql(reading column: String) -> String {
    switch self {
    case .plain: return column
    case .timestamp: return "\(PredicateFunctions.date)(\(column))"
    case .names(let names):
      let cases = names.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value.sqlLiteral)" }
      return cases.isEmpty ? "NULL" : "(CASE \(column) \(cases.joined(separator: " ")) END)"
    }
  }

  /// Returns the database value that is written for a value.
  /// - Throws: `StoreFailure` for a string that has no number, and for a date outside the years 0 to 9999.
  func databaseValue(_ value: Value) throws -> DatabaseValue {
    switch (self, value) {
    case (.timestamp, .date(let date)):
      guard let text = FormatDate.text(date) else {
        throw StoreFailure(reason: .other, description: "a date outside the years 0 to 9999")
      }
      return text.databaseValue
    case (.names(let names), .string(let text)):
      guard let number = names.first(where: { $0.value == text })?.key else {
        throw StoreFailure(reason: .other, description: "a string that has no number in the mapping")
      }
      return number.databaseValue
    default: return value.databaseValue
    }
  }
}

extension String {
  /// A string literal in SQL, for names defined by the program; values are bound.
  var sqlLiteral: String {
    // The replacement is slow and rarely needed.
    "'" + (utf8.contains(UInt8(ascii: "'")) ? replacing("'", with: "''") : self) + "'"
  }
}
