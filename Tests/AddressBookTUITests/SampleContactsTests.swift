import AddressBookModel
import Testing

@testable import AddressBookTUI

/// The command that adds sample contacts.
@MainActor
struct SampleContactsTests {
  @Test func theStatusLineSaysThatSampleContactsAreAdded() throws {
    let harness = try ScreenHarness()
    harness.press("D")
    #expect(harness.screen.contains("Adding sample contacts…"), "\(harness.screen)")
    try harness.wait(for: "Added 500 sample contacts.")
  }

  @Test func sampleContactsAreAddedOnce() throws {
    let folder = try BookFolder()
    let harness = try ScreenHarness(at: folder.book())
    let writer = OtherWriter(harness.book)
    harness.press("D D")
    #expect(harness.screen.contains("Another task is still running."))
    writer.end()
    try harness.wait(for: "Added 500 sample contacts.")
    #expect(try harness.book.contactCount() == 500)
    harness.book.close()
  }
}
