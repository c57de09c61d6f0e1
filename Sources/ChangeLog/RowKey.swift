import Foundation
import GRDB
import GRDBSQLite

/// The primary key of a row: its rowid, or a value for each column of the key.
///
/// Keys are equal if their columns have the same bytes of the same type, whatever the columns' collations. In a table
/// that considers `a` and `A` equal, a row whose key changes from one to the other gets a different `RowKey`.
public struct RowKey: Hashable, Sendable {
  /// For each column one byte for its type and eight for its number or its length, followed by the bytes of text and
  /// blobs.
  private let bytes: [UInt8]

  private enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let blob: UInt8 = 4
  }

  /// Creates a key that is a single integer.
  public init(_ integer: Int64) {
    var bytes: [UInt8] = []
    Self.append(Tag.integer, UInt64(bitPattern: integer), to: &bytes)
    self.bytes = bytes
  }

  /// Creates a key from values in the order of its columns.
  public init(_ values: [DatabaseValue]) {
    var bytes: [UInt8] = []
    for value in values {
      switch value.storage {
      case .null: Self.append(Tag.null, 0, to: &bytes)
      case .int64(let integer): Self.append(Tag.integer, UInt64(bitPattern: integer), to: &bytes)
      case .double(let real): Self.append(Tag.real, real.bitPattern, to: &bytes)
      case .string(let text): Self.append(Tag.text, text.utf8, to: &bytes)
      case .blob(let data): Self.append(Tag.blob, data, to: &bytes)
      }
    }
    self.bytes = bytes
  }

  /// Reads the key from some columns of a statement's current row; nil if one of them is NULL, which SQLite allows in
  /// some keys: such rows cannot be told apart.
  package init?(_ statement: OpaquePointer, from first: Int32, count: Int32) {
    var bytes: [UInt8] = []
    for column in first..<first + count {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER:
        Self.append(Tag.integer, UInt64(bitPattern: sqlite3_column_int64(statement, column)), to: &bytes)
      case SQLITE_FLOAT: Self.append(Tag.real, sqlite3_column_double(statement, column).bitPattern, to: &bytes)
      case SQLITE_TEXT:
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        Self.append(Tag.text, UnsafeBufferPointer(start: start, count: count), to: &bytes)
      case SQLITE_BLOB:
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        Self.append(Tag.blob, UnsafeRawBufferPointer(start: start, count: count), to: &bytes)
      default: return nil
      }
    }
    self.bytes = bytes
  }

  /// The values of the key's columns.
  public var values: [DatabaseValue] {
    var values: [DatabaseValue] = []
    var offset = 0
    while offset < bytes.count {
      let number = bytes[offset + 1..<offset + 9].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let tag = bytes[offset]
      offset += 9
      switch tag {
      case Tag.integer: values.append(Int64(bitPattern: number).databaseValue)
      case Tag.real: values.append(Double(bitPattern: number).databaseValue)
      case Tag.text, Tag.blob:
        let content = bytes[offset..<offset + Int(number)]
        offset += Int(number)
        values.append(
          tag == Tag.text ? String(decoding: content, as: UTF8.self).databaseValue : Data(content).databaseValue)
      default: values.append(.null)
      }
    }
    return values
  }

  /// The number, if the key is a single integer; nil for any other key.
  public var integer: Int64? {
    let values = bytes.count == 9 ? values : []
    if case .int64(let integer)? = values.first?.storage { return integer }
    return nil
  }

  private static func append(_ tag: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
    bytes.append(tag)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private static func append(_ tag: UInt8, _ content: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(tag, UInt64(content.count), to: &bytes)
    bytes.append(contentsOf: content)
  }
}

extension RowKey: CustomStringConvertible {
  /// The values, such as `("ada", 3)`.
  public var description: String { "(\(values.map(\.description).joined(separator: ", ")))" }
}
