import AddressBookModel
import Contacts
import TerminalKit

/// A value of a contact that can be opened or copied.
struct ContactLink: Equatable {
  /// The kind of value, which decides how it is opened.
  enum Kind: String {
    case url, email, phone
  }

  let kind: Kind
  /// The label as stored.
  let label: String
  let value: String

  /// The address for another program.
  func address() throws(LinkAddress.Refusal) -> LinkAddress {
    switch kind {
    case .url: try .web(value)
    case .email: try .email(value)
    case .phone: try .phone(value)
    }
  }

  /// The value as it is displayed.
  var text: String { kind == .phone ? PhoneText.grouped(value) : value }

  /// The link for the terminal; nil for a value that cannot be opened.
  var clickable: TerminalLink? { (try? address()).flatMap { TerminalLink($0.text) } }

  /// Lines for a chooser: labels and values in two columns, with the values as in the detail.
  static func lines(_ links: [ContactLink], _ strings: Strings) -> [String] {
    let labels = links.map { DisplayText.clean(LabelText(strings: strings).text(of: $0.label, else: $0.kind.rawValue)) }
    let widest = min(labelLimit, labels.map { TextWidth.columns(of: $0) }.max() ?? 0)
    return zip(links, labels).map { link, label in
      let gap = String(repeating: " ", count: max(0, widest - TextWidth.columns(of: label)) + 2)
      return label + gap + link.text
    }
  }

  private static let labelLimit = 14
}

extension Contact {
  /// The values of certain kinds, in that order.
  func links(_ kinds: [ContactLink.Kind]) -> [ContactLink] {
    kinds.flatMap { kind in
      let values =
        switch kind {
        case .url: urls
        case .email: emails
        case .phone: phones
        }
      return values.map { ContactLink(kind: kind, label: $0.label, value: $0.value) }
    }
  }
}
