import Foundation
import SharedMaterial
import Testing

/// The worked examples of sections on the command line. All contacts are imported into one book as JSON and into
/// another as a vCard file, and `list` shows their sections.
@Suite struct SectionCaseTests {
  private struct Case: Decodable {
    var name: String
    var expectedSection: String
    var note: String?
    var alsoAcceptable: [String]?
    var structured: Bool?
    var family, given, org, nickname, phone, email, phoneticFamily, phoneticGiven: String?

    /// Returns the contact as a JSON object. In an unstructured case, `name` is the display name; in a structured case,
    /// the name is composed of its parts, and is the family name if there are none.
    func contact(uid: String) -> [String: Any] {
      var contact: [String: Any] = ["uid": uid]
      contact["name"] = structured == true ? nil : name
      contact["family"] = family ?? (structured == true && given == nil ? name : nil)
      contact["given"] = given
      contact["phoneticFamily"] = phoneticFamily
      contact["phoneticGiven"] = phoneticGiven
      contact["organization"] = org
      contact["nickname"] = nickname
      contact["phones"] = phone.map { [["value": $0]] }
      contact["emails"] = email.map { [["value": $0]] }
      return contact
    }

    /// Returns the same contact as a vCard.
    func card(uid: String) -> String {
      var lines = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(uid)"]
      if family != nil || given != nil { lines.append("N:\(family ?? "");\(given ?? "");;;") }
      if family == nil, given == nil { lines.append("N:;;;;") }
      if structured != true || (family == nil && given == nil) { lines.append("FN:\(name)") }
      if let phoneticFamily { lines.append("X-PHONETIC-LAST-NAME:\(phoneticFamily)") }
      if let phoneticGiven { lines.append("X-PHONETIC-FIRST-NAME:\(phoneticGiven)") }
      if let org { lines.append("ORG:\(org)") }
      if let nickname { lines.append("NICKNAME:\(nickname)") }
      if let phone { lines.append("TEL:\(phone)") }
      if let email { lines.append("EMAIL:\(email)") }
      return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }
  }

  private func check(_ data: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let cases = try decoder.decode([Case].self, from: data)
    #expect(!cases.isEmpty)
    let contacts = try JSONSerialization.data(
      withJSONObject: cases.enumerated().map { $1.contact(uid: "case-\($0)") })
    let cards = cases.enumerated().map { $1.card(uid: "case-\($0)") }.joined()
    try check(cases, format: "json", input: Array(contacts))
    try check(cases, format: "vcard", input: Array(cards.utf8))
  }

  private func check(_ cases: [Case], format: String, input: [UInt8]) throws {
    let program = try Program()
    let imported = try program.run("import", "--format", format, "-", input: input)
    #expect(imported.status == 0, "\(imported.errors)")
    let listed = try program.contacts()
    #expect(listed.count == cases.count)
    let sections = Dictionary(
      listed.map { ($0["uid"] as? String ?? "", $0["section"] as? String ?? "") },
      uniquingKeysWith: { first, _ in first })
    var failures = 0
    for (index, example) in cases.enumerated() {
      let found = sections["case-\(index)"] ?? "nowhere"
      let accepted = [example.expectedSection] + (example.alsoAcceptable ?? [])
      guard !accepted.contains(found) else { continue }
      failures += 1
      print(
        "section case failed (\(format)): \(example.name) is in \(found), expected \(accepted) (\(example.note ?? ""))")
    }
    #expect(failures == 0, "\(failures) of \(cases.count) section cases failed (\(format))")
    // The order of the list is that of its sections, with # after Z.
    let order = listed.map { $0["section"] as? String ?? "" }.map { $0 == "#" ? "~" : $0 }
    #expect(order == order.sorted())
  }

  @Test func ownCases() throws { try check(CaseFile.own("Pinyin/sections.json")) }

  @Test(.enabled(if: SharedMaterial.sectionCases.isNamed, "SECTION_CASES is not set"))
  func namedCases() throws { try check(Data(contentsOf: SharedMaterial.sectionCases.url)) }
}
