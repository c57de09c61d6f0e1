import AddressBookModel
import Contacts
import Messages
import Testing

@testable import AddressBookTUI

struct DetailTextTests {
  private let english = Strings(Localization(language: .english))
  private let chinese = Strings(Localization(language: .simplifiedChinese))

  private let today = CalendarDay(at: Clock.noon)

  @Test(arguments: [
    ("13912345678", "139 1234 5678"), ("+8613912345678", "+86 139 1234 5678"), ("138-1234-5678", "138-1234-5678"),
    ("110", "110"), ("62345678", "6234 5678"), ("4155552671", "415 555 2671"), ("+4916012345", "+4916012345"),
    ("ext 5", "ext 5"), ("", ""),
  ])
  func phoneNumbersAreGroupedForReading(number: String, expected: String) {
    #expect(PhoneText.grouped(number) == expected)
  }

  @Test func daysAreWrittenInTheLanguage() throws {
    let day = try #require(PartialDate("1940-11-27"))
    let leap = try #require(PartialDate("--02-29"))
    #expect(DateText(strings: english).text(of: day) == "27 November 1940")
    #expect(DateText(strings: english).text(of: leap) == "29 February")
    #expect(DateText(strings: chinese).text(of: day) == "1940年11月27日")
    #expect(DateText(strings: chinese).text(of: leap) == "2月29日")
  }

  /// Laying out ten megabytes in full would take seconds, and hundreds of megabytes of memory.
  @Test(arguments: ["line of text\n", "李小龙", "x"])
  func aVeryLongNoteIsCut(pattern: String) throws {
    var contact = Contact()
    contact.note = String(repeating: pattern, count: 10_000_000 / pattern.utf8.count)
    let lines = DetailLines(strings: english, today: today).lines(for: contact)
    let note = try #require(lines.first { $0.label == "note" })
    #expect(note.text.utf8.count <= DetailLines.noteLimit && note.text.utf8.count > DetailLines.noteLimit - 4)
    #expect(contact.note.hasPrefix(note.text))
    #expect(lines.last?.text == "The note continues. Edit the contact to see all of it.")
    contact.note = String(contact.note.prefix(10))
    #expect(DetailLines(strings: english, today: today).lines(for: contact).last?.text == contact.note)
  }

  @Test func aFieldOfTheUsersOwnHasItsOwnName() {
    var contact = Contact()
    contact.custom = [LabeledValue(label: "shirt size", value: "Large"), LabeledValue(value: "7")]
    for (strings, name) in [(english, "own field"), (chinese, "自定义字段")] {
      let lines = DetailLines(strings: strings, today: today).lines(for: contact)
      #expect(lines.map(\.text).contains("Large") && lines.map(\.text).contains("7"))
      #expect(lines.first { $0.text == "Large" }?.label == "shirt size")
      #expect(lines.first { $0.text == "7" }?.label == name)
    }
  }

  @Test func addressesAreWrittenAsOnAnEnvelope() {
    let beijing = PostalAddress(
      street: "长安街1号", city: "北京市", region: "北京", postalCode: "100000", country: "中国")
    #expect(AddressText.lines(of: beijing) == ["中国 100000", "北京市长安街1号"])
    let jilin = [("吉林", "吉林市", "吉林吉林市"), ("吉林省", "吉林市", "吉林省吉林市"), ("吉林", "长春市", "吉林长春市")]
    for (region, city, line) in jilin {
      #expect(AddressText.lines(of: PostalAddress(city: city, region: region)) == [line])
    }
    let berlin = PostalAddress(
      street: "Hauptstraße 1\nHinterhaus", city: "Berlin", postalCode: "10115", country: "Germany")
    #expect(AddressText.lines(of: berlin) == ["Hauptstraße 1", "Hinterhaus", "10115 Berlin", "Germany"])
    let tokyo = PostalAddress(
      street: "千代田1-1", city: "千代田区", region: "東京都", postalCode: "100-0001", country: "日本")
    #expect(AddressText.lines(of: tokyo) == ["日本 〒100-0001", "東京都千代田区千代田1-1"])
    let seoul = PostalAddress(
      street: "세종대로 110", city: "중구", region: "서울특별시", postalCode: "04524", country: "대한민국")
    #expect(AddressText.lines(of: seoul) == ["대한민국", "서울특별시 중구", "세종대로 110", "04524"])
  }

