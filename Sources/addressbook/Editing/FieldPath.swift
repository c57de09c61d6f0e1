import AddressBookModel
import ArgumentParser

/// The left side of `--set`: a single field (`family`), a labelled value (`phone[mobile]`), the first one without a label
/// (`phone`), or a part of an address (`address[home].city`).
enum FieldPath: Hashable {
  case text(TextField)
  case birthday
  case kind
  case labelled(LabelledField, label: String)
  case address(label: String, part: AddressPart?)

  /// Fields that hold one text.
  enum TextField: String, CaseIterable {
    case name, prefix, given, middle, family, suffix
    case phoneticGiven, phoneticMiddle, phoneticFamily
    case nickname, organization, department, title, note, uid

    var property: WritableKeyPath<Contact, String> {
      switch self {
      case .name: \.formattedName
      case .prefix: \.prefix
      case .given: \.given
      case .middle: \.middle
      case .family: \.family
      case .suffix: \.suffix
      case .phoneticGiven: \.phoneticGiven
      case .phoneticMiddle: \.phoneticMiddle
      case .phoneticFamily: \.phoneticFamily
      case .nickname: \.nickname
      case .organization: \.organization
      case .department: \.department
      case .title: \.title
      case .note: \.note
      case .uid: \.uid
      }
    }

    /// Fields that the whole name is made of: changing one of them ends a whole name that was given apart.
    var isPartOfName: Bool { [.prefix, .given, .middle, .family, .suffix].contains(self) }
  }

  /// Fields that hold any number of labelled values.
  enum LabelledField: String, CaseIterable {
    case phone, email, url, date, handle, related

    var property: WritableKeyPath<Contact, [LabelledValue]> {
      switch self {
      case .phone: \.phones
      case .email: \.emails
      case .url: \.urls
      case .date: \.dates
      case .handle: \.handles
      case .related: \.related
      }
    }
  }

  /// Reads a path.
  /// - Throws: `ValidationError` that lists what can be set.
  init(_ text: String) throws {
    let (name, label, part) = Self.split(text)
    if name == "birthday", label == nil, part == nil {
      self = .birthday
    } else if name == "kind", label == nil, part == nil {
      self = .kind
    } else if let field = Self.textField(name), label == nil, part == nil {
      self = .text(field)
    } else if let field = Self.labelledField(name), part == nil {
      self = .labelled(field, label: label ?? "")
    } else if ["address", "addresses"].contains(name), part == nil || part.flatMap(AddressPart.init) != nil {
      self = .address(label: label ?? "", part: part.flatMap(AddressPart.init))
    } else {
      throw ValidationError(words("Misuse/unknownField", text, Self.allNames))
    }
  }

  private static func textField(_ name: String) -> TextField? {
    TextField(rawValue: name) ?? (name == "formattedName" ? .name : name == "org" ? .organization : nil)
  }

  private static func labelledField(_ name: String) -> LabelledField? {
    LabelledField(rawValue: name) ?? LabelledField.allCases.first { $0.rawValue + "s" == name }
  }

  private static var allNames: String {
    let texts = TextField.allCases.map(\.rawValue) + ["birthday", "kind"]
    let lists = LabelledField.allCases.map { $0.rawValue + "[…]" }
    let parts = AddressPart.allCases.map { "address[…]." + $0.rawValue }
    return (texts + lists + parts).joined(separator: ", ")
  }

  /// `name[label].part`; a label may hold anything but a closing bracket.
  private static func split(_ text: String) -> (name: String, label: String?, part: String?) {
    guard let open = text.firstIndex(of: "["), let close = text.lastIndex(of: "]"), open < close else {
      guard text.hasPrefix("address."), let dot = text.firstIndex(of: ".") else { return (text, nil, nil) }
      return (String(text[..<dot]), nil, String(text[text.index(after: dot)...]))
    }
    let rest = text[text.index(after: close)...]
    let label = String(text[text.index(after: open)..<close])
    if rest.isEmpty { return (String(text[..<open]), label, nil) }
    return (String(text[..<open]), label, rest.hasPrefix(".") ? String(rest.dropFirst()) : String(rest))
  }
}
