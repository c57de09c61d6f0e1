import Contacts
import VCard

/// The lines of a card, divided into those that belong to a field of a contact and those that belong to none.
///
/// A sync merges a contact with a file. The lines of fields are written from the merged contact; the others are merged
/// separately, and put into the card that the file has.
public struct CardTemplate: Sendable {
  /// The lines, as a contact keeps them.
  public let lines: [String]
  private let units: [(unit: CardLineUnit, hasField: Bool)]

  /// Divides the lines that a contact keeps, see ``ContactCardReader``.
  public init(_ lines: [String]) {
    self.lines = lines
    let parsed = ParsedCard(kept: lines, .standard)
    var ofFields: Set<String> = []
    for (line, field) in zip(parsed.lines, parsed.fields) where field != nil { ofFields.insert(line.verbatim) }
    units = CardLineUnit.units(of: lines).map { unit in
      (unit, unit.lines.contains { ofFields.contains($0) || CardLineUnit.isAboutCard($0) })
    }
  }

  /// The lines that belong to no field, except lines about the card itself and lines that share their group with a
  /// field.
  public var linesWithoutField: [String] { units.filter { !$0.hasField }.flatMap(\.unit.lines) }

  /// Returns ``linesWithoutField`` in the syntax of another version.
  public func linesWithoutField(in version: CardVersion) -> [String] {
    let own = KeptLines.version(of: lines)
    guard own != version else { return linesWithoutField }
    return CardLine.lines(linesWithoutField, version: own).map { $0.converted(to: version).verbatim }
  }

  /// Returns the lines of the card, with the lines that belong to no field replaced by others. Lines that are in both
  /// keep their position; new ones come last.
  public func replacingLinesWithoutField(with others: [String]) -> [String] {
    let required = CardLineUnit.units(of: others)
    var left = required.reduce(into: [:]) { counts, unit in counts[unit.key, default: 0] += 1 }
    var isChanged = false
    var result: [CardLineUnit] = []
    for (unit, hasField) in units {
      if !hasField {
        guard let count = left[unit.key], count > 0 else {
          isChanged = true
          continue
        }
        left[unit.key] = count - 1
      }
      result.append(unit)
    }
    for unit in required {
      guard let count = left[unit.key], count > 0 else { continue }
      left[unit.key] = count - 1
      isChanged = true
      result.append(unit)
    }
    return isChanged ? CardLineUnit.lines(of: result) : lines
  }

  /// Returns whether two cards have the same lines, in any order and regardless of the case of names and the numbers of
  /// groups. Lines about the cards themselves are ignored.
  public static func isSame(_ lines: [String], as others: [String]) -> Bool {
    counts(lines) == counts(others)
  }

  private static func counts(_ lines: [String]) -> [ValueKey: Int] {
    CardLineUnit.units(of: lines.filter { !CardLineUnit.isAboutCard($0) })
      .reduce(into: [:]) { counts, unit in counts[unit.key, default: 0] += 1 }
  }
}
