import Foundation

/// Encoded with the name of the case, so that a date stays a date: `{"date": 791510400.5}`, in seconds since 2001-01-01
/// UTC.
extension Value: Codable {
  private enum Key: String, CodingKey {
    case null, string, integer, double, boolean, date, data, uuid, object
  }

  /// Reads what ``encode(to:)`` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a value has one key"))
    }
    switch key {
    case .null: self = .null
    case .string: self = .string(try container.decode(String.self, forKey: key))
    case .integer: self = .integer(try container.decode(Int64.self, forKey: key))
    case .double: self = .double(try container.decode(Double.self, forKey: key))
    case .boolean: self = .boolean(try container.decode(Bool.self, forKey: key))
    case .date: self = .date(Date(timeIntervalSinceReferenceDate: try container.decode(Double.self, forKey: key)))
    case .data: self = .data(try container.decode(Data.self, forKey: key))
    case .uuid: self = .uuid(try container.decode(UUID.self, forKey: key))
    case .object: self = .object(try container.decode(ObjectID.self, forKey: key))
    }
  }

  /// Writes one key with its content.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .null: try container.encode(true, forKey: .null)
    case .string(let text): try container.encode(text, forKey: .string)
    case .integer(let number): try container.encode(number, forKey: .integer)
    case .double(let number): try container.encode(number, forKey: .double)
    case .boolean(let flag): try container.encode(flag, forKey: .boolean)
    case .date(let date): try container.encode(date.timeIntervalSinceReferenceDate, forKey: .date)
    case .data(let data): try container.encode(data, forKey: .data)
    case .uuid(let uuid): try container.encode(uuid, forKey: .uuid)
    case .object(let id): try container.encode(id, forKey: .object)
    }
  }
}
