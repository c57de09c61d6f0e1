import Pinyin

/// What makes two values of a list the same value, however they are written.
public struct ValueKey: Hashable, Sendable {
  private let text: String
  /// The part that must be identical.
  private let exact: [UInt8]

  init(folded text: String) {
    self.text = text
    exact = []
  }

  init(folded text: String, exact: some StringProtocol) {
    self.text = text
    self.exact = Array(exact.utf8)
  }
}

extension ContactField.Values {
  /// Returns the key of a value: phone numbers by their letters, digits, `+ * #` (a leading `00` is `+`), email
  /// addresses with the domain in lower case, websites with scheme and host in lower case and without a `/` that is
  /// the whole path, social accounts by service and name, others by their text regardless of case.
  public func key(of item: LabeledValue) -> ValueKey {
    switch sameness {
    case .text: return ValueKey(folded: SameText.folded(item.value))
    case .handle: return ValueKey(folded: SameText.folded(item.label), exact: item.value)
    case .link: return Self.linkKey(item.value)
    case .email:
      guard let at = item.value.lastIndex(of: "@") else { return ValueKey(folded: "", exact: item.value) }
      return ValueKey(folded: item.value[at...].lowercased(), exact: item.value[..<at])
    case .phone:
      let number = Self.dialed(item.value)
      return number.isEmpty ? ValueKey(folded: "", exact: item.value) : ValueKey(folded: number)
    }
  }

  /// Returns the letters and digits of a phone number and `+ * #`, in lower case, a leading `00` as `+`.
  static func dialed(_ number: String) -> String {
    if number.utf8.allSatisfy({ $0 < 0x80 }) {
      let kept = number.utf8.compactMap { byte in
        isDialed(Unicode.Scalar(byte)) ? (0x41...0x5A).contains(byte) ? byte + 0x20 : byte : nil
      }
      let isInternational = kept.starts(with: "00".utf8)
      return (isInternational ? "+" : "") + String(decoding: kept.dropFirst(isInternational ? 2 : 0), as: UTF8.self)
    }
    var kept = String.UnicodeScalarView()
    for scalar in CompatibleForm.of(number).lowercased().unicodeScalars where isDialed(scalar) { kept.append(scalar) }
    let text = String(kept)
    return text.hasPrefix("00") ? "+" + text.dropFirst(2) : text
  }

  private static func isDialed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return switch scalar {
      case "0"..."9", "a"..."z", "A"..."Z", "+", "*", "#": true
      default: false
      }
    }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
    default: false
    }
  }

  private static func linkKey(_ link: String) -> ValueKey {
    guard let colon = link.firstIndex(of: ":") else { return ValueKey(folded: "", exact: link) }
    let scheme = link[..<colon].lowercased()
    guard let first = scheme.unicodeScalars.first, ("a"..."z").contains(first),
      scheme.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".contains(Character($0)))
      })
    else { return ValueKey(folded: "", exact: link) }
    let rest = link[link.index(after: colon)...]
    guard rest.hasPrefix("//") else { return ValueKey(folded: scheme, exact: rest) }
    let afterScheme = rest.dropFirst(2)
    let end = afterScheme.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? afterScheme.endIndex
    // The text before an @ is a name and a password, not the host.
    let host = afterScheme[..<end].lastIndex(of: "@").map { afterScheme.index(after: $0) } ?? afterScheme.startIndex
    let path = afterScheme[end...]
    return ValueKey(
      folded: scheme + "://" + afterScheme[host..<end].lowercased(),
      exact: afterScheme[..<host] + "\n" + (path == "/" ? "" : path))
  }
}

extension PostalAddress {
  /// The key of an address: all its parts, regardless of case.
  public var key: ValueKey {
    ValueKey(folded: AddressPart.inCardOrder.map { SameText.folded(self[$0]) }.joined(separator: "\n"))
  }
}

/// The identity of a contact whose card has no UID: the name, the phone numbers and the email addresses.
///
/// Names and email addresses are equal if they differ only in case and in runs of blanks, phone numbers if they have
/// the same digits and `+ * #`. A full name that consists of the parts of the name is equal to them in any order. Other
/// order, labels and repetitions are ignored.
public struct ContentKey: Hashable, Sendable {
  private let name: String
  private let phones: Set<String>
  private let emails: Set<String>

  /// Whether it contains more than a name.
  public var isStrong: Bool { !phones.isEmpty || !emails.isEmpty }

  /// Creates the key of a contact.
  public init(_ contact: Contact) {
    let isComposed = !contact.formattedName.isEmpty && contact.isFullNameComposed
    name = Self.folded(isComposed ? contact.composedName : contact.displayName)
    phones = Set(contact.phones.map { Self.dialed($0.value) }.filter { !$0.isEmpty })
    emails = Set(contact.emails.map { Self.folded($0.value) }.filter { !$0.isEmpty })
  }

  /// Returns the text with case folded and runs of blanks collapsed.
  public static func folded(_ text: String) -> String {
    text.lowercased().split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func dialed(_ number: String) -> String {
    let kept = number.unicodeScalars.filter { ("0"..."9").contains($0) || $0 == "+" || $0 == "*" || $0 == "#" }
    return kept.isEmpty ? folded(number) : String(String.UnicodeScalarView(kept))
  }
}

/// Comparisons of texts: by content, and exactly. The standard library's `==` is in between: it treats a composed
/// letter and its parts as equal.
enum SameText {
  /// Returns the text with every kind of line end as LF and without blanks at either end. Texts with equal content
  /// differ only in spelling.
  static func content(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) }
    var scalars = isPlain ? Array(text.unicodeScalars) : withOneLineEnd(text)
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
    return String(String.UnicodeScalarView(scalars[start...]))
  }

  /// Returns the content, with case folded and each run of blanks collapsed to one.
  static func folded(_ text: String) -> String {
    guard text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return text.uppercased().lowercased().split { $0.isWhitespace }.joined(separator: " ")
    }
    let hasRuns =
      text.utf8.first == 0x20 || text.utf8.last == 0x20
      || zip(text.utf8, text.utf8.dropFirst()).contains { $0 == 0x20 && $1 == 0x20 }
    return hasRuns ? text.lowercased().split(separator: " ").joined(separator: " ") : text.lowercased()
  }

  static func isSame(_ one: String, _ other: String) -> Bool {
    isExact(one, other) || content(one) == content(other)
  }

  /// Returns whether the texts are identical, scalar by scalar.
  static func isExact(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

  private static func withOneLineEnd(_ text: String) -> [Unicode.Scalar] {
    var scalars: [Unicode.Scalar] = []
    var follows: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { follows = scalar }
      switch scalar.value {
      case 0x0A where follows == "\r": continue
      case 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029: scalars.append("\n")
      default: scalars.append(scalar)
      }
    }
    return scalars
  }
}
