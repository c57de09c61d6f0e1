import Foundation
import GRDB

/// The column of an attribute, and how it holds the value.
public struct MappedColumn: Hashable, Sendable, ExpressibleByStringLiteral {
  /// How a column holds a value.
  public enum Form: Hashable, Sendable {
    /// As the library's own tables do: texts, numbers, 0 and 1 for booleans, seconds since 2001-01-01 UTC for dates, upper-case
    /// text for uuids.
    case plain
    /// A date as text in UTC, `2026-03-01T09:30:00Z`, with milliseconds if it has any. Other text reads as nil.
    case timestamp
    /// A text as a number: the number is stored, the text is the value. Other numbers read as nil.
    case names([Int64: String])
  }

  /// Name of the column, not quoted.
  public var column: String
  /// How it holds the value.
  public var form: Form

  /// Whether the value is read only when it is asked for: for what is large.
  public var isFaulted = false

  /// A column.
  public init(_ column: String, _ form: Form = .plain, isFaulted: Bool = false) {
    self.column = column
    self.form = form
    self.isFaulted = isFaulted
  }

  /// A column that holds the value as the library's own tables do.
  public init(stringLiteral value: String) { self.init(value) }
}

extension MappedColumn.Form {
  /// Whether attributes of the type can be kept so.
  func fits(_ type: AttributeType) -> Bool {
    switch self {
    case .plain: true
    case .timestamp: type == .date
    case .names: type == .string
    }
  }

  /// The value as plain columns hold it, of an expression for the column.
  func sql(reading column: String) -> String {
    switch self {
    case .plain: return column
    case .timestamp: return "\(PredicateFunctions.date)(\(column))"
    case .names(let names):
      let cases = names.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value.sqlLiteral)" }
      return cases.isEmpty ? "NULL" : "(CASE \(column) \(cases.joined(separator: " ")) END)"
    }
  }

  /// What the column gets for a value.
  /// - Throws: `store` for a text that has no number.
  func databaseValue(_ value: Value) throws -> DatabaseValue {
    switch (self, value) {
    case (.timestamp, .date(let date)):
      guard let text = FormatDate.text(date) else {
        throw StoreFailure(reason: .other, description: "a date beyond the years 0 to 9999")
      }
      return text.databaseValue
    case (.names(let names), .string(let text)):
      guard let number = names.first(where: { $0.value == text })?.key else {
        throw StoreFailure(reason: .other, description: "a text that has no number")
      }
      return number.databaseValue
    default: return value.databaseValue
    }
  }
}

extension String {
  /// The text in SQL, for names of the program's own; values are bound.
  var sqlLiteral: String { "'\(replacing("'", with: "''"))'" }
}
