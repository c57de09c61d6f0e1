import Testing

@testable import Contacts

struct AnniversaryTests {
  private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CalendarDay {
    try #require(CalendarDay(year: year, month: month, day: day))
  }

  private func anniversary(_ date: String, _ today: CalendarDay) throws -> Anniversary {
    Anniversary(of: try #require(PartialDate(date)), on: today)
  }

  @Test func daysAreCountedWithoutGaps() throws {
    #expect(try day(1970, 1, 1).number == 0)
    #expect(try day(2000, 3, 1).number == 11_017)
    #expect(try day(1969, 12, 31).number == -1)
    var expected = try day(1, 1, 1).number
    for year in 1...2401 {
      for month in 1...12 {
        for number in 1...31 {
          guard let day = CalendarDay(year: year, month: month, day: number) else { continue }
          guard day.number == expected else {
            Issue.record("\(day): \(day.number), not \(expected)")
            return
          }
          expected += 1
        }
      }
    }
  }

  @Test func theAgeAndTheNextAgeAreCounted() throws {
    let today = try day(2026, 11, 21)
    let lee = try anniversary("1940-11-27", today)
    #expect(lee.years == 85 && lee.ageAtNext == 86 && lee.daysUntilNext == 6)
    let now = try anniversary("1940-11-21", today)
    #expect(now.years == 86 && now.ageAtNext == 86 && now.daysUntilNext == 0)
    let yesterday = try anniversary("1940-11-20", today)
    #expect(yesterday.years == 86 && yesterday.ageAtNext == 87 && yesterday.daysUntilNext == 364)
    #expect(try yesterday.next == day(2027, 11, 20))
  }

  @Test func withoutAYearThereIsNoAge() throws {
    let found = try anniversary("--11-26", try day(2026, 11, 21))
    #expect(found.years == nil && found.ageAtNext == nil && found.daysUntilNext == 5)
  }

  @Test func theLeapDayIsThe28thInOtherYears() throws {
    #expect(try anniversary("--02-29", try day(2027, 2, 27)).next == day(2027, 2, 28))
    #expect(try anniversary("--02-29", try day(2027, 3, 1)).next == day(2028, 2, 29))
    #expect(try anniversary("--02-29", try day(2028, 2, 28)).daysUntilNext == 1)
    let leap = try anniversary("2000-02-29", try day(2027, 2, 28))
    #expect(leap.years == 27 && leap.daysUntilNext == 0)
  }

  @Test func aFutureDateHasNoAge() throws {
    let future = try anniversary("2030-01-01", try day(2026, 12, 31))
    #expect(try future.next == day(2030, 1, 1))
    #expect(future.years == nil && future.ageAtNext == 0 && future.daysUntilNext == 1097)
    let soon = try anniversary("2026-12-31", try day(2026, 11, 30))
    #expect(soon.years == nil && soon.ageAtNext == 0 && soon.daysUntilNext == 31)
    let born = try anniversary("2026-11-30", try day(2026, 11, 30))
    #expect(born.years == 0 && born.ageAtNext == 0 && born.daysUntilNext == 0)
  }
}
