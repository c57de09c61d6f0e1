import Contacts
import Testing

/// Names as they are displayed, for each script and order.
struct NameStyleTests {
  private func contact(
    _ family: String, _ given: String, middle: String = "", prefix: String = "", suffix: String = "", full: String = ""
  ) -> Contact {
    var contact = Contact()
    (contact.family, contact.given, contact.middle) = (family, given, middle)
    (contact.prefix, contact.suffix, contact.formattedName) = (prefix, suffix, full)
    return contact
  }

  private static let reversed: NameStyle = {
    var style = NameStyle()
    (style.latin, style.han, style.kana, style.hangul) = (.family, .given, .given, .given)
    return style
  }()

  @Test(arguments: [
    ("Smith", "John", "John Smith", "Smith, John"), ("李", "小龙", "李小龙", "小龙 李"), ("홍", "길동", "홍길동", "길동 홍"),
    ("山田", "太郎", "山田太郎", "太郎 山田"), ("山田", "たろう", "山田たろう", "たろう 山田"), ("スミス", "ジョン", "ジョン スミス", "スミス, ジョン"),
    ("Толстой", "Лев", "Лев Толстой", "Толстой, Лев"), ("Li", "小龙", "小龙 Li", "Li, 小龙"), ("司马", "相如", "司马相如", "相如 司马"),
  ])
  func eachScriptHasItsOrder(family: String, given: String, standard: String, reversed: String) {
    let contact = contact(family, given)
    #expect(NameStyle().name(of: contact) == standard)
    #expect(Self.reversed.name(of: contact) == reversed)
  }

  @Test func prefixMiddleNameAndSuffixKeepTheirPositions() {
    let smith = contact("Smith", "John", middle: "A.", prefix: "Dr.", suffix: "Jr.")
    #expect(NameStyle().name(of: smith) == "Dr. John A. Smith Jr.")
    #expect(Self.reversed.name(of: smith) == "Smith, Dr. John A. Jr.")
    #expect(Self.reversed.name(of: contact("Smith", "John", suffix: ", PhD")) == "Smith, John, PhD")
  }

  @Test func aFullNameOfTheSamePartsIsRearranged() {
    #expect(NameStyle().name(of: contact("홍", "길동", full: "홍길동")) == "홍길동")
    #expect(Self.reversed.name(of: contact("홍", "길동", full: "홍길동")) == "길동 홍")
    #expect(NameStyle().name(of: contact("山田", "たろう", full: "山田 たろう")) == "山田たろう")
    #expect(Self.reversed.name(of: contact("山田", "太郎", full: "山田 太郎")) == "太郎 山田")
    #expect(Self.reversed.name(of: contact("Smith", "John", full: "John Smith")) == "Smith, John")
  }

  /// The list does not read the parts of such a name, and sorts it as it is stored.
  @Test(arguments: [("Smith", "John", "Smith, John"), ("Nagy", "János", "Nagy János"), ("山田", "太郎", "山田 太郎")])
  func aFullNameInAScriptWithTheStandardOrderIsShownAsItIs(family: String, given: String, full: String) {
    var hangulReversed = NameStyle()
    hangulReversed.hangul = .given
    for style in [NameStyle(), hangulReversed] {
      #expect(style.name(of: contact(family, given, full: full)) == full)
      #expect(style.composed(contact(family, given, full: full)) == nil)
    }
  }

  /// A name is shown unchanged if it is not composed of a given and a family name.
  @Test func anyOtherNameIsShownAsItIs() {
    #expect(Self.reversed.name(of: contact("Smith", "John", full: "Johnny")) == "Johnny")
    #expect(Self.reversed.name(of: contact("", "John")) == "John")
    #expect(Self.reversed.name(of: contact("", "", full: "John Smith")) == "John Smith")
    var company = contact("Smith", "John")
    company.kind = .organization
    company.organization = "Acme"
    #expect(Self.reversed.name(of: company) == "Acme")
  }

  /// The FN of a card is ``Contact/displayName``, which has no style.
  @Test func cardsDoNotDependOnTheNameStyle() {
    let korean = contact("홍", "길동")
    #expect(korean.displayName == "길동 홍" && korean.defaultName == "길동 홍")
  }

  @Test func matchesMoveWithTheirParts() throws {
    let smith = contact("Smith", "John", middle: "A.")
    let name = try #require(Self.reversed.composed(smith))
    #expect(name.text == "Smith, John A.")
    // Matches in "John A. Smith": "Joh", and "A. Smi", whose two parts are apart in the other order.
    #expect(name.ranges([0..<3], of: smith) == [7..<10])
    #expect(name.ranges([5..<11], of: smith) == [0..<3, 12..<14])
    let korean = contact("홍", "길동")
    #expect(try #require(NameStyle().composed(korean)).ranges([0..<2], of: korean) == [1..<3])
  }

  @Test func onlyNamesThatMayDifferNeedTheirParts() {
    #expect(
      !NameStyle().mayRearrange("John Smith") && !NameStyle().mayRearrange("李小龙") && !NameStyle().mayRearrange(""))
    #expect(NameStyle().mayRearrange("길동 홍") && NameStyle().mayRearrange("たろう 山田"))
    #expect(Self.reversed.mayRearrange("John Smith"))
  }
}
