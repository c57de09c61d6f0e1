import Foundation

/// The content of a property list store, in this form:
///
/// ```
/// { store: UUID, model: JSON, tables: { Student: { sequence: 9, objects: [
///     { number: 1, entity: Student, version: 1, values: { name: … }, references: { myclass: 3 } } ] } },
///   lists: [ { entity: Student, relationship: courses, members: { "1": [2, 5] } } ] }
/// ```
///
/// Dates are seconds since 2001-01-01 UTC, because the dates of an XML property list have no fractions of a second. A
/// string that XML would change is stored as data.
struct PropertyListArchive {
  var identifier: UUID
  var descriptions: [EntityDescription]
  var graph: MemoryGraph

  init(identifier: UUID, descriptions: [EntityDescription], graph: MemoryGraph) {
    self.identifier = identifier
    self.descriptions = descriptions
    self.graph = graph
  }

  // MARK: - Writing

  func data(format: StoreDescription.PropertyListFormat) throws -> Data {
    let model = try ObjectModel(entities: descriptions)
    var tables: [String: Any] = [:]
    for (name, table) in graph.tables {
      let objects = try table.rows.sorted { $0.key < $1.key }.map { number, row in
        try object(number, row, entity: model.entity(row.entity))
      }
      tables[name] = ["sequence": table.sequence, "objects": objects] as [String: Any]
    }
    let lists = graph.lists.map { name, members in
      [
        "entity": name.entity, "relationship": name.relationship,
        "members": Dictionary(
          members.filter { !$0.value.isEmpty }.map { (String($0.key), $0.value) },
          uniquingKeysWith: { first, _ in first }),
      ] as [String: Any]
    }
    let root: [String: Any] = [
      "store": identifier.uuidString, "model": try JSONEncoder().encode(descriptions), "tables": tables, "lists": lists,
    ]
    return try PropertyListSerialization.data(
      fromPropertyList: root, format: format == .xml ? .xml : .binary, options: 0)
  }

  private func object(_ number: Int64, _ row: MemoryGraph.Row, entity: Entity) -> [String: Any] {
    var values: [String: Any] = [:]
    for attribute in entity.attributes where !attribute.description.isTransient {
      values[attribute.name] = row.values[attribute.index].propertyListCell
    }
    var references: [String: Int64] = [:]
    for relationship in entity.relationships { references[relationship.name] = row.references[relationship.index] }
    return [
      "number": number, "entity": row.entity, "version": row.version, "values": values, "references": references,
    ]
  }

  // MARK: - Reading

  init(data: Data) throws {
    let unreadable = StoreFailure(reason: .unreadable, description: "the file is not an object archive")
    guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let root = list as? [String: Any],
      let identifier = (root["store"] as? String).flatMap(UUID.init), let json = root["model"] as? Data,
      let tables = root["tables"] as? [String: [String: Any]], let lists = root["lists"] as? [[String: Any]]
    else { throw unreadable }
    let descriptions = try JSONDecoder().decode([EntityDescription].self, from: json)
    let model = try ObjectModel(entities: descriptions)
    var graph = MemoryGraph()
    for (name, table) in tables {
      guard let sequence = table["sequence"] as? Int64, let objects = table["objects"] as? [[String: Any]] else {
        throw unreadable
      }
      var rows: [Int64: MemoryGraph.Row] = [:]
      for object in objects {
        guard let number = object["number"] as? Int64, let row = try Self.row(object, model) else { throw unreadable }
        rows[number] = row
      }
      graph.tables[name] = MemoryGraph.Table(rows: rows, sequence: sequence)
    }
    for list in lists {
      guard let entity = list["entity"] as? String, let name = list["relationship"] as? String,
        let relationship = model.entity(named: entity)?.relationship(named: name),
        let members = list["members"] as? [String: [Int64]]
      else { throw unreadable }
      var byOwner: [Int64: [Int64]] = [:]
      for (owner, numbers) in members {
        guard let owner = Int64(owner) else { throw unreadable }
        byOwner[owner] = numbers
      }
      graph.lists[MemoryGraph.ListName(relationship)] = byOwner
    }
    self.init(identifier: identifier, descriptions: descriptions, graph: graph)
  }

  private static func row(_ object: [String: Any], _ model: ObjectModel) throws -> MemoryGraph.Row? {
    guard let name = object["entity"] as? String, let entity = model.entity(named: name),
      let version = object["version"] as? Int64, let cells = object["values"] as? [String: Any],
      let references = object["references"] as? [String: Int64]
    else { return nil }
    let values = try entity.attributes.map { attribute -> Value in
      if attribute.description.isTransient { return attribute.description.defaultValue }
      guard let cell = cells[attribute.name] else { return .null }
      guard let value = Value(propertyListCell: cell, type: attribute.type) else {
        throw StoreFailure(
          reason: .unreadable, description: "a value of \(name) is not of type \(attribute.type.rawValue)")
      }
      return value
    }
    return MemoryGraph.Row(
      entity: name, version: version, values: values, references: entity.relationships.map { references[$0.name] })
  }
}

extension Value {
  /// The value in a property list; nil for null and for objects.
  fileprivate var propertyListCell: Any? {
    switch self {
    case .null, .object: nil
    case .string(let text): text.isKeptByXML ? text : Data(text.utf8)
    case .integer(let number): number
    // The shortest string that reads back as the same number, infinity included.
    case .double(let number): "\(number)"
    case .boolean(let flag): flag
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .data(let data): data
    case .uuid(let uuid): uuid.uuidString
    }
  }

  fileprivate init?(propertyListCell cell: Any, type: AttributeType) {
    switch type {
    case .string:
      if let text = cell as? String {
        self = .string(text)
      } else {
        guard let data = cell as? Data, let text = String(data: data, encoding: .utf8) else { return nil }
        self = .string(text)
      }
    case .integer:
      guard let number = cell as? Int64 else { return nil }
      self = .integer(number)
    case .double:
      guard let number = (cell as? String).flatMap(Double.init) else { return nil }
      self = .double(number)
    case .boolean:
      guard let flag = cell as? Bool else { return nil }
      self = .boolean(flag)
    case .date:
      guard let seconds = (cell as? String).flatMap(Double.init) else { return nil }
      self = .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .data:
      guard let data = cell as? Data else { return nil }
      self = .data(data)
    case .uuid:
      guard let uuid = (cell as? String).flatMap(UUID.init) else { return nil }
      self = .uuid(uuid)
    }
  }
}

extension String {
  /// False for strings with characters that XML cannot hold, or with line ends that it changes.
  fileprivate var isKeptByXML: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar == "\n" || scalar == "\t" || (scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF)
    }
  }
}
