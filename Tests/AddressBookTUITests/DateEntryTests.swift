import AddressBookModel
import Contacts
import Messages
import Testing

@testable import AddressBookTUI

struct DateEntryTests {
  @Test(arguments: [
    ("1992-02-29", "1992-02-29"), ("--02-29", "--02-29"), ("29 Feb", "--02-29"), ("29 february", "--02-29"),
    ("Feb 29", "--02-29"), ("feb 29th", "--02-29"), ("Feb. 29, 1992", "1992-02-29"), ("29 Feb 1992", "1992-02-29"),
    ("1992 Feb 29", "1992-02-29"), ("1 Sept 2001", "2001-09-01"), ("29.2.", "--02-29"), ("3.4.1990", "1990-04-03"),
    ("1990/3/4", "1990-03-04"), ("1990.3.4", "1990-03-04"), ("1990-3-4", "1990-03-04"), ("2/29", "--02-29"),
    ("29/2/1992", "1992-02-29"), ("5-5", "--05-05"), ("1992年2月29日", "1992-02-29"), ("2月29日", "--02-29"),
    ("2月29号", "--02-29"), ("1992 年 2 月 29 日", "1992-02-29"), ("2 月 29 号", "--02-29"), ("２月２９日", "--02-29"),
    ("19920229", "1992-02-29"),
  ])
  func datesAreRead(text: String, expected: String) {
    #expect((DateEntry().day(text)?.iso ?? "") == expected, "\(text)")
  }

  @Test(arguments: [
    "", "x", "Feb", "29", "1992", "3/4", "3-4-90", "29 Feb 1993", "30 Feb", "2月30日", "31.4.", "Ma 3", "Feb Mar 3",
    "29 Feb 92", "1992-02-29-1", "29 Feb 1992 7", "99999999999999999999 Feb", "1.2.3.4", "13/13", "二月三日", "-", "月日",
    "0 Feb", "Feb 0", "1/1992/2", "92 年 2 月 29 日", "2 月 29 日 本", "٣ Feb\u{0}",
  ])
  func invalidOrAmbiguousDatesAreNotRead(text: String) {
    #expect(DateEntry().day(text) == nil, "\(text)")
  }

  @Test func theLanguageDecidesTheOrderOfNumericDates() {
    let chinese = DateEntry(Strings(Localization(language: .simplifiedChinese)))
    for text in ["12.3", "12/3", "12-3", "12月3日"] { #expect(chinese.day(text)?.iso == "--12-03", "\(text)") }
    #expect(chinese.day("29.2")?.iso == "--02-29", "that can only be the day first")
    #expect(chinese.day("Feb 3")?.iso == "--02-03")
    let english = DateEntry(Strings(Localization(language: .english)))
    #expect(english.day("12.3")?.iso == "--03-12")
    #expect(english.day("12/3") == nil)
  }

  /// A year of fewer than four digits would be ambiguous beside the name of a month, so the form shows the ISO date.
  @Test func everyDateIsParsedAsItIsShown() throws {
    for language in Language.allCases {
      let strings = Strings(Localization(language: language))
      let entry = DateEntry(strings)
      for month in 1...12 {
        for day in 1...31 {
          for year in [nil, 1992, 4, 9999] {
            guard let date = PartialDate(year: year, month: month, day: day) else { continue }
            let text = entry.text(of: date)
            #expect(entry.day(text) == date, "\(text)")
            #expect(text == (year == 4 ? date.iso : DateText(strings: strings).text(of: date)))
          }
        }
      }
    }
  }
}
