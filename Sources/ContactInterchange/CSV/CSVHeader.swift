import Contacts
import VCard

/// The first row of a CSV file, which tells the meaning of each column.
struct CSVHeader {
  /// The separators that programs use, the most common one first.
  static let separators: [UInt8] = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  let names: [String]
  /// The meaning of each column; nil if unknown.
  let columns: [CSVColumn?]

  /// Recognizes columns by their names.
  /// - Parameter map: columns that the user mapped, by name or by number from 1; if one is mapped twice, the last wins.
  init(names: [String], map: [CSVMapping] = []) {
    var vocabulary = CSVVocabulary()
    self.init(names: names, map: map, &vocabulary)
  }

  private init(names: [String], map: [CSVMapping], _ vocabulary: inout CSVVocabulary) {
    self.names = names
    let known = vocabulary.columns(named: names)
    columns = names.enumerated().map { index, name in
      if let own = map.last(where: { $0.isColumn(name, at: index) }) {
        return own.slot.map(CSVColumn.slot) ?? .nothing
      }
      return known[index]
    }
  }

  /// Returns the columns that the user mapped and this header lacks, each once.
  func absentColumns(of map: [CSVMapping]) -> [String] {
    var absent: [String] = []
    for mapping in map where !absent.contains(mapping.column) {
      if !names.enumerated().contains(where: { mapping.isColumn($0.element, at: $0.offset) }) {
        absent.append(mapping.column)
      }
    }
    return absent
  }

  /// The number of columns that a contact has a field for.
  var knownCount: Int { columns.count { $0 != nil && $0 != .nothing && $0 != .emailType } }

  /// How many rows some programs write before the header, at most.
  private static let rowsBefore = 20

  /// Detects the separator of a file from its beginning, and the header if other rows come before it: those that yield
  /// the most known columns; among equals, the most columns.
  /// - Returns: the separator, the number of known columns (-1 if there is no header), the number of all columns, and
  ///   the number of rows before the header.
  static func detect(
    in beginning: [UInt8], map: [CSVMapping] = [], text: ForeignText = ForeignText()
  ) -> (separator: UInt8, known: Int, columns: Int, rowsBefore: Int) {
    var best = (separator: separators[0], known: -1, columns: 0, rowsBefore: 0)
    var vocabulary = CSVVocabulary()
    for separator in separators {
      var rows = CSVRows(separator: separator, text: beginning)
      for number in 0...rowsBefore {
        guard let row = rows.next() else { break }
        let names = row.cells.map { text.text(of: $0).text.trimmed }
        let header = CSVHeader(names: names, map: map, &vocabulary)
        let isHeader = number == 0 || header.knownCount > 1
        if isHeader, (header.knownCount, header.names.count) > (best.known, best.columns) {
          best = (separator, header.knownCount, header.names.count, number)
        }
        // LinkedIn's file begins with a line `Notes:`.
        if header.knownCount > 0, header.names.count > 1 { break }
      }
    }
    return best
  }
}

/// A column of a CSV file that the user mapped to a field.
public struct CSVMapping: Hashable, Sendable {
  /// Its name, or its number from 1.
  public let column: String
  /// Where its values belong; nil to leave them out.
  public let slot: FieldSlot?

  /// Maps a column to a slot.
  public init(column: String, slot: FieldSlot?) {
    self.column = column
    self.slot = slot
  }

  func isColumn(_ name: String, at index: Int) -> Bool { column == name || Int(column) == index + 1 }
}

/// The meaning of a column of a CSV file.
enum CSVColumn: Hashable {
  /// A value that is complete without other columns.
  case slot(FieldSlot)
  /// A part of a numbered item: `Phone 1 - Label`, `Address 2 - City`.
  case item(CSVList, number: Int, CSVPart)
  case birthday(BirthdayParts.Part)
  /// The protocol of an email address, which says nothing if it is SMTP.
  case emailType
  /// Left out by the user.
  case nothing
}

/// A list of numbered items.
enum CSVList: Hashable {
  case values(ContactField.Values)
  case addresses
  /// `Organization 1 - Name`, `- Department` and `- Title` of old exports from Google; only number 1 is imported.
  case organization
}

/// The meaning of a column of a numbered item.
enum CSVPart: Hashable {
  case label
  case value
  /// Where an account is used, such as `home`: the label of an account without a service.
  case location
  /// The whole address as text.
  case formatted
  case address(AddressPart)
  case text(ContactField.Text)
}

/// Recognition of CSV by its beginning.
public enum CSVFormat {
  /// Returns whether a text begins with `sep=`, or its first row has several columns, at least one of them known.
  /// - Parameters:
  ///   - beginning: the text in UTF-8 or another extension of ASCII; only its first row is needed.
  ///   - map: columns that the user mapped; those mapped to a field count as known.
  public static func isLikely(_ beginning: [UInt8], map: [CSVMapping] = []) -> Bool {
    if beginning.starts(with: "sep=".utf8) { return true }
    var text = ForeignText()
    text.observe(beginning)
    let found = CSVHeader.detect(in: beginning, map: map, text: text)
    return found.known > 0 && found.columns > 1
  }
}