  /// Between the street and the name of the country, each country orders city, region and postal code in its own way.
  @Test(
    arguments: [
      ("", ["Town, Region 123"]), ("Nowhere", ["Town, Region 123"]), ("USA", ["Town, Region 123"]),
      ("Deutschland", ["123 Town", "Region"]), ("  the  NETHERLANDS ", ["123 Town", "Region"]),
      ("德国", ["123 Town", "Region"]),
      ("it", ["123 Town Region"]), ("Mexico", ["123 Town, Region"]), ("Türkiye", ["123 Town/Region"]),
      ("Argentina", ["123 Town", "Region"]), ("Canada", ["Town Region 123"]), ("New Zealand", ["Town 123", "Region"]),
      ("India", ["Town 123", "Region"]), ("Indonesia", ["Town", "Region 123"]), ("Brasil", ["Town-Region", "123"]),
      ("Japan", ["Town, Region", "123"]), ("United Kingdom", ["Town", "Region", "123"]),
      ("Россия", ["Town", "Region", "123"]), ("Thailand", ["Town", "Region 123"]), ("菲律宾", ["Town", "123 Region"]),
      ("Vietnam", ["Town", "Region 123"]), ("Pakistan", ["Town-123", "Region"]), ("Colombia", ["Town, Region, 123"]),
      ("South Africa", ["Town", "123", "Region"]), ("Egypt", ["Town", "Region", "123"]),
      ("China", ["Town", "Region, 123"]),
    ])
  func eachCountryHasItsOrder(country: String, lines: [String]) {
    let address = PostalAddress(street: "1 Road", city: "Town", region: "Region", postalCode: "123", country: country)
    #expect(AddressText.lines(of: address) == ["1 Road"] + lines + (country.isEmpty ? [] : [country]))
  }

  @Test func someCountriesDoNotWriteTheStreetFirst() {
    func lines(_ country: String) -> [String] {
      AddressText.lines(
        of: PostalAddress(
          extended: "2. em.", street: "Fő utca 1.", city: "Budapest", region: "Pest", postalCode: "1011",
          country: country))
    }
    #expect(lines("Magyarország") == ["Budapest", "2. em.", "Fő utca 1.", "1011", "Pest", "Magyarország"])
    #expect(lines("Iran") == ["Pest", "Budapest", "2. em.", "Fő utca 1.", "1011", "Iran"])
    #expect(lines("Kazakhstan") == ["1011", "Pest", "Budapest", "2. em.", "Fő utca 1.", "Kazakhstan"])
  }

