import Contacts
import ObjectGraph

/// The fetch requests of the book: groups, counts, deleted contacts.
enum BookRequests {
  static let name = "name"
  static let count = "count"
  static let object = "SELF"

  /// A request for all groups, sorted by name, each with the number of its contacts.
  static var groups: FetchRequest {
    var request = FetchRequest("Group", sort: [SortKey(name)])
    request.result = .dictionaries
    request.properties = [.keyPath(object), .keyPath(name), .members(name: count, keyPath: "members")]
    return request
  }

  static func group(named text: String) -> FetchRequest {
    FetchRequest("Group", where: AttributeKey<Group, String>(name) == text)
  }

  /// Returns a request for deleted contacts, most recently deleted first.
  /// - Parameter limit: the maximum number; 0 for all.
  static func deleted(limit: Int) -> FetchRequest {
    var request = FetchRequest("Person")
    request.onlyDeleted = true
    request.limit = limit
    return request
  }

  // MARK: - Statistics

  static let organizations = "organizations"
  static let birthdays = "birthdays"

  /// A request for one row: the number of contacts, of organizations, and of contacts with a birthday.
  static var contacts: FetchRequest {
    var request = FetchRequest("Person")
    request.result = .dictionaries
    let kind = AttributeKey<Person, String>("kind")
    request.properties = [
      .function(name: count, .count, keyPath: object),
      .count(name: organizations, where: kind == Contact.Kind.organization.name),
      .function(name: birthdays, .count, keyPath: "birthday"),
    ]
    return request
  }

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

  /// The rows of a dictionary result; empty for any other result.
  var rows: [[String: Value]] { if case .dictionaries(let rows) = self { rows } else { [] } }

  /// The ids of an object result; empty for any other result.
  var ids: [Int64] { if case .objects(let ids) = self { ids.compactMap(\.number) } else { [] } }
}

extension [String: Value] {
  /// Returns the integer in a column; 0 if there is none.
  func integer(_ name: String) -> Int { if case .integer(let number)? = self[name] { Int(number) } else { 0 } }
}
