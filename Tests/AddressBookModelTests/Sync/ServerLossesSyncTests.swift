import Contacts
import Foundation
import Testing

@testable import AddressBookModel
@testable import BookInterchange
@testable import FolderSync

/// Syncs with what servers made of the files, as recorded from Radicale 3.1.8 and khard 0.18.
@Suite struct ServerLossesSyncTests {
  private let folder = TemporaryFolder()
  private let book: AddressBook
  private let cards: String
  private let png =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mP4z8AARAwQCgAf7gP9Y167WwAAAABJRU5ErkJggg=="

  init() throws {
    book = try AddressBook.open(at: folder.book())
    cards = folder.file("cards")
    try FileManager.default.createDirectory(atPath: cards, withIntermediateDirectories: false)
  }

  private func card(_ version: String, _ lines: [String]) -> String {
    (["BEGIN:VCARD", "VERSION:" + version] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
  }

  private func serve(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: cards + "/ann.vcf")) }

  /// The lines of the file, unfolded.
  private func lines() -> [String] {
    String(decoding: FileManager.default.contents(atPath: cards + "/ann.vcf") ?? Data(), as: UTF8.self)
      .replacingOccurrences(of: "\r\n ", with: "").components(separatedBy: "\r\n")
  }

  private func ann() throws -> Contact { try #require(try book.contact(uid: "ann")) }

  private func edit(_ change: (inout Contact) -> Void) throws {
    let id = try ann().id
    try book.bulkWrite(groups: .replace) { try $0.change(id, change) }
  }

  @discardableResult private func sync() throws -> SyncReport { try FolderSync(book: book, path: cards).run() }

  private func add(_ version: String, _ lines: String...) throws {
    let text = card(version, ["UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;"] + lines)
    _ = try Importer(book: book).run([folder.write(Array(text.utf8), to: "ann-import.vcf")])
  }

  @Test(arguments: ["3.0", "4.0"]) func theFileIsWrittenSoThatServersKeepIt(_ version: String) throws {
    try add(
      version, "URL:http://a/b,c", "IMPP:x-apple:d,e", "X-SOCIALPROFILE;TYPE=x:http://f,g", "NOTE:h,i",
      "PHOTO:data:image/png;base64," + png, "ORG:J, Inc;k", "X-FOO:l,m")
    try sync()
    #expect(
      Set(lines()).isSuperset(of: [
        #"URL:http://a/b\,c"#, #"IMPP:x-apple:d\,e"#, #"X-SOCIALPROFILE;TYPE=x:http://f\,g"#, #"NOTE:h\,i"#,
        #"PHOTO:data:image/png;base64\,"# + png, #"ORG:J\, Inc;k"#, "X-FOO:l,m",
      ]))
    let before = try ann()
    let answer = [
      "UID:ann", "FN:Ann Lee", #"IMPP:x-apple:d\,e"#, "N:Lee;Ann;;;", #"NOTE:h\,i"#, #"ORG:J\, Inc;k"#,
      #"PHOTO:data:image/png\;base64\,"# + png, #"URL:http://a/b\,c"#, "X-FOO:l",
      #"X-SOCIALPROFILE;TYPE=x:http://f\,g"#,
    ]
    for _ in 0..<3 {
      try serve(card(version, answer))
      let report = try sync()
      #expect(report.toBook.total == 0 && report.toFolder.total == 0)
      #expect(try ann() == before)
    }
    // The next edit gives the server what it cut, as far as it can keep it, and then there is nothing to do.
    try edit { $0.title = "Poet" }
    #expect(try sync().toFolder.changed == 1)
    #expect(lines().contains("X-FOO:l,m") && lines().contains("TITLE:Poet"))
  }

  /// The file is an earlier version's, or another program's.
  @Test(arguments: ["3.0", "4.0"]) func whatAServerCutComesBack(_ version: String) throws {
    let whole = [
      "UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "URL:http://a/b,c", "IMPP:x-apple:d,e", "NOTE:h,i",
      "PHOTO:data:image/png;base64," + png, version == "3.0" ? "BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-28" : "BDAY:--0228",
    ]
    try serve(card(version, whole))
    try sync()
    let before = try ann()
    #expect(before.photo != nil && before.birthday?.year == nil)
    let cut = [
      "UID:ann", "BDAY:1604-02-28", "FN:Ann Lee", "IMPP:x-apple:d", "N:Lee;Ann;;;", "NOTE:h",
      #"PHOTO:data:image/png\;base64"#, "TITLE:Poet", "URL:http://a/b",
    ]
    try serve(card(version, cut))
    let report = try sync()
    #expect(report.toBook.changed == 1 && report.toFolder.changed == 1 && report.conflicts.isEmpty)
    var after = try ann()
    #expect(after.title == "Poet" && lines().contains(#"URL:http://a/b\,c"#) && lines().contains(#"NOTE:h\,i"#))
    #expect(lines().contains(#"PHOTO:data:image/png;base64\,"# + png) && lines().contains(whole[7]))
    (after.title, after.cardLines) = ("", before.cardLines)
    #expect(after.comparable == before.comparable)
    // A server that cuts it again gets it only once.
    for _ in 0..<3 {
      try serve(card(version, cut))
      let report = try sync()
      #expect(report.toBook.total == 0 && report.toFolder.total == 0)
    }
    #expect(try ann().photo == before.photo && ann().urls == before.urls)
  }

  @Test func aCutIsNoEditOfADeletedContact() throws {
    try serve(card("3.0", ["UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "URL:http://a/b,c"]))
    try sync()
    let id = try ann().id
    try book.bulkWrite { try $0.delete(id) }
    try serve(card("3.0", ["UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "URL:http://a/b"]))
    #expect(try FolderSync(book: book, path: cards).forced().toFolder.deleted == 1)
    #expect(try book.contact(uid: "ann") == nil)
  }

  @Test func aUIDThatWasCutIsTheSame() throws {
    try serve(card("3.0", ["UID:ann,1", "FN:Ann Lee", "N:Lee;Ann;;;"]))
    try sync()
    let id = try #require(try book.contact(uid: "ann,1")).id
    try serve(card("3.0", ["UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "TITLE:Poet"]))
    let report = try sync()
    #expect(report.toBook.total == 1 && report.toBook.changed == 1)
    #expect(try book.contact(uid: "ann,1")?.id == id && book.contactCount() == 1)
    #expect(lines().contains(#"UID:ann\,1"#))
    #expect(try sync().toFolder.total == 0)
  }

  /// vdirsyncer merges with the same rules.
  @Test func aMergeOfTwoCardsUndoesLosses() throws {
    let own = ["UID:ann", "FN:Ann Lee", "N:Lee;Ann;;;", "URL:http://a/b,c", "PHOTO:data:image/png;base64," + png]
    let base = card("4.0", own)
    let mine = card("4.0", own + ["TITLE:Poet"])
    let theirs = card(
      "4.0", Array(own[..<3]) + ["URL:http://a/b", #"PHOTO:data:image/png\;base64"#, "NICKNAME:Annie"])
    let merge = try #require(
      CardMerge(base: Array(base.utf8), mine: Array(mine.utf8), theirs: Array(theirs.utf8), prefers: nil))
    let text = String(decoding: merge.bytes, as: UTF8.self).replacingOccurrences(of: "\r\n ", with: "")
    for line in [#"URL:http://a/b\,c"#, #"PHOTO:data:image/png;base64\,"# + png, "TITLE:Poet", "NICKNAME:Annie"] {
      #expect(text.contains(line + "\r\n"), "\(line)")
    }
  }
}

extension FolderSync {
  fileprivate func forced() throws -> SyncReport {
    forcesDeletion = true
    return try run()
  }
}
