import Testing

@testable import ContactInterchange

struct MailDateTests {
  @Test(arguments: [
    ("Fri, 21 Nov 1997 09:55:06 -0600", 880_127_706), ("21 Nov 97 15:55 GMT", 880_127_700),
    ("Fri, 21 Nov 1997 09:55:06 CST (comment)", 880_127_706), ("1 Jan 1970 00:00:00 +0000", 0),
    ("Sun, 01 Mar 26 10:00:00 +0530", 1_772_339_400),
  ])
  func datesOfTheRFC(text: String, seconds: Int) { #expect(MailDate.seconds(text) == seconds) }

  @Test(arguments: ["", "yesterday", "32 Jan 2026 10:00", "1 Jan 2026", "Jan 2026 10:00", "1 Jan 2026 25:00"])
  func otherTextsAreNone(text: String) { #expect(MailDate.seconds(text) == nil) }
}
