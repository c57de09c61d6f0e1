import ArgumentParser
import ContactInterchange
import Contacts

/// `--map`: which field a column of a CSV file belongs to, as `column=field`; without a field, the column is left out.
struct ColumnMapping {
  let mapping: CSVMapping

  /// Parses an option. The last `=` separates, because the name of a column may contain others.
  init(_ text: String) throws {
    guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
      throw ValidationError(strings("Misuse/noMapping", text))
    }
    let field = String(text[text.index(after: equals)...])
    mapping = CSVMapping(column: String(text[..<equals]), slot: field.isEmpty ? nil : try Self.slot(field))
  }

  private static func slot(_ field: String) throws -> FieldSlot {
    if field == "groups" { return .groups }
    switch try FieldPath(argument: field) {
    case .text(let text): return text.role == .fullName ? .name : .text(text)
    case .uid: return .uid
    case .birthday: return .birthday
    case .kind: return .kind
    case .labeled(let values, let label): return .value(values, label: label)
    case .address(let label, let part): return .address(part ?? .street, label: label)
    }
  }
}
