import AddressBookModel
import AvatarImage
import Foundation
import Messages
import TerminalKit
import Testing

@testable import AddressBookTUI

extension PhotoChooserScreen {
  /// The entries that match the typed text.
  fileprivate var entries: [FileFolder.Entry] {
    state.choices.compactMap { if case .item(let index) = $0 { contents?.entries[index] } else { nil } }
  }
}

/// Choosing a photo: from the form to the file list, the crop and back to the form.
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

  /// Opens the form of 李小龙, and the photo chooser from it.
  private func open(
    rows: Int = 24, columns: Int = 80, colors: Int = 256, language: Language = .english
  ) throws -> (ScreenHarness, PhotoChooserScreen) {
    let harness = try ScreenHarness(
      rows: rows, columns: columns, colors: colors, language: language, ScreenPeople.few)
    harness.environment.photoFolder = Array(pictures.path.utf8)
    harness.press("' l j e S-Tab Enter")
    let chooser = try #require(harness.environment.screens.top as? PhotoChooserScreen)
    try waitForPictures(harness, chooser)
    return (harness, chooser)
  }

  private func waitForPictures(_ harness: ScreenHarness, _ chooser: PhotoChooserScreen) throws {
    try harness.wait("the folder and the preview") {
      harness.draw()
      return chooser.isIdle
    }
    harness.draw()
  }

  private func crop(_ harness: ScreenHarness, _ chooser: PhotoChooserScreen) throws -> CropScreen {
    // Drawing the chooser requests the preview, once the folder has been read.
    try harness.wait("the crop") {
      harness.draw()
      return harness.environment.screens.top is CropScreen
    }
    let crop = try #require(harness.environment.screens.top as? CropScreen)
    try harness.wait("the drawing of the photo") {
      harness.draw()
      return crop.isIdle
    }
    harness.draw()
    return crop
  }

  @Test func foldersComeFirstAndPhotosAreDetectedByContent() throws {
    let (harness, chooser) = try open()
    #expect(chooser.entries.map(\.text) == ["album", "Zoo", "ann", "Beach.jpg", "cut.png"])
    harness.press("M-.")
    try waitForPictures(harness, chooser)
    #expect(chooser.entries.map(\.text) == ["album", "Zoo", ".secret.gif", "ann", "Beach.jpg", "cut.png"])
    harness.press("M-.")
    try waitForPictures(harness, chooser)
    #expect(chooser.entries.count == 5)
  }

  @Test func foldersAreEnteredAndLeftAndRemembered() throws {
    let (harness, chooser) = try open()
    harness.press("Enter")
    try waitForPictures(harness, chooser)
    #expect(chooser.entries.map(\.text) == ["李.webp"])
    harness.press("Backspace")
    try waitForPictures(harness, chooser)
    #expect(chooser.selectedEntry?.text == "album", "the folder just left is selected")
    harness.press("Down Enter")
    try waitForPictures(harness, chooser)
    #expect(harness.screen.contains("There are no folders or photos"))
    harness.press("Esc Enter")
    let again = try #require(harness.environment.screens.top as? PhotoChooserScreen)
    try waitForPictures(harness, again)
    #expect(again.folder == Array((pictures.path + "/Zoo").utf8))
  }

  @Test func lettersFilterTheNames() throws {
    let (harness, chooser) = try open()
    harness.type("bEa")
    #expect(chooser.entries.map(\.text) == ["Beach.jpg"])
    harness.type("x")
    #expect(harness.screen.contains("bEax"))
    #expect(harness.screen.contains("No files match “bEax”"))
    harness.press("Esc")
    #expect(chooser.entries.count == 5)
    harness.type("j")
    #expect(chooser.entries.map(\.text) == ["Beach.jpg"], "no letter is a command")
    harness.press("Backspace")
    harness.type("an")
    #expect(chooser.entries.map(\.text) == ["ann"])
    harness.press("Esc Esc")
    #expect(harness.environment.screens.top is ContactFormScreen)
  }

  @Test func aPathIsTypedOrPasted() throws {
    let (harness, chooser) = try open()
    harness.type("album/")
    try waitForPictures(harness, chooser)
    #expect(chooser.folder == Array((pictures.path + "/album").utf8))
    harness.type("../Zoo/.././Be")
    try waitForPictures(harness, chooser)
    #expect(chooser.folder == Array(pictures.path.utf8))
    #expect(chooser.entries.map(\.text) == ["Beach.jpg"])
    harness.press("Esc")
    harness.send(.paste("/nowhere/at all/x"))
    try waitForPictures(harness, chooser)
    #expect(harness.screen.contains("The folder cannot be read"))
    harness.press("Esc Esc Enter")
    let again = try #require(harness.environment.screens.top as? PhotoChooserScreen)
    try waitForPictures(harness, again)
    #expect(again.folder == Array(pictures.path.utf8), "a folder that cannot be read is not remembered")
    // Enter works before the folder has been read.
    harness.send(.paste("/"))
    harness.send(.paste(pictures.path + "/album/李.webp"))
    harness.press("Enter")
    _ = try crop(harness, again)
  }

  @Test func typingTheNameOfAHiddenFileShowsIt() throws {
    let (harness, chooser) = try open()
    harness.type(".se")
    try waitForPictures(harness, chooser)
    #expect(chooser.entries.map(\.text) == [".secret.gif"])
  }

  @Test(arguments: [(rows: 12, columns: 40), (rows: 24, columns: 80)])
  func theSelectedFilesWholeNameIsShown(size: (rows: Int, columns: Int)) throws {
    let name = "A photo of the whole family at the sea, the dog on the left, in the summer of 1998.png"
    try FileManager.default.copyItem(atPath: TestPhoto.folder + "/png-gray8.png", toPath: pictures.path + "/" + name)
    let (harness, chooser) = try open(rows: size.rows, columns: size.columns)
    harness.type("photo")
    try waitForPictures(harness, chooser)
    let lines = harness.screen.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let text = lines.suffix(4).dropLast().joined(separator: " ")
    #expect(text.contains(name), "\(harness.screen)")
    #expect(harness.screen.contains("▸ A photo"))
    harness.press("Backspace Backspace Backspace Backspace Backspace")
    #expect(!harness.screen.contains("1998"))
  }

  @Test func aDamagedPictureIsRefusedByName() throws {
    let (harness, chooser) = try open()
    harness.press("End Enter")
    try waitForPictures(harness, chooser)
    #expect(harness.screen.contains("cut.png: the PNG file is incomplete."))
    #expect(harness.environment.screens.top === chooser)
  }

  @Test func theCroppedPhotoIsSavedAsOneUndoStep() throws {
    let (harness, chooser) = try open()
    harness.press("End Up")
    try waitForPictures(harness, chooser)
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

  @Test func aChangeOfOnlyThePhotoIsUndone() throws {
    let (harness, chooser) = try open()
    harness.press("End Up")
    try waitForPictures(harness, chooser)
    harness.press("Enter")
    _ = try crop(harness, chooser)
    harness.press("Enter")
    try harness.wait("the form") { harness.environment.screens.top is ContactFormScreen }
    harness.press("^S")
    let id = try #require(harness.browser.list.selectedID)
    #expect(try harness.book.photo(of: id) != nil)
    harness.press("u")
    #expect(try harness.book.photo(of: id) == nil)
    #expect(try harness.book.contact(id: id)?.photo == nil)
  }

  @Test func escLeavesTheContactUnchanged() throws {
    let (harness, chooser) = try open()
    harness.press("End Up")
    try waitForPictures(harness, chooser)
    harness.press("Enter")
    _ = try crop(harness, chooser)
    harness.press("Esc")
    #expect(harness.environment.screens.top === chooser)
    harness.press("Esc Esc")
    #expect(harness.environment.screens.top === harness.browser, "nothing was changed, so nothing is asked")
  }

  // MARK: By the mouse

  @Test func aClickSelectsAFileAndTwoOpenIt() throws {
    let (harness, chooser) = try open()
    func press(_ line: Int, clicks: Int = 1) throws {
      let rect = chooser.state.selection.rect
      harness.send(.mouse(Mouse(.press, at: Point(row: rect.row + line, column: rect.column + 4), clicks: clicks)))
      try waitForPictures(harness, chooser)
    }
    try press(3)
    #expect(chooser.selectedEntry?.text == "Beach.jpg")
    #expect(harness.screen.contains("JPEG · 96 × 64 pixels"))
    try press(9)
    #expect(chooser.selectedEntry?.text == "Beach.jpg", "there is nothing below the last")
    try press(0, clicks: 2)
    #expect(chooser.entries.map(\.text) == ["李.webp"])
    try press(0, clicks: 2)
    _ = try crop(harness, chooser)
  }

  @Test func theWheelMovesTheNames() throws {
    for number in 0..<50 {
      try FileManager.default.createDirectory(
        atPath: pictures.path + "/folder \(number)", withIntermediateDirectories: true)
    }
    let (harness, chooser) = try open()
    for _ in 0..<40 { harness.send(.mouse(Mouse(.wheelDown, at: Point(row: 9, column: 9)))) }
    #expect(harness.screen.contains("cut.png") && !harness.screen.contains("album"))
    #expect(chooser.state.selection.visible.contains(chooser.state.selection.selected))
    for _ in 0..<40 { harness.send(.mouse(Mouse(.wheelUp, at: Point(row: 9, column: 9)))) }
    #expect(harness.screen.contains("album"))
    #expect(chooser.state.selection.visible.contains(chooser.state.selection.selected))
  }

  @Test func theSquareIsDraggedAndTheWheelZooms() throws {
    let (harness, chooser) = try open()
    harness.press("End Up")
    try waitForPictures(harness, chooser)
    harness.press("Enter")
    let crop = try crop(harness, chooser)
    // A picture of 96 × 64 pixels, and a square of 64.
    let middle = Point(row: 12, column: 40)
    harness.send(.mouse(Mouse(.press, at: middle)))
    #expect(crop.crop.left == 16, "taking hold of it moves nothing")
    harness.send(.mouse(Mouse(.drag, at: Point(row: 12, column: 43))))
    let moved = crop.crop.left
    #expect(moved > 16)
    harness.send(.mouse(Mouse(.drag, at: Point(row: 12, column: 79))))
    #expect(crop.crop.left == 32, "up to the edge")
    harness.send(.mouse(Mouse(.drag, at: Point(row: 12, column: 43))))
    #expect(crop.crop.left == moved, "and back under the pointer")
    harness.send(.mouse(Mouse(.release, at: middle)))
    harness.send(.mouse(Mouse(.drag, at: Point(row: 12, column: 10))))
    #expect(crop.crop.left == moved)
    harness.send(.mouse(Mouse(.wheelUp, at: middle)))
    #expect(crop.crop.side == 56)
    let rect = crop.pictureRect
    harness.send(.mouse(Mouse(.press, at: Point(row: rect.row, column: rect.column))))
    #expect((crop.crop.left, crop.crop.top) == (0, 0), "a press outside the square moves it there")
    harness.send(.mouse(Mouse(.press, at: Point(row: rect.endRow - 1, column: rect.endColumn - 1))))
    #expect((crop.crop.left, crop.crop.top) == (40, 8))
    harness.send(.mouse(Mouse(.wheelDown, at: middle)))
    #expect(crop.crop.side == 64)
  }

  // MARK: Goldens, without colors so that the project's own drawing is compared

  @Test(arguments: ScreenGoldenTests.views)
  func theChooserMatchesTheGoldens(size: (rows: Int, columns: Int), language: Language) throws {
    let (harness, chooser) = try open(rows: size.rows, columns: size.columns, colors: 0, language: language)
    harness.press("End Up")
    try waitForPictures(harness, chooser)
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
