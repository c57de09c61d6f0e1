import AddressBookModel
import Contacts
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

  /// Laid out in full, ten megabytes took seconds and hundreds of megabytes.
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

  @Test func addressesAreWrittenAsOnAnEnvelope() {
    let beijing = PostalAddress(
      street: "长安街1号", city: "北京市", region: "北京", postalCode: "100000", country: "中国")
    #expect(AddressText.lines(of: beijing) == ["中国 100000", "北京市长安街1号"])
    let berlin = PostalAddress(
      street: "Hauptstraße 1\nHinterhaus", city: "Berlin", postalCode: "10115", country: "Germany")
    #expect(AddressText.lines(of: berlin) == ["Hauptstraße 1", "Hinterhaus", "Berlin 10115", "Germany"])
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

  @Test func theDetailShowsEveryField() throws {
    var contact = Contact()
    contact.family = "李"
    contact.given = "小龙"
    contact.organization = "Golden Harvest"
    contact.title = "Actor"
    contact.groups = ["Friends", "Hong Kong"]
    contact.phones = [LabeledValue(label: "mobile", value: "13922223333"), LabeledValue(label: "Dojo", value: "1")]
    contact.emails = [LabeledValue(value: "lee@example.com")]
    contact.birthday = PartialDate("1940-11-27")
    contact.note = "Be water.\nMy friend."
    let lines = DetailLines(strings: english, today: today).lines(for: contact)
    let text = lines.map { [$0.label, $0.text].filter { !$0.isEmpty }.joined(separator: ": ") }
    #expect(
      text == [
        "李小龙", "lǐ xiǎo lóng", "Actor · Golden Harvest", "Friends · Hong Kong", "", "mobile: 139 2222 3333", "Dojo: 1",
        "",
        "email: lee@example.com", "", "birthday: 27 November 1940 · 85 years old, turns 86 in 6 days", "",
        "note: Be water.\nMy friend.",
      ])
  }

  @Test func anInvisibleNameGetsAPlaceholder() {
    var contact = Contact()
    contact.formattedName = "\u{200B}"
    #expect(DetailLines(strings: english, today: today).lines(for: contact).first?.text == "(no name)")
  }
}
