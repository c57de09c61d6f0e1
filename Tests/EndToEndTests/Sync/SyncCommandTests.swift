import Foundation
import Glibc
import Testing

/// `sync` with a folder, beyond the worked examples.
@Suite struct SyncCommandTests {
  private let program: Program
  private var folder: String { program.folder.path + "/cards" }

  init() throws {
    program = try Program()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  private func write(_ name: String, _ uid: String, _ lines: String...) throws {
    let card = (["BEGIN:VCARD", "VERSION:3.0", "UID:" + uid] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    try Data(card.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  private func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: folder + "/" + name) ?? Data(), as: UTF8.self)
  }

  @Test func invalidArgumentsAreReported() throws {
    #expect(try program.run("sync", "--prefer", "nobody", folder).status == 2)
    #expect(try program.run("sync", "--watch", "--dry-run", folder).status == 2)
    #expect(try program.run("sync").status == 2)
    #expect(try program.run("sync", folder + "/none").status == 3)
    #expect(try program.run("sync", try program.file("plain", "x")).status == 3)
  }

  @Test func foldersOfAnAccountAreKnownBehindALink() throws {
    var program = program
    let (data, home) = (program.folder.path + "/data", program.folder.path + "/home")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: "home")
    program.environment = ["ADDRESSBOOK_FILE": "", "XDG_DATA_HOME": data]
    #expect(try program.run("account", "add", "http://127.0.0.1:1/", "--name", "dav").status == 0)
    try write("ann.vcf", "ann", "N:Lee;Ann;;;", "FN:Ann Lee")
    try FileManager.default.copyItem(atPath: folder, toPath: data + "/addressbook/accounts/dav/cards/private")
    try write("ann.vcf", "bob", "N:Berg;Bob;;;", "FN:Bob Berg")
    try FileManager.default.copyItem(atPath: folder, toPath: data + "/other")
    // Without the server, only the folders are synced.
    #expect(try program.run("sync").status == 3)
    #expect(try program.run("sync", data + "/other").status == 0)
    let real = URL(filePath: home).resolvingSymlinksInPath().path
    let list = try program.run("account", "list", "--format", "tsv").lines.map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(list.count == 3 && list[1].first?.hasPrefix("  ") == true && list[2].contains(real + "/other"))
    #expect(try program.run("account", "remove", "dav").status == 0)
    let left = try program.run("account", "list", "--format", "tsv").lines
    #expect(left.count == 1 && left[0].contains(real + "/other"))
  }

  @Test func aSyncIsUndoneInOneStep() throws {
    try write("ann.vcf", "ann", "N:Lee;Ann;;;", "FN:Ann Lee")
    #expect(try program.run("sync", folder).status == 0)
    try write("ann.vcf", "ann", "N:Lee;Ann;;;", "FN:Ann Lee", "TITLE:Poet")
    #expect(try program.run("sync", folder).status == 0)
    #expect(try program.run("undo").status == 0)
    #expect(try program.contacts().first?["title"] as? String == "")
    // The undo is an edit like any other, and goes to the folder.
    #expect(try program.run("sync", folder).status == 0)
    #expect(!text("ann.vcf").contains("TITLE:Poet"))
  }

  @Test func aContactBelongsToTheFolderThatItCameFrom() throws {
    let other = program.folder.path + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    try write("ann.vcf", "ann", "N:Lee;Ann;;;", "FN:Ann Lee")
    try program.run("sync", folder)
    try program.run("sync", other)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
    // A card that is moved from one folder to the other is still the same contact.
    let id = try #require(try program.contacts().first?["id"] as? Int)
    #expect(rename(folder + "/ann.vcf", other + "/ann.vcf") == 0)
    #expect(try program.run("sync", other).status == 0)
    #expect(try program.run("sync", folder, "--force-delete").status == 0)
    #expect(try program.contacts().map { $0["id"] as? Int } == [id])
    #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["ann.vcf"])
  }

