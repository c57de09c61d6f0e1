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
