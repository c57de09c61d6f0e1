import Contacts
import Foundation
import SeededRandom
import SharedMaterial
import Testing

@testable import ContactInterchange

@Suite struct DirectoryLoadTests {
  /// OpenLDAP takes every entry, with the schema of `inetOrgPerson` and Thunderbird's.
  @Test(.enabled(if: DirectoryServer.isInstalled, "slapd is not installed"))
  func aDirectoryLoadsTheFile() throws {
    let seed = UInt64.random(in: 0..<UInt64.max)
    print("seed \(seed)")
    var random = RandomContacts(generator: SeededGenerator(seed: seed))
    var writer = LDIFWriter()
    var text = ""
    for number in 0..<300 {
      var contact = random.contact()
      contact.uid = "u\(number)"
      contact.groups = [["friends", "Friends", "choir"][number % 3]]
      // The syntax of these attributes allows ASCII only.
      contact.emails = number % 2 == 0 ? [] : [LabeledValue(value: "a\(number % 20)@b.example")]
      contact.phones = [LabeledValue(value: "+1 \(number)"), LabeledValue(label: "work mobile", value: "2")]
      if number % 4 == 0 { (contact.family, contact.given, contact.formattedName) = ("Ames", "Ann", "") }
      if number % 5 == 0 { contact.addresses = [PostalAddress(label: "work", street: "a\nb", country: "Germany")] }
      text += writer.write(contact, photo: number == 7 ? [0xFF, 0xD8, 0xFF] : nil)
    }
    text += writer.groups()
    let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/LDAP/thunderbird.schema").path
    let complaints = try DirectoryServer.complaints(about: text, schema: schema)
    #expect(complaints.isEmpty, "seed \(seed): \(complaints)")
  }
}
