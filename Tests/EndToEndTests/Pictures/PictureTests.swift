import Foundation
import Testing

/// Photos in the real program's output: with kitty's graphics protocol, whose rules are checked, with other protocols,
/// and as characters.
@Suite(.serialized)
struct PictureTests {
  private static let kitty = ["KITTY_WINDOW_ID": "1"]
  private static let images = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/Images").path

  /// Makes a book of four contacts, the first three with photos.
  private func book(_ configuration: String = "") throws -> Program {
    let program = try Program()
    let pictures = ["jpeg-baseline.jpg", "webp-lossy.webp", "png-rgb16.png", nil]
    for (name, picture) in zip(["安琪", "马云", "曾国藩", "周杰伦"], pictures) {
      let added = try program.run("add", "--set", "family=\(name)")
      let id = try #require(added.lines.first)
      guard let picture else { continue }
      #expect(try program.run("photo", "set", id, Self.images + "/" + picture).status == 0)
    }
    let folder = program.folder.path + "/config/addressbook"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try configuration.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
    return program
  }

  @Test func theProtocolsTableHasItsSize() { #expect(KittyReader.numbers.count == 297) }

  @Test func eachPlaceholderShowsAPictureThatIsHeldAndAllAreDeletedAtTheEnd() throws {
    let session = try PictureSession(book(), environment: Self.kitty)
    try session.wait("the first picture") { !$0.reader.placeholders.isEmpty }
    for seen in 2...3 {
      session.press("j")
      try session.wait("picture \(seen)") { $0.reader.placeholders.count == seen }
    }
    #expect(session.reader.sent == 3)
    session.press("k")
    session.press("d")
    try session.wait("the question") { $0.count(of: "╭") > 0 }
    let before = session.placeholders
    session.resize(columns: 130, rows: 40)
    try session.wait("the whole screen again") { $0.placeholders > before }
    session.press("n")
    let sent = session.reader.sent
    session.press("\u{0C}")
    try session.wait("the picture again") { $0.reader.sent > sent }
    session.press("q")
    #expect(try session.end() == 0)
    #expect(session.reader.faults.isEmpty)
    #expect(session.reader.images.isEmpty)
    #expect(!session.reader.isOnAlternateScreen)
  }

  @Test func theFormAndThenTheListShowThePhoto() throws {
    let session = try PictureSession(book(), environment: Self.kitty)
    try session.wait("the first picture") { !$0.reader.placeholders.isEmpty }
    let list = session.placeholders
    session.press("e")
    try session.wait("the form and its picture") { $0.count(of: "cancel") > 0 && $0.placeholders > list }
    let before = session.placeholders
    session.press("\u{1B}")
    try session.wait("the pane's picture") { $0.placeholders > before }
    session.press("q")
    #expect(try session.end() == 0)
    #expect(session.reader.faults.isEmpty && session.reader.images.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGSEGV, SIGABRT])
  func aSignalLeavesNoPictureBehind(signal: Int32) throws {
    let session = try PictureSession(book(), environment: Self.kitty)
    try session.wait("the first picture") { !$0.reader.placeholders.isEmpty }
    session.press("j")
    try session.wait("the second picture") { $0.reader.placeholders.count == 2 }
    session.signal(signal)
    #expect(try session.end() == 128 + signal)
    #expect(session.reader.deletions == 2)
    #expect(session.reader.faults.isEmpty && session.reader.images.isEmpty)
    #expect(!session.reader.isOnAlternateScreen)
  }

  @Test(arguments: [
    ("pictures = \"symbols\"\n", ["KITTY_WINDOW_ID": "1"]), ("pictures = \"off\"\n", ["KITTY_WINDOW_ID": "1"]),
    ("", [:]), ("", ["KITTY_WINDOW_ID": "1", "NO_COLOR": "1"]),
    ("", ["KITTY_WINDOW_ID": "1", "TMUX": "/tmp/none,1,0", "TERM": "tmux-256color"]),
  ])
  func noPixelsAreSentUnlessSupportedAndWanted(configuration: String, environment: [String: String]) throws {
    let session = try PictureSession(book(configuration), environment: environment)
    try session.wait("the list") { $0.count(of: "曾国藩") > 0 }
    session.press("j")
    session.press("k")
    if !configuration.contains("off") {
      try session.wait("a picture of characters") { $0.count(of: "▀") + $0.count(of: "▄") + $0.count(of: "█") > 0 }
    }
    session.press("q")
    #expect(try session.end() == 0)
    #expect(session.count(of: "\u{1B}_") == 0 && session.count(of: "\u{10EEEE}") == 0)
  }

  @Test func pixelsCanBeForcedInAnyTerminal() throws {
    let session = try PictureSession(book("pictures = \"kitty\"\n"), environment: [:])
    try session.wait("the first picture") { !$0.reader.placeholders.isEmpty }
    session.press("q")
    #expect(try session.end() == 0)
    #expect(session.reader.faults.isEmpty && session.reader.images.isEmpty)
  }

  @Test(arguments: [
    ("pictures = \"sixel\"\n", ["TERM": "xterm"], "\u{1B}P0;1;0q\"1;1;"), ("", ["TERM": "foot"], "\u{1B}P0;1;0q\"1;1;"),
    ("pictures = \"iterm\"\n", [:], "\u{1B}]1337;File=inline=1;size="),
    ("", ["TERM_PROGRAM": "WezTerm"], "\u{1B}]1337;File=inline=1;size="),
  ])
  func otherProtocolsShowEachPhotoOverItsCells(
    configuration: String, environment: [String: String], start: String
  ) throws {
    let session = try PictureSession(book(configuration), environment: environment)
    for number in 1...3 {
      try session.wait("photo \(number)") { $0.count(of: start) == number }
      session.press("j")
    }
    session.press("?")
    try session.wait("the keys") { $0.count(of: "Keys") > 0 }
    session.press("qk")
    try session.wait("the third photo again") { $0.count(of: start) == 4 }
    session.press("\u{0C}")
    try session.wait("the third photo after the screen was cleared") { $0.count(of: start) == 5 }
    session.press("q")
    #expect(try session.end() == 0)
    #expect(session.count(of: "\u{1B}_") == 0 && session.count(of: "\u{10EEEE}") == 0)
  }

  @Test func insideTmuxImagesAreWrappedOnRequest() throws {
    let session = try PictureSession(
      book("pictures = \"kitty\"\n"), environment: ["TMUX": "/tmp/none,1,0", "TERM": "screen-256color"])
    try session.wait("a picture") { $0.count(of: "\u{10EEEE}") > 0 }
    session.press("q")
    #expect(try session.end() == 0)
    let sent = session.count(of: "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=T,U=1,C=1,q=2,f=100,i=")
    #expect(sent > 0)
    #expect(session.count(of: "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=d,d=I,q=2,i=") == sent)
  }

  @Test func textFromAFileIsNeitherAPictureNorACommand() throws {
    let program = try Program()
    let card = """
      BEGIN:VCARD\r
      VERSION:4.0\r
      FN:Mallory \u{10EEEE}\u{305}\u{305}\r
      ORG:\u{1B}_Ga=T\\,U=1\\,i=42\\,f=100;AAAA\u{1B}\\\r
      NOTE:\u{10EEEE}\u{305}\u{30D}\u{1B6B}\u{9F}Ga=d\u{9C}\u{1B}Ptmux;x\u{1B}\\\r
      TEL:\u{10EEEE}\r
      END:VCARD\r

      """
    #expect(try program.run("import", program.file("m.vcf", card)).status == 0)
    let session = try PictureSession(program, environment: Self.kitty)
    try session.wait("the list") { $0.count(of: "Mallory") > 1 }
    session.press("e")
    try session.wait("the form") { $0.count(of: "cancel") > 0 }
    session.signal(SIGTERM)
    #expect(try session.end() == 128 + SIGTERM)
    #expect(
      session.count(of: "\u{1B}_") == 0 && session.count(of: "\u{10EEEE}") == 0 && session.count(of: "\u{9F}") == 0)
    #expect(session.count(of: "\u{1B}P") == 0)
  }
}
