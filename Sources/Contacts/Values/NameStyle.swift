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

  /// Returns the name to display: in this style if it is made from its parts, otherwise ``Contact/displayName``.
  public func name(of contact: Contact) -> String { composed(contact)?.text ?? contact.displayName }

  /// Returns the name made from its parts in this style; nil for an organization, for a name without a family name or a
  /// given name, for a full name that is not just these parts in some order, and for a script whose names are displayed
  /// as they are stored, such as `Smith, John` in the standard style.
  public func composed(_ contact: Contact) -> ComposedName? {
    guard contact.kind == .person, !contact.family.isEmpty, !contact.given.isEmpty else { return nil }
    let script = NameScript(contact)
    guard order(in: script) != NameStyle().order(in: script) else { return nil }
    return contact.isFullNameComposed ? ComposedName(contact, arrangement(in: script)) : nil
  }

  func arrangement(in script: NameScript) -> ComposedName.Arrangement {
    order(in: script) == .given ? .givenFirst : script == .other ? .familyComma : .familyFirst
  }

  private func order(in script: NameScript) -> Order {
    switch script {
    case .han: han
    case .kana: kana
    case .hangul: hangul
    case .other: latin
    }
  }
}

/// The script of a name's family and given name, which decides how they are joined.
enum NameScript {
  case han, kana, hangul, other

  init(_ contact: Contact) {
    var found = Found()
    self = found.add(contact.family) && found.add(contact.given) ? found.script : .other
  }

  private struct Found {
    private var (hiragana, katakana, han, hangul) = (false, false, false, false)

    var script: NameScript {
      hangul ? .hangul : hiragana || (katakana && han) ? .kana : han && !katakana ? .han : .other
    }

    /// Returns false for a text with a letter of another script; the rest is then not looked at.
    mutating func add(_ text: String) -> Bool {
      for scalar in text.unicodeScalars {
        switch scalar.value {
        // Blanks, and the middle dot between the parts of foreign names.
        case 0x20, 0xA0, 0x3000, 0xB7, 0x30FB: break
        case 0..<0x1100: return false
        case 0x4E00...0x9FFF: han = true
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xFFA0...0xFFDC: hangul = true
        case 0x3041...0x309F: hiragana = true
        // The prolonged sound mark, in both kana, and the small ヵ and ヶ of names in kanji, such as 茂ヶ崎.
        case 0x30FC, 0x30F5, 0x30F6: break
        case 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: katakana = true
        // Radicals, which some programs write for characters, and the marks 々 and 〻, which repeat one.
        case 0x2E80...0x2FDF, 0x3005, 0x303B: han = true
        // Variation selectors, which choose a shape of the character before.
        case 0xFE00...0xFE0F, 0xE0100...0xE01EF: break
        default:
          guard scalar.properties.isIdeographic else { return false }
          han = true
        }
      }
      return true
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

    /// Calls `body` with each part of a name that is not empty, by its index in ``ComposedName/parts``, in order, and
    /// with what separates it from the one before.
    func forEachPart(of contact: Contact, _ body: (_ part: Int, _ separator: String, _ text: String) -> Void) {
      var last: Int?
      func add(_ part: Int, _ text: String) {
        if text.isEmpty { return }
        let separator =
          switch (last, part) {
          case (nil, _): ""
          case (_, 4): text.first == "," ? "" : " "
          case (0, _): " "
          default: self == .familyFirst ? "" : self == .familyComma && last == 3 ? ", " : " "
          }
        body(part, separator, text)
        last = part
      }
      if self == .familyComma { add(3, contact.family) }
      add(0, contact.prefix)
      switch self {
      case .givenFirst:
        add(1, contact.given)
        add(2, contact.middle)
        add(3, contact.family)
      case .familyFirst:
        add(3, contact.family)
        add(2, contact.middle)
        add(1, contact.given)
      case .familySpaced, .familyComma:
        if self == .familySpaced { add(3, contact.family) }
        add(1, contact.given)
        add(2, contact.middle)
      }
      add(4, contact.suffix)
    }
  }

  /// The name.
  public private(set) var text = ""
  /// The range of code points of each part: prefix, given, middle, family, suffix.
  private var parts: [Range<Int>]

  init(_ contact: Contact, _ arrangement: Arrangement) {
    parts = Array(repeating: 0..<0, count: 5)
    var count = 0
    arrangement.forEachPart(of: contact) { part, separator, text in
      self.text += separator + text
      let start = count + separator.unicodeScalars.count
      count = start + text.unicodeScalars.count
      parts[part] = start..<count
    }
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
