import Contacts
import ObjectGraph

/// The fetch requests of the book: groups, counts, deleted contacts.
enum BookRequests {
  static let name = "name"
  static let count = "count"
  static let object = "SELF"

  /// All groups by name, each with the number of its contacts.
  static var groups: FetchRequest {
    var request = FetchRequest("Group", sort: [SortKey(name)])
    request.result = .dictionaries
    request.properties = [.keyPath(object), .keyPath(name), .members(name: count, keyPath: "members")]
    return request
  }

  /// The group with this name.
  static func group(named text: String) -> FetchRequest {
    FetchRequest("Group", where: AttributeKey<Group, String>(name) == text)
  }

  /// The last deleted contacts, newest deletion first.
  /// - Parameter limit: how many at most; 0 for all.
  static func deleted(limit: Int) -> FetchRequest {
    var request = FetchRequest("Person")
    request.onlyDeleted = true
    request.limit = limit
    return request
  }

  // MARK: - Statistics

  static let organizations = "organizations"
  static let birthdays = "birthdays"

  /// One row: contacts, those of them that are organizations, and those with a birthday.
  static var contacts: FetchRequest {
    var request = FetchRequest("Person")
    request.result = .dictionaries
    let kind = AttributeKey<Person, String>("kind")
    request.properties = [
      .function(name: count, .count, keyPath: object),
      .count(name: organizations, where: kind == BookModel.name(of: .organization)),
      .function(name: birthdays, .count, keyPath: "birthday"),
    ]
    return request
  }

  /// How many objects of an entity there are.
  static func count(of entity: String, onlyDeleted: Bool = false) -> FetchRequest {
    var request = FetchRequest(entity)
    request.onlyDeleted = onlyDeleted
    request.result = .count
    return request
  }
}

extension FetchResult {
  /// The value of a count result; 0 for any other result.
  var number: Int { if case .count(let count) = self { count } else { 0 } }

  /// The rows of dictionaries; none of anything else.
  var rows: [[String: Value]] { if case .dictionaries(let rows) = self { rows } else { [] } }

  /// The numbers of objects; none of anything else.
  var ids: [Int64] { if case .objects(let ids) = self { ids.compactMap(\.number) } else { [] } }
}

extension [String: Value] {
  /// The integer of a column; 0 where there is none.
  func integer(_ name: String) -> Int { if case .integer(let number)? = self[name] { Int(number) } else { 0 } }
}
