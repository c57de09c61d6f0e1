import Foundation

/// Entries for a ``DirectoryServer``, as LDIF.
public enum DirectoryPeople {
  /// A small company: people with Latin and Chinese names, one with a photo, and entries that are not contacts.
  public static let company = [
    "dn: ou=People,\(DirectoryServer.base)\nobjectClass: organizationalUnit\nou: People\n",
    person(
      "ann", "Ann Archer", "Archer", "Ann", mail: "ann@example.com", phone: "+46 8 555 0101",
      more: [
        "title: Head of Sales", "ou: Sales", "o: Example", "mobile: +46 70 555 0101",
        "labeledURI: https://example.com Web", "postalAddress: 1 High Street$Stockholm", "jpegPhoto:: \(photo)",
      ]),
    person(
      "bob", "Bob Berg", "Berg", "Bob", mail: "bob@example.com", phone: "+46 8 555 0102",
      more: ["o: Example", "ou: Sales"]),
    person("xiaolong", "李小龙", "李", "小龙", mail: "lee@example.com", phone: "+852 5555 0103", more: ["o:: 5ZiJ56a+"]),
    person("star", "Star (*) \\ Name", "Name", "Star", mail: "star@example.com", phone: "+46 8 555 0104"),
    "dn: cn=Ann's group,\(DirectoryServer.base)\nobjectClass: groupOfNames\ncn: Ann's group\n"
      + "member: uid=ann,ou=People,\(DirectoryServer.base)\n",
  ].joined(separator: "\n")

  /// A photo in base64.
  public static let photo: String = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/Images/jpeg-baseline.jpg")
    return FileManager.default.contents(atPath: file.path)?.base64EncodedString() ?? ""
  }()

  /// Makes the entry of a person.
  /// - Parameters:
  ///   - classes: its object classes besides `inetOrgPerson`.
  ///   - more: further lines.
  public static func person(
    _ uid: String, _ name: String, _ family: String, _ given: String, mail: String, phone: String,
    classes: [String] = [], more: [String] = []
  ) -> String {
    let head =
      ["dn: uid=\(uid),ou=People,\(DirectoryServer.base)", "objectClass: inetOrgPerson"]
      + classes.map { "objectClass: \($0)" }
    let lines = [
      "uid: \(uid)", line("cn", name), line("sn", family), line("givenName", given), line("mail", mail),
      line("telephoneNumber", phone),
    ]
    return (head + lines + more).joined(separator: "\n") + "\n"
  }

  /// Encodes a line with any text.
  public static func line(_ attribute: String, _ value: String) -> String { line(attribute, Array(value.utf8)) }

  /// Encodes a line with any bytes.
  public static func line(_ attribute: String, _ value: [UInt8]) -> String {
    attribute + ":: " + Data(value).base64EncodedString()
  }
}
