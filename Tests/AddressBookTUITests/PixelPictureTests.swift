import AddressBookModel
import AvatarImage
import Contacts
import TerminalKit
import Testing

@testable import AddressBookTUI

/// Images on a terminal that shows pixels: their cells, and what else is sent to the terminal.
@MainActor
struct PixelPictureTests {
  private let cell = PixelSize(width: 9, height: 20)

  /// A cell of the canvas that shows a part of a picture.
  private struct Part: Hashable {
    let row: Int
    let column: Int
    let scalars: [UInt32]
    let style: Style
  }

  private func parts(_ harness: ScreenHarness) throws -> [Part] {
    let canvas = try #require(harness.terminal.canvas)
    var parts: [Part] = []
    for row in 0..<canvas.size.rows {
      for column in 0..<canvas.size.columns {
        let scalars = canvas[row, column].text.unicodeScalars.map(\.value)
        guard scalars.first == 0x10EEEE else { continue }
        parts.append(Part(row: row, column: column, scalars: scalars, style: canvas[row, column].style))
      }
    }
    return parts
  }

  /// Returns the numbers of the pictures that were sent and deleted, in order.
  private func traffic(_ harness: ScreenHarness) -> (sent: [Substring], deleted: [Substring]) {
    let text = String(decoding: harness.terminal.imageBytes, as: UTF8.self)
    return (
      text.matches(of: /\u{1B}_Ga=T,[^;]*,i=([0-9]+),/).map(\.output.1),
      text.matches(of: /\u{1B}_Ga=d,d=I,q=2,i=([0-9]+)\u{1B}/).map(\.output.1)
    )
  }

  private func waitForPictures(_ harness: ScreenHarness) throws {
    harness.draw()
    try harness.wait("the drawing") { harness.environment.avatars.isIdle }
    harness.draw()
  }

  /// Makes a screen with list and detail. If `pictures` is true, contacts 1 to 3 have photos.
  private func harness(pictures: Bool = true, showsPhotos: Bool = true) throws -> ScreenHarness {
    let harness = try ScreenHarness(
      rows: 40, columns: 120, imageCell: cell, showsPhotos: showsPhotos, ScreenPeople.few)
    if pictures {
      let context = harness.book.newContext()
      for (index, name) in ["jpeg-baseline.jpg", "gif-87a.gif", "bmp-24.bmp"].enumerated() {
        try context.person(Int64(index + 1))?.setPhoto(TestPhoto.stored(name))
      }
      try context.save()
      try harness.wait("the photos in the list") {
        harness.draw()
        return harness.browser.list.detailContact?.photo != nil || harness.browser.list.selectedID != 1
      }
    }
    return harness
  }

  private func select(_ id: Int64, _ harness: ScreenHarness) throws {
    harness.browser.list.select(id: id)
    try harness.wait("the photo of contact \(id)") {
      harness.draw()
      return harness.browser.list.detailContact?.photo != nil
    }
    try waitForPictures(harness)
  }

  @Test func thePaneShowsPlaceholdersOfAPictureThatWasSent() throws {
    let harness = try harness()
    try select(1, harness)
    let image = try #require(harness.terminal.canvas?.images.first)
    let parts = try parts(harness)
    #expect(parts.count == image.rows * image.columns)
    #expect(Set(parts.map { $0.scalars[1] }).count == image.rows)
    #expect(Set(parts.map { $0.scalars[2] }).count == image.columns)
    #expect(Set(parts.map { $0.scalars[3] }).count == 1)
    // Drawn with characters, the picture would have more than one style.
    #expect(Set(parts.map(\.style)).count == 1)
    #expect(traffic(harness).sent.count == 1)
    #expect(image.rows >= 6 && image.columns <= 16)
  }

  @Test func aPictureIsSentOnceAndAllAreDeletedAtTheEnd() throws {
    let harness = try harness()
    for id: Int64 in [1, 2, 3, 1, 2, 3] { try select(id, harness) }
    #expect(traffic(harness).sent.count == 3)
    #expect(traffic(harness).deleted.isEmpty)
    harness.press("C-l")
    harness.terminal.leave()
    let end = traffic(harness)
    #expect(Set(end.deleted) == Set(end.sent) && end.deleted.count == 3)
    harness.terminal.enter()
    try waitForPictures(harness)
    #expect(traffic(harness).sent.last == end.sent.last)
  }

