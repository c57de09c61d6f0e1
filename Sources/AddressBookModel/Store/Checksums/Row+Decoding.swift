import Foundation
import GRDB

/// Values of rows whose types, after damage, may not be those of the schema. GRDB's own subscripts would then trap.
extension Row {
  /// Returns the text of a column; empty for NULL.
  package func text(_ index: Int) -> String { (self[index] as DatabaseValue).anyText }

  /// Returns the text of a column; nil for NULL.
  package func optionalText(_ index: Int) -> String? { (self[index] as DatabaseValue).isNull ? nil : text(index) }

  /// Returns the number of a column, rounded toward zero; 0 for anything else.
  package func integer(_ index: Int) -> Int64 { Int64.fromDatabaseValue(self[index]) ?? 0 }

  /// Returns ``integer(_:)`` as an `Int`.
  package func number(_ index: Int) -> Int { Int(truncatingIfNeeded: integer(index)) }

  /// Returns the bytes of a column, of whatever type; none for NULL.
  package func data(_ index: Int) -> Data { Data(bytes(index)) }

  /// Returns the bytes of a column; none for NULL.
  package func bytes(_ index: Int) -> [UInt8] {
    switch (self[index] as DatabaseValue).storage {
    case .blob(let data): Array(data)
    default: Array(text(index).utf8)
    }
  }
}

extension DatabaseValue {
  fileprivate var anyText: String {
    switch storage {
    case .string(let text): text
    case .blob(let data): String(decoding: data, as: UTF8.self)
    case .int64(let number): String(number)
    case .double(let number): String(number)
    case .null: ""
    }
  }
}
