import Contacts
import Foundation
import SharedMaterial
import Testing

@testable import AddressBookModel
@testable import BookInterchange

/// Cards whose rows are made in advance, in the thread that reads them, are imported like all others.
struct PipedCardTests {
  private let folder = TemporaryFolder()

  private struct Outcome: Equatable {
    var report: ImportReport?
    var failure: ImportError?
    var notices: [ImportNotice.Kind] = []
    var contacts: [Contact] = []
    var damaged: [Int64] = []
  }

  private func quick(_ files: [String]) throws -> Outcome {
    let book = try AddressBook.inMemory()
    var outcome = Outcome()
    let importer = Importer(book: book)
    importer.noticeLimit = .max
    importer.onNotice = { outcome.notices.append($0.kind) }
    do {
      outcome.report = try importer.run(files)
    } catch let error as ImportError {
      outcome.failure = error
    }
    try finish(&outcome, book)
    return outcome
  }

  /// Runs the same import one card at a time, without rows that are made in advance.
  private func plain(_ files: [String]) throws -> Outcome {
    let book = try AddressBook.inMemory()
    var outcome = Outcome()
    do {
      outcome.report = try book.store.transaction(isBulk: true, raisesVersions: true) { db in
        let recorder = try StepRecorder(db, name: StepName(.importing, ""), session: book.session)
        var session = try ImportSession(
          db, limits: Photo.limits, keepsPhotoMetadata: false, matching: [], recorder: recorder)
        session.onNotice = { outcome.notices.append($0.kind) }
        for file in files {
          guard let source = try CardFile.open(file, ImportReading(), isCancelled: { false }) else { continue }
          var isBeforeEnd = true
          while isBeforeEnd {
            var events: [CardEvent] = []
            isBeforeEnd = try source.next { events.append($0) }
            for event in events {
              switch event {
              case .card(let card): try session.importCard(card, file: file)
              case .finding(let line, let kind, _): session.report(kind, file: file, line: line)
              case .unreadable(let line, let kind): session.refuse(kind, file: file, line: line)
              }
            }
          }
        }
        try session.finish()
        try recorder.finish()
        return session.report
      }
    } catch let error as ImportError {
      outcome.failure = error
    }
    try finish(&outcome, book)
    return outcome
  }

  private func finish(_ outcome: inout Outcome, _ book: AddressBook) throws {
    try book.forEachContact(ids: nil) { contact in
      var contact = contact
      (contact.created, contact.modified) = ("", "")
      // A card without a UID gets a random one.
      if !contact.cardLines.contains(where: { $0.wholeMatch(of: /(?i)(\w+\.)?UID[:;].*/) != nil }) { contact.uid = "" }
      outcome.contacts.append(contact)
      return true
    }
    outcome.contacts.sort { $0.id < $1.id }
    outcome.damaged = book.damage.contacts
  }

  @Test func cardsOfAllKinds() throws {
    var cards = ""
    for number in 0..<700 {
      let name = ["李小龙", "Ann Lee", "Łukasz Żak", "山田 太郎"][number % 4] + " \(number)"
      switch number % 50 {
      case 7: cards += "BEGIN:VCARD\nVERSION:3.0\nFN:\(name)\nTEL:1\nEND:VCARD\n"
      case 11: cards += ImportRun.card("u\(number - 3)", name, "TEL:\(number)")
      case 13: cards += ImportRun.card("u\(number - 1)", "Quite Another", "BDAY:1970-01-01")
      case 17: cards += ImportRun.card("u\(number)", name, "NOTE:" + String(repeating: "x", count: 1 << 18))
      case 19: cards += ImportRun.card("URN:UUID:4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1", "Shared")
      case 23: cards += ImportRun.card("4fbe8971-0bc3-424c-9c26-36c3e1eff6b1", "Shared", "TEL:\(number)")
      case 29: cards += "BEGIN:VCARD\nVERSION:3.0\nUID:u\(number)\nEND:VCARD\n"
      case 31: cards += "stray\nBEGIN:VCARD\nUID:u\(number)\nFN:\(name)\nnonsense\n"
      case 37:
        cards += "BEGIN:VCARD\nVERSION:4.0\nKIND:group\nUID:g\(number)\nFN:group \(number)\nMEMBER:u\(number - 1)\n"
        cards += "MEMBER:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1\nMEMBER:nobody\nEND:VCARD\n"
      case 41: cards += ImportRun.card("u\(number)", name, "PHOTO;ENCODING=b;TYPE=GIF:R0lGODlhAQABAAAAACw=")
      default:
        cards += ImportRun.card(
          "u\(number)", name, "TEL;TYPE=home,pref:\(number)", "EMAIL:a\(number)@b.c", "CATEGORIES:b,a,b",
          "item1.URL:x", "item1.X-ABLabel:own", "ADR:;;1 Way;Town;;;", "BDAY:--0\(number % 9 + 1)-11", "X-ODD:\\n")
      }
    }
    let file = folder.write(Array(cards.utf8), to: "cards.vcf")
    let (quick, plain) = (try quick([file]), try plain([file]))
    #expect(quick == plain)
    #expect(quick.contacts.count > 600)
    #expect(quick.damaged.isEmpty)
  }

  @Test(.enabled(if: SharedMaterial.vCards.isNamed, "VCARD_CORPUS is not set"))
  func theCorpus() throws {
    let found = try #require(
      FileManager.default.enumerator(at: SharedMaterial.vCards.url, includingPropertiesForKeys: nil))
    let files = found.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".vcf") }.sorted()
    #expect(!files.isEmpty)
    for file in files { #expect(try quick([file]) == plain([file]), "\(file)") }
  }
}