  @Test func contactsAreMovedBetweenFolders() throws {
    let other = program.folder.path + "/other"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: other).sorted() }
    try write("ann.vcf", "ann", "N:Lee;Ann;;;", "FN:Ann Lee")
    for path in [folder, other] { try program.run("sync", path) }
    #expect(try program.run("folder", "--format", "tsv").output.hasPrefix("1\tcards\t\t/"))
    let unknown = try program.run("list", "--folder", "nosuch")
    #expect(unknown.status == 1 && unknown.errors.contains("the folders are: cards, other"), "\(unknown.errors)")
    #expect(try program.run("list", "--folder", "other").status == 1)
    #expect(try program.run("folder", "move", "other", "ann").output == "1\n")
    #expect(try program.run("list", "--folder", "other", "--columns", "name").lines.count == 2)
    #expect(try program.run("query", "--folder", "cards", "ann").status == 1)
    #expect(try program.run("folder", "list", other, "--format", "tsv").output == "1\tAnn Lee\n")
    #expect(try program.run("show", "ann").output.contains("Folder"))
    #expect(try program.run("log", "ann").output.contains("Folder: cards → other"))
    #expect(try program.run("log", "--format", "json", "ann").output.contains("\"before\": [\"cards\"]"))
    for path in [folder, other] { #expect(try program.run("sync", path, "--force-delete").status == 0) }
    #expect(try text("ann.vcf").isEmpty && names() == ["ann.vcf"])
    #expect(try program.run("undo").errors.contains("Move to folder other"))
    for path in [folder, other] { #expect(try program.run("sync", path, "--force-delete").status == 0) }
    #expect(try !text("ann.vcf").isEmpty && names().isEmpty)
    // A contact that is removed from all folders stays in the book.
    #expect(try program.run("folder", "remove", "ann").status == 0)
    for path in [folder, other] { #expect(try program.run("sync", path, "--force-delete").status == 0) }
    #expect(try text("ann.vcf").isEmpty && names().isEmpty && program.contacts().count == 1)
    // Names and colors.
    #expect(try program.run("folder", "rename", "other", "公司").status == 0)
    #expect(try program.run("folder", "color", "公司", "#FF8800").status == 0)
    #expect(try program.run("folder", "color", "公司", "orange").status == 2)
    #expect(try program.run("folder", "--format", "tsv").output.contains("0\t公司\t#FF8800\t/"))
    #expect(try names() == ["color", "displayname"])
    #expect(try program.run("folder", "move", "nowhere", "ann").status == 1)
    #expect(try program.run("folder", "rename", "公司", "cards").status == 0)
    #expect(try program.run("folder", "move", "cards", "ann").errors.contains("/other"))
  }

  @Test func aWatchFollowsBothSides() throws {
    let running = try program.start(["sync", "--watch", folder])
    defer {
      kill(running.process.processIdentifier, SIGKILL)
      running.wait(5)
    }
    try write("ann.vcf", "ann", "N:Lee;Ann;;;", "FN:Ann Lee")
    #expect(try poll { (try? program.contacts())?.first?["name"] as? String == "Ann Lee" })
    try program.run("edit", "ann", "--set", "title=Poet")
    #expect(try poll { text("ann.vcf").contains("TITLE:Poet") })
    // Only one process can watch a folder.
    #expect(try program.run("sync", "--watch", folder).status == 3)
    kill(running.process.processIdentifier, SIGINT)
    #expect(try poll { !running.process.isRunning })
    let result = try running.result()
    #expect(result.status == 0)
    #expect(result.errors.contains("syncing when the book or the folder changes") && !result.errors.contains("server"))
  }

  private func poll(_ condition: () throws -> Bool) throws -> Bool {
    let end = Date().addingTimeInterval(20)
    while Date() < end {
      if try condition() { return true }
      usleep(50_000)
    }
    return false
  }

  @Test(.enabled(if: geteuid() != 0, "root can write everything")) func anUnwritableFolderIsReported() throws {
    try program.run("add", "--set", "family=Lee")
    chmod(folder, 0o500)
    defer { chmod(folder, 0o700) }
    let result = try program.run("sync", folder)
    #expect(result.status == 3 && result.errors.contains(folder))
  }

  /// Whatever a file contains, no file name and no text reaches the terminal as a control sequence.
  @Test func hostileNamesAndTextsAreShownAsMarks() throws {
    try write("\u{1B}]0;x\u{07}.vcf", "ann", "FN:\u{1B}[31mred")
    try Data("junk".utf8).write(to: URL(fileURLWithPath: folder + "/\u{1B}[2J.vcf"))
    let result = try program.run("sync", folder)
    #expect(result.status == 1)
    #expect(isSafe(result.errorBytes) && result.errors.contains("␛[2J.vcf"), "\(result.errors)")
  }
}
