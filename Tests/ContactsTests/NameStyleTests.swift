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
    #expect(Self.reversed.name(of: contact("홍", "길동", full: "홍길동")) == "길동 홍")
    #expect(Self.reversed.name(of: contact("山田", "太郎", full: "山田 太郎")) == "太郎 山田")
    #expect(Self.reversed.name(of: contact("Smith", "John", full: "John Smith")) == "Smith, John")
  }

  /// The list does not read the parts of such a name, and sorts it as it is stored.
  @Test(arguments: [
    ("Smith", "John", "Smith, John"), ("Nagy", "János", "Nagy János"), ("山田", "太郎", "山田 太郎"), ("홍", "길동", "길동 홍"),
    ("山田", "たろう", "山田 たろう"),
  ])
  func aFullNameInAScriptWithTheStandardOrderIsShownAsItIs(family: String, given: String, full: String) {
    var otherReversed = NameStyle()
    if full.utf8.allSatisfy({ $0 < 0xE0 }) { otherReversed.hangul = .given } else { otherReversed.latin = .family }
    for style in [NameStyle(), otherReversed] {
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

  /// The command line, the FN of a card and the search have the name that the standard style displays.
  @Test(arguments: [
    ("홍", "길동", "홍길동"), ("남궁", "민수", "남궁민수"), ("やまだ", "たろう", "やまだたろう"), ("鈴木", "イチロー", "鈴木イチロー"),
    ("一ノ瀬", "颯", "一ノ瀬颯"), ("佐々木", "太郎", "佐々木太郎"), ("木村", "奈々", "木村奈々"), ("茂ヶ崎", "実", "茂ヶ崎実"),
    ("〇", "一", "〇一"), ("⼭田", "次郎", "⼭田次郎"), ("山本", "三郎\u{3000}", "山本三郎\u{3000}"), ("葛\u{E0100}城", "一", "葛\u{E0100}城一"),
    ("マルティネス", "カルロス", "カルロス マルティネス"), ("Kim", "철수", "철수 Kim"), ("Smith", "John", "John Smith"),
  ])
  func oneRuleJoinsTheParts(family: String, given: String, name: String) {
    var contact = contact(family, given)
    #expect(contact.composedName == name && contact.displayName == name && NameStyle().name(of: contact) == name)
    contact.setFullName(name)
    #expect(contact.formattedName.isEmpty)
  }

  @Test func aPrefixIsApart() {
    #expect(contact("홍", "길동", prefix: "Dr.", suffix: "Jr.").composedName == "Dr. 홍길동 Jr.")
    #expect(contact("", "小明", middle: "大", prefix: "Dr.").composedName == "Dr. 大小明")
  }

  @Test func matchesMoveWithTheirParts() throws {
    let smith = contact("Smith", "John", middle: "A.")
    let name = try #require(Self.reversed.composed(smith))
    #expect(name.text == "Smith, John A.")
    // Matches in "John A. Smith": "Joh", and "A. Smi", whose two parts are apart in the other order.
    #expect(name.ranges([0..<3], of: smith) == [7..<10])
    #expect(name.ranges([5..<11], of: smith) == [0..<3, 12..<14])
    let korean = contact("홍", "길동")
    #expect(try #require(Self.reversed.composed(korean)).ranges([1..<3], of: korean) == [0..<2])
  }
}
