import AddressBookModel
import Contacts
import Messages
import Testing

@testable import AddressBookTUI

/// Ages and remaining days in the detail.
@MainActor
struct BirthdayTextTests {
  private let today = CalendarDay(at: Clock.noon)

  private func text(
    _ date: String, _ occasion: DateText.Occasion = .birthday, _ language: Language = .english
  ) throws -> String {
    var contact = Contact()
    let day = try #require(PartialDate(date))
    if occasion == .birthday { contact.birthday = day } else { contact.dates = [LabeledValue(value: day.iso)] }
    return try #require(
      DetailLines(strings: Strings(Localization(language: language)), today: today).lines(for: contact).last?.text)
  }

  @Test func inEnglish() throws {
    #expect(try text("1940-11-27") == "27 November 1940 · 85 years old, turns 86 in 6 days")
    #expect(try text("1940-11-21") == "21 November 1940 · turns 86 today")
    #expect(try text("1940-11-22") == "22 November 1940 · 85 years old, turns 86 tomorrow")
    #expect(try text("--11-27") == "27 November · in 6 days")
    #expect(try text("--02-29") == "29 February · in 99 days")
    #expect(try text("2026-11-01") == "1 November 2026 · turns 1 in 345 days")
    #expect(try text("2025-11-22") == "22 November 2025 · turns 1 tomorrow")
    #expect(try text("2030-01-01", .event) == "1 January 2030 · in 1,137 days")
    #expect(try text("2020-12-11", .event) == "11 December 2020 · 5 years ago, 6-year anniversary in 20 days")
    #expect(try text("2024-11-23", .event) == "23 November 2024 · 1 year ago, 2-year anniversary in 2 days")
    #expect(try text("2020-11-21", .event) == "21 November 2020 · 6-year anniversary today")
    #expect(try text("2025-11-22", .event) == "22 November 2025 · 1-year anniversary tomorrow")
  }

  @Test func inChinese() throws {
    #expect(try text("1940-11-27", .birthday, .simplifiedChinese) == "1940年11月27日 · 85岁，6天后满86岁")
    #expect(try text("1940-11-21", .birthday, .simplifiedChinese) == "1940年11月21日 · 今天满86岁")
    #expect(try text("--02-29", .birthday, .simplifiedChinese) == "2月29日 · 99天后")
    #expect(try text("2010-11-22", .event, .simplifiedChinese) == "2010年11月22日 · 已满15年，明天满16周年")
    #expect(try text("2010-11-21", .event, .simplifiedChinese) == "2010年11月21日 · 今天满16周年")
  }

  @Test func aNarrowPanePutsTheAgeOnALineOfItsOwn() throws {
    var contact = Contact()
    contact.birthday = PartialDate("1940-11-27")
    let lines = DetailLines(strings: Strings(Localization(language: .english)), today: today).lines(for: contact)
    let view = DetailView(theme: .monochrome)
    #expect(view.layOut(lines, columns: 61).lines.last?.text == "27 November 1940 · 85 years old, turns 86 in 6 days")
    #expect(
      view.layOut(lines, columns: 60).lines.suffix(2).map(\.text) == [
        "27 November 1940", "85 years old, turns 86 in 6 days",
      ])
  }

  @Test func theDayChangesWhileTheProgramRuns() throws {
    let harness = try ScreenHarness(rows: 40, columns: 120, ScreenPeople.few)
    harness.press("' l j")
    #expect(harness.screen.contains("86 in 6 days"))
    harness.clock.moment += 86_400
    #expect(harness.screen.contains("86 in 6 days"), "drawing does not look at the clock")
    harness.midnight.advanceTime()
    #expect(harness.screen.contains("86 in 5 days"), "the timer at midnight looks at it")
    harness.clock.moment += 4 * 86_400
    harness.press("^L")
    #expect(harness.screen.contains("86 tomorrow"), "so does every key")
    harness.clock.moment += 86_400
    harness.midnight.advanceTime()
    #expect(harness.screen.contains("turns 86 today"), "the timer was set again")
  }
}
