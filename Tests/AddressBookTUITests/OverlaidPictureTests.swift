import AddressBookModel
import AvatarImage
import Contacts
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Photos on terminals with sixel or iTerm2's protocol: what is sent, and when.
@MainActor
struct OverlaidPictureTests {
  private let cell = PixelSize(width: 9, height: 20)

  private func harness(_ imageProtocol: ImageProtocol, colors: Int = 256) throws -> ScreenHarness {
    let harness = try ScreenHarness(
      rows: 40, columns: 120, colors: colors, imageCell: cell, imageProtocol: imageProtocol, ScreenPeople.few)
    let context = harness.book.newContext()
    for (index, name) in ["jpeg-baseline.jpg", "gif-87a.gif"].enumerated() {
      try context.person(Int64(index + 1))?.setPhoto(TestPhoto.stored(name))
    }
    try context.save()
    return harness
  }

  private func select(_ id: Int64, _ harness: ScreenHarness) throws {
    harness.browser.list.select(id: id)
    try harness.wait("the photo of contact \(id)") {
      harness.draw()
      return harness.browser.list.detailContact?.id == id && harness.browser.list.detailContact?.photo != nil
    }
    try waitForPhotos(harness)
  }

  private func waitForPhotos(_ harness: ScreenHarness) throws {
    harness.draw()
    try harness.wait("the drawing") { harness.environment.avatars.isIdle }
    harness.draw()
  }

  /// Returns what was sent since the last call, an entry for each image.
  private func sent(_ harness: ScreenHarness) -> [Substring] {
    harness.draw()
    let text = String(decoding: harness.terminal.imageBytes, as: UTF8.self)
    harness.terminal.resetCounts()
    return text.matches(of: /\u{1B}\[[0-9]+;[0-9]+H(\u{1B}P[^\u{1B}]*\u{1B}\\|\u{1B}\]1337;[^\u{7}]*\u{7})/).map(
      \.output.1)
  }

  @Test(arguments: [ImageProtocol.sixel, .iterm])
  func aPhotoIsSentWhenItAppearsAndWhenNothingCoversItAnyMore(imageProtocol: ImageProtocol) throws {
    let harness = try harness(imageProtocol)
    try select(1, harness)
    let first = sent(harness)
    #expect(first.count == 1 && first[0].utf8.count > 300)
    #expect(sent(harness) == [])
    try select(2, harness)
    let second = sent(harness)
    #expect(second.count == 1 && second != first)
    harness.press("?")
    #expect(sent(harness) == [])
    harness.press("Esc")
    #expect(sent(harness) == second)
    harness.press("d")
    harness.press("Esc")
    _ = sent(harness)
    harness.press("C-l")
    #expect(sent(harness) == second)
    try select(1, harness)
    #expect(sent(harness) == first)
  }

  @Test(arguments: [8, 256, 16_777_216]) func sixelsNeedOnlySomeColors(colors: Int) throws {
    let harness = try harness(.sixel, colors: colors)
    try select(1, harness)
    #expect(sent(harness).count == 1)
  }

  @Test func withoutColorsNoSixelsAreSent() throws {
    let harness = try harness(.sixel, colors: 0)
    try select(1, harness)
    #expect(sent(harness).isEmpty)
  }

  @Test func aNewFontMakesSixelsOfAnotherSize() throws {
    let harness = try harness(.sixel)
    try select(1, harness)
    let first = sent(harness)
    harness.terminal.imageCell = PixelSize(width: 6, height: 13)
    harness.send(.resize(harness.terminal.size))
    try waitForPhotos(harness)
    let smaller = sent(harness)
    #expect(smaller.count == 1 && smaller != first)
    #expect(first[0].contains("q\"1;1;138;138") && smaller[0].contains("q\"1;1;90;90"))
  }

  @Test(arguments: [ImageProtocol.sixel, .iterm])
  func theChooserAndTheCropShowWholePictures(imageProtocol: ImageProtocol) throws {
    let harness = try ScreenHarness(
      rows: 40, columns: 120, imageCell: cell, imageProtocol: imageProtocol, ScreenPeople.few)
    let chooser = PhotoChooserScreen(environment: harness.environment) { _ in }
    harness.environment.screens.push(chooser)
    try harness.wait("the folder") { chooser.isIdle }
    harness.type("jpeg-baseline")
    try harness.wait("the preview") {
      harness.draw()
      return chooser.selectedPreview != nil
    }
    #expect(!sent(harness).isEmpty)
    func waitForCrop() throws {
      try harness.wait("the crop") {
        harness.draw()
        return (harness.environment.screens.top as? CropScreen)?.isIdle == true
      }
    }
    harness.press("Enter")
    try waitForCrop()
    #expect(sent(harness).count == 1)
    // The square is smaller now; corners drawn over the image would hide it.
    harness.press("+")
    try waitForCrop()
    #expect(sent(harness).count == 1)
  }
}
