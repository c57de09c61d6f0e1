import BookInterchange
import ContactInterchange
import Contacts
import Foundation
import SystemCalls

/// How the user wants a file to be imported.
struct ImportChoices: Codable, Hashable, Sendable {
  /// Whether a number, an email address, or the name with the birthday or the organization is enough to match a card
  /// with a contact.
  var matchesMore = false
  /// The order of day and month; nil to infer it.
  var isDayFirst: Bool?
  /// The charset of CSV; nil to detect it.
  var charset: String?
  /// The fields of columns of CSV, by the number of the column from 1, as ``FieldSlot/argument``; empty for a column that
  /// is left out.
  var fields: [Int: String] = [:]

  var matching: Set<MatchKind> { matchesMore ? Set(MatchKind.allCases) : [] }

  func reading(_ format: ImportFormat) -> ImportReading {
    var reading = ImportReading()
    reading.format = format
    reading.isDayFirst = isDayFirst
    reading.csv.charset = charset
    reading.csv.map = fields.map { CSVMapping(column: String($0.key), slot: FieldSlot(argument: $0.value)) }
    return reading
  }
}

extension ImportOutline {
  /// What identifies the program that wrote a file: the format, and the header of CSV.
  var source: String {
    let names = csv?.columns.map(\.name) ?? []
    return String(([String(describing: format)] + names).joined(separator: "\t").prefix(2000))
  }
}

/// `imports.json`: the choices for the imports of files from each source, the most recently used first.
struct ImportChoicesFile: Sendable {
  private struct Content: Codable {
    var sources: [Source]
  }

  private struct Source: Codable {
    var source: String
    var choices: ImportChoices
  }

  /// The maximum number of sources.
  private static let most = 100
  private static let largest = 1 << 20
  private let file: PrivateFile

  init(folder: String) { file = PrivateFile(folder + "/imports.json") }

  /// Returns the choices for a source; nil if none are saved, or if the file cannot be read or decoded.
  func choices(for source: String) -> ImportChoices? { content.sources.first { $0.source == source }?.choices }

  /// Saves choices, or removes them if nothing was chosen.
  func save(_ choices: ImportChoices, for source: String) throws(FileFailure) {
    let before = content.sources
    var sources = before.filter { $0.source != source }
    if choices != ImportChoices() { sources.insert(Source(source: source, choices: choices), at: 0) }
    guard !before.isEmpty || !sources.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(Content(sources: Array(sources.prefix(Self.most)))) else { return }
    try file.write(Array(data) + [0x0A], makesFolder: true, isDurable: false)
  }

  private var content: Content {
    guard let bytes = try? file.read(atMost: Self.largest),
      let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
    else { return Content(sources: []) }
    return content
  }
}
