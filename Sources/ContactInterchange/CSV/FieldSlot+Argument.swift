import Contacts

/// Slots as text: `given`, `phone[mobile]`, `address[home].city`, `groups`.
extension FieldSlot {
  /// The slot of a field.
  public init(_ path: FieldPath) {
    switch path {
    case .text(let text): self = text.role == .fullName ? .name : .text(text)
    case .uid: self = .uid
    case .birthday: self = .birthday
    case .kind: self = .kind
    case .labeled(let values, let label): self = .value(values, label: label)
    case .address(let label, let part): self = .address(part ?? .street, label: label)
    }
  }

  /// Parses a slot; nil if there is no such field.
  public init?(argument text: String) {
    if text == "groups" {
      self = .groups
    } else if let path = FieldPath(text) {
      self.init(path)
    } else {
      return nil
    }
  }

  /// The slot as text, from which ``init(argument:)`` makes the same one.
  public var argument: String {
    func labeled(_ name: String, _ label: String) -> String { label.isEmpty ? name : "\(name)[\(label)]" }
    switch self {
    case .text(let field): return field.jsonKey
    case .name: return ContactFields.standard.texts.first { $0.role == .fullName }?.jsonKey ?? ""
    case .value(let field, let label): return labeled(field.singular, label)
    case .address(let part, let label): return labeled("address", label) + "." + part.rawValue
    case .birthday: return "birthday"
    case .groups: return "groups"
    case .kind: return "kind"
    case .uid: return "uid"
    }
  }
}
