import AddressBookModel
import Contacts
import Testing

struct LocalDayTests {
  @Test func aDayEndsAtMidnight() throws {
    let moment = 1_795_262_400  // 2026-11-21 12:00 UTC; the zone of the test is not known
    let left = CalendarDay.secondsToMidnight(from: moment)
    #expect((1...86_400).contains(left))
    #expect(CalendarDay(at: moment + left - 1) == CalendarDay(at: moment))
    #expect(CalendarDay(at: moment + left).number == CalendarDay(at: moment).number + 1)
  }
}
