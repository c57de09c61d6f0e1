import Foundation
import Testing

/// Choosing a photo in the form (the file list, the crop and the stored photo), and a photo in the detail.
@Suite(.serialized)
struct ChoosePictureTests {
  /// Puts pictures, one of them truncated and one in a subfolder, into the home folder, where the chooser starts. The
  /// book is there too: a chooser that opened and closed it would drop SQLite's locks, and the next process would
  /// remove the write-ahead log.
  private func addPictures(_ session: TerminalSession) throws {
    let home = try #require(session.environment["HOME"])
    let files = FileManager.default
    // Otherwise the backup folder would be listed among the files.
    try session.configure("backups = 0\n")
    if files.fileExists(atPath: home + "/book.db.backups") { try files.removeItem(atPath: home + "/book.db.backups") }
    try files.createDirectory(atPath: home + "/Holiday", withIntermediateDirectories: true)
    for (name, source) in [
      ("Holiday/beach.png", "png-rgb16.png"), ("cut.png", "png-truncated.png"), ("dog.webp", "webp-lossy.webp"),
    ] {
      try files.copyItem(atPath: TerminalSession.pictures + "/" + source, toPath: home + "/" + name)
    }
  }

  private func openChooser(_ session: TerminalSession) throws {
    try session.type("e")
    try session.wait(for: "Section M")
    try session.press("BTab", "Enter")
    try session.wait(for: "Holiday/")
  }

  @Test func aPhotoIsChosenCroppedSavedAndUndone() throws {
    let session = try TerminalSession.withPeople()
    try addPictures(session)
    try session.start(waitingFor: "马云")
    try session.type("'m")
    try openChooser(session)
    // Past the folders config and Holiday.
    try session.press("Down", "Down")
    try session.wait("a damaged picture to be refused by name") {
      $0.selectedLine.contains("cut.png") && $0.contains("file is incomplete")
    }
    try session.press("Up", "Enter")
    let preview = try session.wait("the picture beside its name") {
      $0.selectedLine.contains("beach.png") && $0.contains("96 × 64 pixels")
    }
    #expect(preview.contains("PNG"))
    #expect(try session.styledScreen().contains("[38;5;") || session.styledScreen().contains(";48;5;"))
    try session.press("Enter")
    try session.wait(for: "64 × 64 pixels of 96")
    // To the left edge, then one step of zoom.
    for _ in 0..<6 { try session.press("Left") }
    try session.type("+")
    try session.wait(for: "56 × 56 pixels of 96")
    try session.press("Enter")
    try session.wait(for: "PNG · ")
    try session.press("C-s")
    try session.wait(for: "Saved")
    let path = session.book + ".saved.png"
    let saved = try session.run("photo", "save", session.id(of: "马云"), path)
    #expect(saved.status == 0, "\(saved.errors)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // Width and height in the header (PNG, section 11.2.2).
    #expect(bytes[16..<24] == [0, 0, 0, 56, 0, 0, 0, 56])
    try session.type("u")
    try session.wait(for: "Undone")
    #expect(try session.run("photo", "save", session.id(of: "马云"), path + "2").status != 0)
  }

  /// The same photo with 256 colors, with eight and without colors.
  @Test(arguments: [
    ("tmux-256color", "", true), ("xterm", "", true), ("tmux-256color", "1", false), ("vt100", "", false),
  ])
  func picturesAreDrawnInTheAvailableColors(type: String, noColor: String, hasColor: Bool) throws {
    let session = try TerminalSession.withPeople()
    let file = TerminalSession.pictures + "/png-rgb16.png"
    #expect(try session.run("photo", "set", session.id(of: "马云"), file).status == 0)
    try session.type("export TERM=\(type) NO_COLOR=\(noColor) COLORFGBG='15;0'\n")
    try session.start(waitingFor: "马云")
    try session.type("'m")
    // The detail appears after the list, so the name must be shown twice. Until the photo is drawn, the first letter of
    // the name is shown on a disc. With colors, a uniform area is drawn as blanks with a background color; without
    // colors, as a pattern of blocks.
    try session.wait("the picture") { screen in
      let picture = screen.split(separator: "\n").dropFirst().prefix(6).joined()
      let blocks = picture.unicodeScalars.filter { (0x2580...0x259F).contains($0.value) }.count
      return screen.split(separator: "马云", omittingEmptySubsequences: false).count > 2 && !screen.contains("█马")
        && (hasColor || blocks > 10)
    }
    let styled = try session.styledScreen()
    #expect(styled.hasColor == hasColor)
    #expect(styled.contains("48;5;") == (type == "tmux-256color" && hasColor))
  }
}
