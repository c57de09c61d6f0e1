import Contacts
import Dispatch
import Foundation
import SharedMaterial
import Testing

@testable import LDAPDirectory

/// Searches on a real LDAP server on this machine.
@Suite(.enabled(if: DirectoryServer.isInstalled, "slapd is not installed")) struct DirectorySearchTests {
  /// Searches, and sorts what was found by id.
  private func find(
    _ text: String, in connection: DirectoryConnection, limit: Int = 0, withPhotos: Bool = false
  ) throws -> (found: [DirectoryContact], answer: DirectoryConnection.Answer) {
    var found: [DirectoryContact] = []
    let answer = try connection.search(text, limit: limit, withPhotos: withPhotos, isCancelled: { false }) {
      found += $0
    }
    return (found.sorted { $0.id < $1.id }, answer)
  }

  private func connection(to server: DirectoryServer, path: String? = nil) throws -> DirectoryConnection {
    DirectoryConnection(
      DirectoryAccess(try DirectoryURL(path.map { "ldap://127.0.0.1:\(server.port)" + $0 } ?? server.url)))
  }

  private func names(_ text: String, _ connection: DirectoryConnection) throws -> [String] {
    try find(text, in: connection).found.map(\.contact.displayName)
  }

  @Test func theQueryIsFoundInAnyAttribute() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let connection = try connection(to: server)
    #expect(try names("ann", connection) == ["Ann Archer"])
    #expect(try names("sales exam", connection) == ["Ann Archer", "Bob Berg"])
    #expect(try names("小龙", connection) == ["李小龙"])
    #expect(try names("555 0102", connection) == ["Bob Berg"])
    #expect(try names("\"ob be\"", connection) == ["Bob Berg"])
    #expect(try names("nobody", connection) == [])
    // Only people are found, neither the unit nor the group.
    #expect(try names("", connection).count == 4)
  }

  @Test func textNeverBecomesAFilter() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let connection = try connection(to: server)
    #expect(try names("*", connection) == ["Star (*) \\ Name"])
    #expect(try names("(*)", connection) == ["Star (*) \\ Name"])
    #expect(try names("\\", connection) == ["Star (*) \\ Name"])
    #expect(try names("*)(uid=*", connection) == [])
  }

  @Test func anEntryBecomesAContact() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let connection = try connection(to: server)
    let ann = try #require(find("ann", in: connection).found.first)
    #expect(ann.contact.given == "Ann" && ann.contact.family == "Archer" && ann.contact.formattedName.isEmpty)
    #expect(ann.contact.title == "Head of Sales" && ann.contact.department == "Sales")
    #expect(ann.contact.phones.map(\.value).sorted() == ["+46 70 555 0101", "+46 8 555 0101"])
    #expect(ann.contact.emails.map(\.value) == ["ann@example.com"])
    #expect(ann.contact.urls == [LabeledValue(label: "Web", value: "https://example.com")])
    #expect(ann.contact.addresses.first?.street == "1 High Street\nStockholm")
    // The UUID that the server gave the entry (RFC 4530).
    #expect(ann.contact.uid.count == 36)
    #expect(ann.picture == nil)
    let whole = try #require(try connection.contact(ann.id) { false })
    #expect(whole.contact == ann.contact)
    #expect(whole.picture.map { Data($0) } == Data(base64Encoded: DirectoryPeople.photo))
    #expect(try connection.contact("uid=gone,\(DirectoryServer.base)") { false } == nil)
  }

  @Test func theServerIsAskedForItsBase() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    #expect(try names("ann", connection(to: server, path: "")) == ["Ann Archer"])
  }

  @Test func theAddressNarrowsTheSearch() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let base = DirectoryServer.base
    #expect(try names("", connection(to: server, path: "/\(base)??one")) == [])
    #expect(
      try names("sales", connection(to: server, path: "/ou=People,\(base)?cn,mail?one?(sn=Berg)")) == ["Bob Berg"])
    let few = try find("bob", in: connection(to: server, path: "/\(base)?cn,mail")).found
    #expect(few.first?.contact.phones == [])
    #expect(few.first?.contact.emails.count == 1)
    #expect(few.first?.contact.uid.count == 36)
  }

  @Test func incompleteResultsAreReported() throws {
    let people = (0..<30).map {
      DirectoryPeople.person(
        "p\($0)", "Person \($0)", "\($0)", "Person", mail: "p\($0)@example.com", phone: "+46 \($0)")
    }
    var settings = DirectoryServer.Settings()
    settings.sizeLimit = 20
    let unit = "dn: ou=People,\(DirectoryServer.base)\nobjectClass: organizationalUnit\nou: People\n\n"
    let server = try DirectoryServer(settings, entries: unit + people.joined(separator: "\n"))
    let connection = try connection(to: server)
    let own = try find("person", in: connection, limit: 10)
    #expect(own.found.count == 10 && own.answer.isCut)
    let ofServer = try find("person", in: connection)
    #expect(ofServer.found.count == 20 && ofServer.answer.isCut)
    let all = try find("person 7", in: connection)
    #expect(all.found.count == 3 && !all.answer.isCut)
  }

  @Test func aPasswordIsChecked() throws {
    var settings = DirectoryServer.Settings()
    settings.refusesStrangers = true
    let server = try DirectoryServer(settings, entries: DirectoryPeople.company)
    var access = DirectoryAccess(try DirectoryURL(server.url))
    #expect(reason { try names("ann", DirectoryConnection(access)) } == .wrongPassword)
    access.user = DirectoryServer.user.name
    access.password = Array("wrong".utf8)
    #expect(reason { try names("ann", DirectoryConnection(access)) } == .wrongPassword)
    access.password = Array(DirectoryServer.user.password.utf8)
    #expect(try names("ann", DirectoryConnection(access)) == ["Ann Archer"])
  }

  @Test func missingBasesAndServersAreReported() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    #expect(reason { try names("a", connection(to: server, path: "/dc=nowhere")) } == .missingBase)
    #expect(reason { try names("a", connection(to: server, path: "/ou=Gone,\(DirectoryServer.base)")) } == .missingBase)
    #expect(reason { try names("a", connection(to: server, path: "/\(DirectoryServer.base)???(=)")) } == .badFilter)
    server.stop()
    #expect(reason { try names("a", connection(to: server)) } == .unreachable)
  }

  @Test func aRestartedServerIsReconnected() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    let connection = try connection(to: server)
    #expect(try names("ann", connection) == ["Ann Archer"])
    server.stop()
    #expect(reason { try names("ann", connection) } == .unreachable)
    try server.start()
    #expect(try names("ann", connection) == ["Ann Archer"])
    // The connection that was just used is closed; the search reconnects without an error.
    server.stop()
    try server.start()
    #expect(try names("ann", connection) == ["Ann Archer"])
  }

  @Test func searchesOfASilentServerTimeOut() throws {
    let server = try DirectoryServer(entries: DirectoryPeople.company)
    var access = DirectoryAccess(try DirectoryURL(server.url))
    access.timeout = 1
    let connection = DirectoryConnection(access)
    #expect(try names("ann", connection) == ["Ann Archer"])
    server.pause(true)
    #expect(reason { try names("ann", connection) } == .timedOut)
    let begin = DispatchTime.now()
    #expect(
      reason { _ = try connection.search("ann", limit: 0, isCancelled: { true }) { _ in } } == .cancelled)
    #expect(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds < 5_000_000_000)
    server.pause(false)
    #expect(try names("ann", connection) == ["Ann Archer"])
  }

  @Test func hostileEntriesAreSurvived() throws {
    let many = (0..<3000).map { "telephoneNumber: +46 8 \($0)" }
    let entries = [
      DirectoryPeople.company,
      DirectoryPeople.person(
        "esc", "Evil\u{1B}]0;title\u{07}\u{1B}[2J Name", "\u{9B}31m", "\u{202E}Evil", mail: "evil@example.com\n",
        phone: "1", more: [DirectoryPeople.line("description", "line\u{1B}c\nline\0end")]),
      DirectoryPeople.person("many", "Many Numbers", "Many", "M", mail: "many@example.com", phone: "1", more: many),
      DirectoryPeople.person(
        "huge", "Huge", "Huge", "H", mail: "huge@example.com", phone: "1",
        more: [DirectoryPeople.line("description", String(repeating: "長い", count: 1 << 20))]),
      DirectoryPeople.person(
        "bytes", "Bytes", "Bytes", "B", mail: "bytes@example.com", phone: "1", classes: ["adUser"],
        more: [
          DirectoryPeople.line("company", [0xFF, 0xFE, 0x80, 0x00, 0x41]),
          DirectoryPeople.line("objectGUID", Array(0..<16)),
          DirectoryPeople.line("jpegPhoto", [0xFF, 0xD8, 0x00, 0x01]),
        ]),
      "dn: cn=Elsewhere,\(DirectoryServer.base)\nobjectClass: referral\nobjectClass: extensibleObject\n"
        + "cn: Elsewhere\nref: ldap://192.0.2.1/dc=example,dc=org\n",
    ].joined(separator: "\n")
    let server = try DirectoryServer(entries: entries)
    let connection = try connection(to: server)
    let evil = try #require(find("evil@", in: connection).found.first?.contact)
    #expect(evil.displayName.contains("Evil"))
    #expect(!evil.note.unicodeScalars.contains("\0") && evil.note.contains("end"))
    #expect(try find("many@", in: connection).found.first?.contact.phones.count == LDAPEntry.limit.values)
    let huge = try #require(find("huge@", in: connection).found.first?.contact)
    #expect((1...LDAPEntry.limit.text).contains(huge.note.utf8.count))
    let bytes = try #require(find("bytes@", in: connection, withPhotos: true).found.first)
    #expect(bytes.picture == [0xFF, 0xD8, 0x00, 0x01])
    #expect(!bytes.contact.organization.isEmpty && !bytes.contact.organization.unicodeScalars.contains("\0"))
    // The reference is not followed: nothing is at its address.
    let all = try find("", in: connection)
    #expect(all.answer.references == 1 && all.found.count == 8)
    for found in all.found { #expect(ContactRules.issues(in: found.contact).allSatisfy { $0.severity == .warning }) }
  }

  @Test func anEntryWithoutAnIdentifierGetsItsURL() throws {
    #expect(uid("uid=a b,dc=x", []) == "ldap:///uid=a%20b,dc=x")
    #expect(uid("cn=李", []) == "ldap:///cn=%E6%9D%8E")
    #expect(uid("a=b", [("objectGUID", [Array(0..<16)])]) == "03020100-0504-0706-0809-0a0b0c0d0e0f")
    #expect(uid("a=b", [("nsUniqueId", [Array("1-2-3-4".utf8)])]) == "1-2-3-4")
    #expect(uid("a=b", [("entryUUID", [Array("u".utf8)]), ("objectGUID", [Array(0..<16)])]) == "u")
  }

  private func uid(_ name: String, _ attributes: [(name: String, values: [[UInt8]])]) -> String? {
    var entry = LDAPEntry(name: name)
    entry.add("mail", [Array("a@b".utf8)])
    for (name, values) in attributes { entry.add(name, values) }
    return DirectoryContact(entry, .init(), photos: [])?.contact.uid
  }

  private func reason(_ body: () throws -> some Any) -> DirectoryError.Reason? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? DirectoryError)?.reason
    }
  }
}
