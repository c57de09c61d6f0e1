import ContactInterchange
import Contacts

extension FieldSlot {
  /// The fields that a column of CSV can be assigned to, with their standard labels.
  static var choices: [FieldSlot] {
    let fields = ContactFields.standard
    let texts: [FieldSlot] = fields.texts.filter { $0.role != .fullName }.map { .text($0) }
    let values: [FieldSlot] = fields.values.flatMap { field in
      ([""] + field.labels).map { .value(field, label: $0) }
    }
    let addresses: [FieldSlot] = ["", "home", "work"].flatMap { label in
      AddressPart.allCases.map { .address($0, label: label) }
    }
    return [.name] + texts + [.birthday] + values + addresses + [.groups, .kind, .uid]
  }
}

extension Strings {
  /// The name of a field, with its label.
  func title(of slot: FieldSlot) -> String {
    func labeled(_ name: String, _ label: String) -> String {
      label.isEmpty ? name : noted(name, localization.label(label))
    }
    switch slot {
    case .text(let text): return name(of: .text(text))
    case .name: return self("field.formattedName")
    case .value(let values, let label): return labeled(name(of: .values(values)), label)
    case .address(let part, let label): return labeled(self("field." + part.rawValue), label)
    case .birthday: return self("field.birthday")
    case .groups: return self("field.groups")
    case .kind: return self("field.kind")
    case .uid: return self("import.uid")
    }
  }

  /// Where the values of a column go.
  func title(of meaning: CSVOutline.Meaning) -> String {
    switch meaning {
    case .field(let slot): title(of: slot)
    case .label(.address): self("import.labelOf", self("field.address"))
    case .label(let slot): self("import.labelOf", title(of: slot))
    case .leftOut: self("import.leftOut")
    case .unknown: self("import.unknown")
    }
  }
}
