import Foundation
import GRDB

/// How a store keeps values: booleans as 0 and 1, dates as seconds since 2001-01-01 UTC (so that no bit of a `Date` is lost),
/// uuids as their 16 bytes, objects as their numbers.
extension Value {
  /// The value as SQLite keeps it. An object that was never saved is NULL.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .string(let text): text.databaseValue
    case .integer(let integer): integer.databaseValue
    case .double(let double): double.databaseValue
    case .boolean(let flag): Int64(flag ? 1 : 0).databaseValue
    case .date(let date): date.timeIntervalSinceReferenceDate.databaseValue
    case .data(let data): data.databaseValue
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Data($0) }.databaseValue
    case .object(let id): id.number?.databaseValue ?? .null
    }
  }

  /// The value of an attribute that SQLite kept; nil if it is none of this type.
  init?(_ databaseValue: DatabaseValue, as type: AttributeType) {
    switch (type, databaseValue.storage) {
    case (_, .null): self = .null
    case (.string, .string(let text)): self = .string(text)
    case (.integer, .int64(let integer)): self = .integer(integer)
    case (.double, .double(let double)): self = .double(double)
    case (.double, .int64(let integer)): self = .double(Double(integer))
    case (.boolean, .int64(let integer)): self = .boolean(integer != 0)
    case (.date, .double(let seconds)): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.date, .int64(let seconds)): self = .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.data, .blob(let data)): self = .data(data)
    case (.uuid, .blob(let data)):
      guard data.count == 16 else { return nil }
      var bytes = UUID_NULL
      withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
      self = .uuid(UUID(uuid: bytes))
    default: return nil
    }
  }
}

private let UUID_NULL: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