  @Test func nothingIsSentWithoutPhotos() throws {
    let harness = try harness(pictures: false)
    harness.press("g g j j j k Enter")
    try waitForPictures(harness)
    #expect(harness.terminal.imageBytes.isEmpty)
    #expect(try parts(harness).isEmpty)
  }

  @Test func aPhotoIsRestoredAfterADialogCoveredIt() throws {
    let harness = try harness()
    try select(1, harness)
    let whole = try parts(harness)
    harness.press("d")
    let covered = try parts(harness)
    #expect(Set(covered).isSubset(of: Set(whole)))
    harness.press("Esc")
    #expect(try parts(harness) == whole)
    #expect(traffic(harness).sent.count == 1)
  }

  @Test func theFormAndTheDetailPaneShowTheSamePhoto() throws {
    let harness = try harness()
    try select(1, harness)
    let pane = try #require(harness.terminal.canvas?.images.first)
    harness.press("e")
    try waitForPictures(harness)
    let form = try #require(harness.terminal.canvas?.images.first)
    #expect(form == pane && traffic(harness).sent.count == 1)
    #expect(try !parts(harness).isEmpty)
    #expect(try Set(parts(harness).map(\.scalars)).count == parts(harness).count)
  }

  @Test func theChooserAndTheCropShowPixels() throws {
    let harness = try ScreenHarness(rows: 40, columns: 120, imageCell: cell, ScreenPeople.few)
    var chosen: AvatarPhoto?
    let chooser = PhotoChooserScreen(environment: harness.environment) { chosen = $0 }
    harness.environment.screens.push(chooser)
    try harness.wait("the folder") { chooser.isIdle }
    harness.type("jpeg-baseline")
    try harness.wait("the preview") {
      harness.draw()
      return chooser.selectedPreview != nil
    }
    harness.draw()
    #expect(try !parts(harness).isEmpty)
    harness.press("Enter")
    try harness.wait("the crop") {
      harness.draw()
      return (harness.environment.screens.top as? CropScreen)?.isIdle == true
    }
    harness.draw()
    let before = try parts(harness)
    #expect(!before.isEmpty)
    #expect(harness.screen.contains("┌") && harness.screen.contains("┘"))
    harness.press("+")
    try harness.wait("the smaller crop") {
      harness.draw()
      return (harness.environment.screens.top as? CropScreen)?.isIdle == true
    }
    harness.draw()
    let after = try parts(harness)
    #expect(!after.isEmpty && after.first?.style != before.first?.style, "another picture has another number")
    #expect(chosen == nil)
  }

  @Test func offShowsNeitherPicturesNorInitials() throws {
    let harness = try harness(showsPhotos: false)
    try select(1, harness)
    #expect(try parts(harness).isEmpty)
    #expect(!harness.screen.contains("█"))
    harness.press("e")
    #expect(!harness.screen.contains("█"))
    #expect(harness.terminal.imageBytes.isEmpty)
  }

  @Test func textOfAContactIsNeitherAPictureNorACommand() throws {
    var contact = Contact()
    contact.family = "Mallory \u{10EEEE}\u{305}\u{305}"
    contact.note = "\u{10EEEE}\u{305}\u{30D}\u{1B6B}\n\u{1B}_Ga=T,U=1,i=42;AAAA\u{1B}\\\n\u{9F}Ga=d\u{9C}"
    contact.organization = "\u{10EEEE}"
    contact.phones = [LabeledValue(label: "\u{10EEEE}", value: "\u{10EEEE}\u{305}")]
    let harness = try ScreenHarness(rows: 40, columns: 120, imageCell: cell, [contact])
    for keys in ["", "Enter", "e", "Esc", "d", "Esc", "/ M a l", "Esc"] {
      if !keys.isEmpty { harness.press(keys) }
      try waitForPictures(harness)
      #expect(try parts(harness).isEmpty)
      #expect(harness.screen.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
    }
    #expect(harness.terminal.imageBytes.isEmpty)
  }
}
