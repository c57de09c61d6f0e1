import AddressBookModel
import Contacts
import Foundation
import PictureFormat
import SharedMaterial
import Testing

@Suite struct PhotoCommandTests {
  let program: Program
  private static let pictures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/Images").path

  init() throws {
    program = try Program()
    try program.run("add", "--set", "given=Ann")
  }

  private func card() throws -> String { try program.run("show", "1", "--format", "json").output }

  private func photo() throws -> [String: Any]? {
    try (program.json(program.run("show", "1", "--format", "json").outputBytes) as? [String: Any])?["photo"]
      as? [String: Any]
  }

  /// Opening or replacing the book without SQLite could lose data.
  @Test func theBookItselfIsNeitherReadNorReplaced() throws {
    try program.run("photo", "set", "1", Self.pictures + "/jpeg-baseline.jpg")
    let before = try card()
    for arguments in [
      ["photo", "set", "1", program.book], ["photo", "save", "1", program.book], ["export", "-o", program.book],
      ["import", program.book],
    ] {
      let result = try program.run(arguments)
      #expect(result.status == 3 && result.errors.contains("the address book itself"), "\(arguments) \(result.errors)")
    }
    #expect(try card() == before)
  }

  @Test func aPhotoIsSetShownSavedAndCleared() throws {
    let before = try card()
    #expect(before.contains("\"photo\": null") || before.contains("\"photo\":null"))
    let set = try program.run("photo", "set", "1", Self.pictures + "/jpeg-baseline.jpg")
    #expect(set.status == 0, "\(set.errors)")
    #expect(set.output == "1\n")
    let bytes = try #require(try photo()?["bytes"] as? Int)
    #expect(bytes > 0 && bytes <= 131_072)

    let shown = try program.run("photo", "show", "1", "--columns", "20")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.split(separator: "\n", omittingEmptySubsequences: false).count == 11)
    #expect(isSafe(shown.outputBytes), "no colors where no terminal shows them")

    let file = program.folder.path + "/out.png"
    #expect(try program.run("photo", "save", "1", file).status == 0)
    let saved = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect(saved.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(saved.count == bytes)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try program.run("photo", "save", "1", "-").outputBytes == Array(saved))

    #expect(try program.run("photo", "clear", "1").output == "1\n")
    #expect(try photo() == nil)
    for command in [["show", "1"], ["clear", "1"], ["save", "1", file]] {
      let result = try program.run(["photo"] + command)
      #expect(result.status == 1, "\(command)")
      #expect(result.errors.contains("no photo"))
    }
  }

  /// Earlier versions stored photos with their metadata.
  @Test func storedMetadataIsLeftOutOfExports() throws {
    let camera = try Data(contentsOf: URL(fileURLWithPath: Self.pictures + "/jpeg-exif-orientation-6.jpg"))
    let clean = PictureMetadata.stripped([UInt8](camera), format: .jpeg)
    let book = try AddressBook.open(at: .file(program.book))
    var contact = Contact()
    contact.given = "Bob"
    let (bob, photo) = (contact, Photo(mediaType: "image/jpeg", data: camera))
    let id = try book.bulkWrite { try $0.write(bob, photo: photo).id }
    book.close()

    #expect(try program.run("photo", "save", "\(id)", "-").outputBytes == clean)
    for format in ["vcard", "json"] {
      let other = try Program()
      let exported = try program.run("export", "--format", format, "Bob")
      #expect(try other.run("import", "--keep-photo-metadata", "-", input: exported.outputBytes).status == 0)
      #expect(try other.run("photo", "save", "1", "-").outputBytes == clean, "\(format)")
    }
    #expect(try program.run("edit", "\(id)", "--set", "given=Rob").status == 0)
    let json = try program.json(program.run("show", "\(id)", "--format", "json").outputBytes) as? [String: Any]
    #expect((json?["photo"] as? [String: Any])?["bytes"] as? Int == clean.count)
  }

  @Test func aPhotoIsReadFromStandardInput() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Self.pictures + "/webp-lossy.webp"))
    #expect(try program.run("photo", "set", "1", "-", input: Array(bytes)).output == "1\n")
    let stored = try card()
    let refused = try program.run("photo", "set", "1", "-", input: Array("not a picture".utf8))
    #expect(refused.status == 3)
    #expect(refused.errors.contains("standard input"))
    #expect(try card() == stored)
  }

  @Test func devicesFoldersAndOtherFilesAreRefused() throws {
    let before = try card()
    let trap = try program.file("\u{1B}]0;pwn\u{7}\nx.png", "no picture")
    for (path, word) in [
      ("/dev/zero", "device"), ("/tmp", "folder"), (program.folder.path + "/missing.png", "no such file"),
      (trap, "text"),
    ] {
      let result = try program.run("photo", "set", "1", path)
      #expect(result.status == 3, "\(path)")
      #expect(result.errors.contains(word), "\(result.errors)")
      #expect(isSafe(result.errorBytes))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try card() == before)
    #expect(try program.run("photo", "set", "9", trap).status == 1)
  }

  @Test func refusalsAreLocalized() throws {
    var chinese = program
    chinese.environment["LANG"] = "zh_CN.UTF-8"
    let result = try chinese.run("photo", "set", "1", Self.pictures + "/svg.svg")
    #expect(result.status == 3)
    #expect(result.errors.contains("此文件（SVG）"), "\(result.errors)")
    #expect(result.errors.contains("联系人未作更改"))
  }

  @Test func aChangedPhotoChangesTheTimeOfModification() throws {
    func modified() throws -> String? { try program.contacts().first?["modified"] as? String }
    // Times are to the second.
    let before = "2020-01-01T00:00:00Z"
    try program.execute("UPDATE contact SET modified_at = '\(before)'")
    #expect(try modified() == before)
    try program.run("photo", "set", "1", Self.pictures + "/png-1x1.png")
    #expect(try #require(try modified()) > before)
  }

  // MARK: Folders with an index

  private struct Entry: Decodable {
    var file: String
    var expect: String
    var why: String
  }

  @Test func ownPicturesBehaveAsTheirIndexSays() throws { try check(Self.pictures) }

  @Test(.enabled(if: SharedMaterial.images.isNamed, "IMAGE_CORPUS is not set"))
  func corpusBehavesAsItsIndexSays() throws { try check(SharedMaterial.images.path) }

  private func check(_ folder: String) throws {
    let index = try Data(contentsOf: URL(fileURLWithPath: folder + "/index.json"))
    let entries = try JSONDecoder().decode([Entry].self, from: index)
    for entry in entries {
      let before = try card()
      let result = try program.run("photo", "set", "1", folder + "/" + entry.file, seconds: 20)
      let name = entry.file.debugDescription + " (\(entry.why))"
      if result.status == 0 {
        #expect(entry.expect != "reject", "\(name) was accepted")
        #expect(try photo() != nil)
      } else {
        #expect(result.status == 3, "\(name): status \(result.status)")
        #expect(entry.expect != "accept", "\(name) was refused: \(result.errors)")
        #expect(try card() == before, "\(name) changed the card")
        #expect(result.errors.split(separator: "\n").count == 1, "\(name): \(result.errors)")
        #expect(isSafe(result.errorBytes), "\(name)")
      }
    }
    print("\(entries.count) pictures set through the command")
  }
}
