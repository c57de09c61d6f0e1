/// Which part of a person's name is displayed first, for each script. It is a preference of one user: books and cards
/// do not depend on it.
public struct NameStyle: Hashable, Sendable {
  /// The part that comes first.
  public enum Order: String, CaseIterable, Hashable, Sendable {
    /// `John Smith`, `小龙 李`.
    case given = "given-first"
    /// `Smith, John`; without a comma or a blank where family names come first: `李小龙`.
    case family = "family-first"
  }

  /// Han characters only, like most Chinese names.
  public var han = Order.family
  /// Names with kana, also next to Han characters. Names written only in katakana, usually foreign, are not among them.
  public var kana = Order.family
  /// Names with Hangul, also next to Han characters.
  public var hangul = Order.family
  /// All other scripts.
  public var latin = Order.given

  /// Creates the standard style: family names first in Han, kana and Hangul, given names first otherwise.
  public init() {}

  /// Returns whether a name, as stored (``Contact/displayName``), may have to be rearranged for display. With the
  /// standard style, this is assumed only of names with kana or Hangul.
  public func mayRearrange(_ name: String) -> Bool {
    guard self == NameStyle() else { return true }
    return name.utf8.contains { $0 >= 0xE1 } && name.unicodeScalars.contains { Script.isKanaOrHangul($0) }
  }

  /// Returns the name to display: in this style if it is made from its parts, otherwise ``Contact/displayName``.
  public func name(of contact: Contact) -> String { composed(contact)?.text ?? contact.displayName }

  /// Returns the name made from its parts in this style; nil for an organization, for a name without a family name or a
  /// given name, for a full name that is not just these parts in some order, and for a script whose names are displayed
  /// as they are stored, such as `Smith, John` in the standard style.
  public func composed(_ contact: Contact) -> ComposedName? {
    guard contact.kind == .person, !contact.family.isEmpty, !contact.given.isEmpty else { return nil }
    let script = Script(contact.family + contact.given)
    guard rearranges(script) else { return nil }
    let name = ComposedName(contact, arrangement(in: script))
    let shown = contact.displayName
    return name.text == shown || ComposedName.all(contact).contains { $0.text == shown } ? name : nil
  }

  /// Names in kana and Hangul are stored with the given name first, those of other scripts in the standard order.
  private func rearranges(_ script: Script) -> Bool {
    script == .kana || script == .hangul || order(in: script) != NameStyle().order(in: script)
  }

  private func arrangement(in script: Script) -> ComposedName.Arrangement {
    order(in: script) == .given ? .givenFirst : script == .other ? .familyComma : .familyFirst
  }

  private func order(in script: Script) -> Order {
    switch script {
    case .han: han
    case .kana: kana
    case .hangul: hangul
    case .other: latin
    }
  }

  private enum Script {
    case han, kana, hangul, other

    static func isKanaOrHangul(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x1100...0x11FF, 0x3041...0x30FF, 0x3130...0x318F, 0xAC00...0xD7A3, 0xFF66...0xFF9D: true
      default: false
      }
    }

    init(_ text: String) {
      var (hiragana, katakana, han, hangul) = (false, false, false, false)
      for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x3041...0x309F: hiragana = true
        case 0x30FC: break  // the prolonged sound mark, in both kana
        case 0x30A1...0x30FA, 0x30FD...0x30FF, 0xFF66...0xFF9D: katakana = true
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3: hangul = true
        // Blanks, and the middle dot between the parts of foreign names.
        case 0x20, 0x3000, 0xB7, 0x30FB: break
        default:
          guard scalar.properties.isIdeographic else {
            self = .other
            return
          }
          han = true
        }
      }
      self = hangul ? .hangul : hiragana || (katakana && han) ? .kana : han && !katakana ? .han : .other
    }
  }
}

/// A name made from its parts, with their positions.
public struct ComposedName: Hashable, Sendable {
  enum Arrangement: CaseIterable {
    /// `Dr. John A. Smith Jr.`
    case givenFirst
    /// `李小龙`
    case familyFirst
    /// `山田 太郎`
    case familySpaced
    /// `Smith, Dr. John A. Jr.`
    case familyComma
  }

  /// The name.
  public private(set) var text = ""
  /// The range of code points of each part: prefix, given, middle, family, suffix.
  private var parts: [Range<Int>]

  init(_ contact: Contact, _ arrangement: Arrangement) {
    parts = Array(repeating: 0..<0, count: 5)
    let texts = [contact.prefix, contact.given, contact.middle, contact.family, contact.suffix]
    var count = 0
    func append(_ part: Int, after separator: String, to name: inout ComposedName) {
      guard !texts[part].isEmpty else { return }
      let added = (name.text.isEmpty ? "" : separator) + texts[part]
      name.text += added
      count += added.unicodeScalars.count
      name.parts[part] = count - texts[part].unicodeScalars.count..<count
    }
    let order: [(part: Int, separator: String)] =
      switch arrangement {
      case .givenFirst: [(0, " "), (1, " "), (2, " "), (3, " ")]
      case .familyFirst: [(0, " "), (3, " "), (2, ""), (1, "")]
      case .familySpaced: [(0, " "), (3, " "), (1, " "), (2, " ")]
      case .familyComma:
        [(3, "")] + [0, 1, 2].filter { !texts[$0].isEmpty }.enumerated().map { ($1, $0 == 0 ? ", " : " ") }
      }
    for (part, separator) in order { append(part, after: separator, to: &self) }
    append(4, after: contact.suffix.first == "," ? "" : " ", to: &self)
  }

  static func all(_ contact: Contact) -> [ComposedName] { Arrangement.allCases.map { ComposedName(contact, $0) } }

  /// Converts ranges of the contact's ``Contact/displayName``, such as matches, to ranges of this name.
  public func ranges(_ ranges: [Range<Int>], of contact: Contact) -> [Range<Int>] {
    let shown = contact.displayName
    guard text != shown, let old = Self.all(contact).first(where: { $0.text == shown }) else { return ranges }
    let moved = ranges.flatMap { range in
      zip(old.parts, parts).compactMap { before, after -> Range<Int>? in
        let common = range.clamped(to: before)
        guard !common.isEmpty else { return nil }
        let shift = after.lowerBound - before.lowerBound
        return common.lowerBound + shift..<common.upperBound + shift
      }
    }
    return moved.sorted { $0.lowerBound < $1.lowerBound }
  }
}
