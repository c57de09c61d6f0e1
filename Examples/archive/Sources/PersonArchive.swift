import Foundation

/// People in a file, each with a kind that names its class. A decoder creates exactly the type it is given, so
/// `[Person]` would be decoded without any students.
struct PersonArchive {
  private let url: URL

  init(_ url: URL) { self.url = url }

  /// Writes a new file and replaces the old one, so that a reader never sees half of it.
  func write(_ people: [Person]) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    try encoder.encode(people.map(Entry.init)).write(to: url, options: .atomic)
  }

  /// - Throws: `DecodingError` if the file is not such an archive, or names a class that this program does not know;
  ///   `CocoaError` if it cannot be read.
  func read() throws -> [Person] {
    try PropertyListDecoder().decode([Entry].self, from: Data(contentsOf: url)).map(\.person)
  }

  private enum Kind: String, Codable { case person, student }

  private struct Entry: Codable {
    private enum Key: CodingKey { case kind, object }

    let person: Person

    init(_ person: Person) { self.person = person }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      switch try container.decode(Kind.self, forKey: .kind) {
      case .person: person = try container.decode(Person.self, forKey: .object)
      case .student: person = try container.decode(Student.self, forKey: .object)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(person is Student ? Kind.student : .person, forKey: .kind)
      try container.encode(person, forKey: .object)
    }
  }
}
