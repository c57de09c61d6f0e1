import AddressBookModel
import AvatarImage
import TerminalKit
import Testing

@testable import AddressBookTUI

@MainActor
struct DetailPictureTests {
  @Test(arguments: [
    (Size(rows: 38, columns: 50), 8, true), (Size(rows: 22, columns: 75), 6, true),
    (Size(rows: 22, columns: 35), 6, false),
    (Size(rows: 15, columns: 75), 4, true),
  ])
  func itsSizeFollowsThePane(pane: Size, rows: Int, isBeside: Bool) {
    let picture = DetailPicture(pane: pane)
    #expect(picture?.rows == rows)
    #expect(picture?.isBeside == isBeside)
  }

  @Test func aLowOrNarrowPaneShowsNoPhoto() {
    #expect(DetailPicture(pane: Size(rows: 10, columns: 80)) == nil)
    #expect(DetailPicture(pane: Size(rows: 40, columns: 8)) == nil)
  }

  @Test func aDecodedPhotoReplacesTheInitial() throws {
    let harness = try ScreenHarness(rows: 24, columns: 80, ScreenPeople.few)
    harness.press("' l j Enter")
    let before = harness.screen
    #expect(harness.environment.avatars.isIdle)
    let id = try #require(harness.browser.list.selectedID)
    let context = harness.book.newContext()
    let person = try #require(try context.person(id))
    try person.setPhoto(TestPhoto.stored("jpeg-baseline.jpg"))
    try context.save()
    try harness.wait("the photo in the list") {
      harness.draw()
      return harness.browser.list.detailContact?.photo != nil
    }
    #expect(harness.screen == before, "the initial is shown until the photo is decoded")
    try harness.wait("the drawing") { harness.environment.avatars.isIdle }
    harness.draw()
    let cell = harness.terminal.canvas?[2, 3]
    #expect(cell?.style.background != .standard || cell?.style.foreground != .standard)
    #expect(harness.screen != before)
  }

  @Test func holdingAKeyDownSkipsPhotosInBetween() throws {
    let harness = try ScreenHarness(rows: 24, columns: 120, ScreenPeople.few)
    let context = harness.book.newContext()
    for id in 1...10 { try context.person(Int64(id))?.setPhoto(TestPhoto.stored("png-rgb16.png")) }
    try context.save()
    harness.press("g g")
    let avatars = harness.environment.avatars
    try harness.wait("the first photo") {
      harness.draw()
      return harness.browser.list.detailContact?.photo != nil && avatars.isIdle
    }
    let drawn = avatars.revision
    // The results of other threads are only taken afterwards, as if the keys had come before the second photo was drawn.
    for _ in 1...9 {
      harness.browser.perform(.moveDown, in: harness.environment.screens)
      harness.draw()
    }
    try harness.wait("the drawing") { avatars.isIdle }
    harness.draw()
    #expect(avatars.isIdle && avatars.revision == drawn + 2, "only the second photo and the last one were drawn")
  }

  @Test(arguments: [
    (0, CellColors.monochrome), (8, .monochrome), (16, .palette16), (256, .palette256), (16_777_216, .trueColor),
  ])
  func colorsFollowTheTerminal(colors: Int, expected: CellColors) {
    #expect(PictureStyle(terminalColors: colors).colors == expected)
  }
}