  @Test(arguments: [
    "", "Germany", "Italy", "Mexico", "Turkey", "Chile", "Canada", "Israel", "India", "Brazil", "UK", "Japan",
    "Hungary", "Guatemala", "Belarus", "Bangladesh", "Venezuela", "Kazakhstan", "Iran",
  ])
  func noPartIsLostAndNoSeparatorIsLeft(country: String) {
    for bits in 0..<8 {
      let address = PostalAddress(
        city: bits & 1 == 0 ? "" : "Town", region: bits & 2 == 0 ? "" : "Region",
        postalCode: bits & 4 == 0 ? "" : "123")
      var typed = address
      typed.country = country
      let lines = AddressText.lines(of: typed).filter { $0 != country }
      let words = lines.joined(separator: " ").split(whereSeparator: { " ,-/".contains($0) }).map(String.init)
      #expect(Set(words) == Set([address.city, address.region, address.postalCode].filter { !$0.isEmpty }))
      for line in lines { #expect(line.first?.isLetter == true || line.first?.isNumber == true, "\(line)") }
      for line in lines { #expect(line.last?.isLetter == true || line.last?.isNumber == true, "\(line)") }
    }
    // A city that is its own region is written once.
    let berlin = PostalAddress(city: "Berlin", region: "Berlin", postalCode: "10115", country: "Germany")
    #expect(AddressText.lines(of: berlin) == ["10115 Berlin", "Germany"])
  }

  @Test func phoneticNamesReplaceTheGuessedPinyin() {
    var contact = Contact()
    contact.family = "覃"
    contact.given = "海洋"
    func subtitle() -> String? {
      DetailLines(strings: english, today: today).lines(for: contact).first { $0.role == .subtitle }?.text
    }
    contact.phoneticFamily = "Qin"
    #expect(subtitle() == "qín hǎi yáng")
    contact.phoneticFamily = "tán"
    #expect(subtitle() == "tán hǎi yáng")
    contact.phoneticFamily = "Chum"
    #expect(subtitle() == "Chum")
  }

  @Test func theDetailShowsTheFieldsInTheirOrder() throws {
    var contact = Contact()
    contact.family = "李"
    contact.given = "小龙"
    contact.nickname = "Bruce"
    contact.organization = "Golden Harvest"
    contact.department = "Stunts"
    contact.title = "Actor"
    contact.groups = ["Friends", "Hong Kong"]
    contact.phones = [LabeledValue(label: "mobile", value: "13922223333"), LabeledValue(label: "Dojo", value: "1")]
    contact.emails = [LabeledValue(value: "lee@example.com")]
    contact.urls = [LabeledValue(label: "blog", value: "https://lee.example.com")]
    contact.addresses = [
      PostalAddress(label: "home", street: "41 Cumberland Road", city: "Kowloon", country: "Hong Kong")
    ]
    contact.birthday = PartialDate("1940-11-27")
    contact.dates = [LabeledValue(label: "anniversary", value: "1964-08-17"), LabeledValue(value: "in spring")]
    contact.handles = [LabeledValue(label: "wechat", value: "dragon")]
    contact.related = [LabeledValue(label: "spouse", value: "Linda")]
    contact.note = "Be water.\nMy friend."
    let lines = DetailLines(strings: english, today: today).lines(for: contact)
    let text = lines.map { [$0.label, $0.text].filter { !$0.isEmpty }.joined(separator: ": ") }
    #expect(
      text == [
        "李小龙", "lǐ xiǎo lóng", "Actor · Stunts · Golden Harvest", "Friends · Hong Kong", "", "mobile: 139 2222 3333",
        "Dojo: 1", "", "email: lee@example.com", "", "blog: https://lee.example.com", "",
        "home: 41 Cumberland Road\nKowloon\nHong Kong", "",
        "birthday: 27 November 1940 · 85 years old, turns 86 in 6 days",
        "anniversary: 17 August 1964 · 62 years ago, 63-year anniversary in 269 days", "date: in spring", "",
        "WeChat: dragon", "",
        "spouse: Linda", "", "nickname: Bruce", "", "note: Be water.\nMy friend.",
      ])
  }

  @Test(arguments: ContactFields.standard.texts.map(\.name)) func everyTextFieldIsShown(name: String) throws {
    var contact = Contact()
    let field = try #require(ContactFields.standard.texts.first { $0.name == name })
    contact[field] = "text of the field"
    let lines = DetailLines(strings: english, today: today).lines(for: contact)
    #expect(lines.contains { $0.text.contains("text of the field") })
  }

  @Test func anInvisibleNameGetsAPlaceholder() {
    var contact = Contact()
    contact.formattedName = "\u{200B}"
    #expect(DetailLines(strings: english, today: today).lines(for: contact).first?.text == "(no name)")
  }
}
