import AddressBookModel
import AvatarImage
import Foundation
import TerminalKit
import Testing

@testable import AddressBookTUI

/// The way from a form's picture row through the files and the square back to the form.
@MainActor
struct PhotoChooserTests {
  /// A folder with pictures, removed at the end.
  private final class Pictures {
    let path: String

    init() throws {
      var template = Array("/tmp/abXXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let files = FileManager.default
      for folder in ["Zoo", "album"] {
        try files.createDirectory(atPath: path + "/" + folder, withIntermediateDirectories: true)
      }
      for (name, source) in [
        ("Beach.jpg", "jpeg-baseline.jpg"), ("ann", "png-gray8.png"), (".secret.gif", "gif-87a.gif"),
        ("cut.png", "png-truncated.png"), ("album/李.webp", "webp-lossy.webp"), ("no.png", "text-named.png"),
      ] {
        try files.copyItem(atPath: TestPhoto.folder + "/" + source, toPath: path + "/" + name)
      }
      mkfifo(path + "/pipe.png", 0o600)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let pictures: Pictures

  init() throws { pictures = try Pictures() }

  /// A form on the first person with the chooser open on it.
  private func open(
    rows: Int = 24, columns: Int = 80, colors: Int = 256, language: Language = .english
  ) throws -> (ScreenHarness, PhotoChooserScreen) {
    let harness = try ScreenHarness(
      rows: rows, columns: columns, colors: colors, language: language, ScreenPeople.few)
    harness.environment.pictureFolder = Array(pictures.path.utf8)
    harness.press("' l j e S-Tab Enter")
    let chooser = try #require(harness.environment.screens.top as? PhotoChooserScreen)
    try settle(harness, chooser)
    return (harness, chooser)
  }

  private func settle(_ harness: ScreenHarness, _ chooser: PhotoChooserScreen) throws {
    try harness.wait("the folder and the preview") {
      harness.draw()
      return chooser.isIdle
    }
    harness.draw()
  }

  private func crop(_ harness: ScreenHarness, _ chooser: PhotoChooserScreen) throws -> CropScreen {
    try harness.wait("the crop") { harness.environment.screens.top is CropScreen }
    let crop = try #require(harness.environment.screens.top as? CropScreen)
    try harness.wait("its drawing") {
      harness.draw()
      return crop.isIdle
    }
    harness.draw()
    return crop
  }

  @Test func foldersComeFirstAndPicturesAreKnownByTheirBytes() throws {
    let (harness, chooser) = try open()
    #expect(chooser.entries.map(\.text) == ["album", "Zoo", "ann", "Beach.jpg", "cut.png"])
    harness.press(".")
    try settle(harness, chooser)
    #expect(chooser.entries.map(\.text) == ["album", "Zoo", ".secret.gif", "ann", "Beach.jpg", "cut.png"])
    harness.press(".")
    try settle(harness, chooser)
    #expect(chooser.entries.count == 5)
  }

  @Test func foldersAreEnteredAndLeftAndRemembered() throws {
    let (harness, chooser) = try open()
    harness.press("Enter")
    try settle(harness, chooser)
    #expect(chooser.entries.map(\.text) == ["李.webp"])
    harness.press("Backspace")
    try settle(harness, chooser)
    #expect(chooser.selectedEntry?.text == "album", "where one came from is selected")
    harness.press("j Enter")
    try settle(harness, chooser)
    #expect(harness.screen.contains("No folder and no picture here"))
    harness.press("Esc Enter")
    let again = try #require(harness.environment.screens.top as? PhotoChooserScreen)
    try settle(harness, again)
    #expect(again.folder == Array((pictures.path + "/Zoo").utf8))
  }

  @Test func lettersFilterTheNames() throws {
    let (harness, chooser) = try open()
    harness.press("/")
    harness.type("bEa")
    #expect(chooser.entries.map(\.text) == ["Beach.jpg"])
    harness.type("x")
    #expect(harness.screen.contains("bEax"))
    harness.press("Esc")
    #expect(chooser.entries.count == 5)
    harness.type("an")
    #expect(chooser.entries.map(\.text) == ["ann"], "a letter without a meaning begins the filter")
    harness.press("Esc Esc")
    #expect(harness.environment.screens.top is ContactFormScreen)
  }

  @Test func aDamagedPictureIsRefusedByName() throws {
    let (harness, chooser) = try open()
    harness.press("G Enter")
    try settle(harness, chooser)
    #expect(harness.screen.contains("cut.png: the PNG picture ends too early."))
    #expect(harness.environment.screens.top === chooser)
  }

  @Test func theSquareBecomesThePictureInOneStepOfUndo() throws {
    let (harness, chooser) = try open()
    harness.press("G k")
    try settle(harness, chooser)
    #expect(harness.screen.contains("JPEG · 96 × 64 pixels"))
    harness.press("Enter")
    let crop = try crop(harness, chooser)
    #expect((crop.crop.left, crop.crop.top, crop.crop.side) == (16, 0, 64))
    harness.press("h +")
    #expect((crop.crop.left, crop.crop.side) == (16, 56))
    harness.press("Left Left -")
    #expect(crop.crop.side == 64)
    harness.press("Enter")
    try harness.wait("the form") { harness.environment.screens.top is ContactFormScreen }
    #expect(harness.screen.contains("PNG · "))
    harness.press("Tab")
    harness.type("x")
    harness.press("^S")
    let id = try #require(harness.browser.list.selectedID)
    let photo = try #require(try harness.book.photo(of: id))
    #expect(photo.mediaType == "image/png")
    #expect(try ImageDecoder.decode([UInt8](photo.data)).width == 64)
    harness.press("u")
    #expect(try harness.book.photo(of: id) == nil)
    #expect(try harness.book.contact(id: id)?.displayName == "李小龙")
    harness.press("^R")
    #expect(try harness.book.photo(of: id) == photo)
    harness.press("e S-Tab ^X ^S")
    #expect(try harness.book.photo(of: id) == nil)
  }

  @Test func escLeavesTheCardAsItWas() throws {
    let (harness, chooser) = try open()
    harness.press("G k")
    try settle(harness, chooser)
    harness.press("Enter")
    _ = try crop(harness, chooser)
    harness.press("Esc")
    #expect(harness.environment.screens.top === chooser)
    harness.press("Esc Esc")
    #expect(harness.environment.screens.top === harness.browser, "nothing was changed, so nothing is asked")
  }

  // MARK: Goldens, without colours so that the project's own drawing is compared

  @Test(arguments: ScreenGoldenTests.sizes, ScreenGoldenTests.languages)
  func chooserLooksSo(size: (rows: Int, columns: Int), language: Language) throws {
    let (harness, chooser) = try open(rows: size.rows, columns: size.columns, colors: 0, language: language)
    harness.press("G k")
    try settle(harness, chooser)
    try check("chooser", harness, language)
    harness.press("Enter")
    _ = try crop(harness, chooser)
    harness.press("+ +")
    _ = try self.crop(harness, chooser)
    try check("crop", harness, language)
  }

  private func check(_ name: String, _ harness: ScreenHarness, _ language: Language) throws {
    let size = harness.terminal.size
    try Golden.check(
      harness.screen.replacingOccurrences(of: pictures.path, with: "/tmp/pictures"),
      "\(name)-\(size.columns)x\(size.rows)-\(language.rawValue)")
  }
}
