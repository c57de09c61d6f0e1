import Foundation
import Testing

@testable import AddressBookTUI

/// The prompt for a path.
@MainActor
struct PathPromptTests {
  @Test func tabCompletesAPath() throws {
    let folder = try BookFolder()
    try "x".write(toFile: folder.file("people.vcf"), atomically: true, encoding: .utf8)
    let harness = try ScreenHarness(columns: 200, ScreenPeople.few)
    harness.press("w")
    harness.type(folder.file("pe"))
    harness.press("Tab")
    try harness.wait(for: "/people.vcf")
  }
}
