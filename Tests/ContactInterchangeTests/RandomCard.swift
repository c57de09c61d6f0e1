import Contacts
import VCard

/// Cards as many programs write them, and edits of their contacts.
enum RandomCard {
  /// Returns the unfolded lines of a random card.
  static func lines(_ version: CardVersion, using random: inout some RandomNumberGenerator) -> [String] {
    let types =
      version == .v40
      ? ["", ";TYPE=home", ";TYPE=\"work,voice\"", ";PREF=1", ";PREF=2;TYPE=cell", ";ALTID=1;TYPE=x-a"]
      : ["", ";TYPE=HOME", ";type=WORK;type=VOICE;type=pref", ";TYPE=cell,voice", ";X-P=\"a;b\";TYPE=OTHER"]
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
    func number() -> String { String(Int.random(in: 100...999, using: &random)) }
    var lines = ["N:Lee;Bruce;\(pick(["", "Jun", "Jun,Fan"]));;", "FN:\(pick(["Bruce Lee", "李小龙", "B. Lee, Sifu"]))"]
    lines[1] = lines[1].replacing(", Sifu", with: "\\, Sifu")
    if Bool.random(using: &random) { lines.append("UID:\(pick(["urn:uuid:", ""]))\(number())") }
    let optional = [
      "ORG:Golden Harvest;Film;\(number())", "TITLE:Actor", "NICKNAME:a,b", "X-PHONETIC-FIRST-NAME:x", "ROLE:r",
      "NOTE;LANGUAGE=en:long \(String(repeating: "text ", count: 30))\\nend", "REV:2001-02-03T00:00:00Z",
      "PRODID:-//x", "CATEGORIES:b,a", "X-UNKNOWN;A=^n^^:\\,\\;", version == .v40 ? "BDAY:--0203" : "BDAY:1940-11-27",
      "item9.URL;type=pref:http\\://a/\(number())", "IMPP;X-SERVICE-TYPE=Skype:skype:x", "X-AIM:y",
      "KIND:individual", "GEO:1;2",
      version == .v40 ? "PHOTO:data:image/png;base64,iVBORw0KGgo=" : "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=",
    ]
    for line in optional where Int.random(in: 0..<3, using: &random) == 0 { lines.append(line) }
    for index in 0..<Int.random(in: 0...4, using: &random) {
      lines.append("TEL\(pick(types)):\(number())\(index)")
      lines.append("EMAIL\(pick(types)):a\(number())\(index)@b.c")
      if Bool.random(using: &random) {
        lines.append("item\(index).ADR\(pick(types)):;;S \(number());C\\, D;;1;\(index)")
        lines.append("item\(index).X-ABADR:us")
        if Bool.random(using: &random) { lines.append("item\(index).X-ABLabel:\(pick(["_$!<Home>!$_", "Hütte"]))") }
      }
    }
    return lines.shuffled(using: &random)
  }

  /// Edits a contact.
  /// - Returns: a description of the edit, and the maximum number of lines of the card that it may change.
  static func edit(
    _ contact: inout Contact, using random: inout some RandomNumberGenerator
  ) -> (what: String, lines: Int) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      contact.note = "new; note,\nhere"
      return ("note", 1)
    case 1 where !contact.phones.isEmpty:
      contact.phones[Int.random(in: contact.phones.indices, using: &random)].value = "+49 1"
      return ("phone", 1)
    case 2 where !contact.emails.isEmpty:
      contact.emails.remove(at: Int.random(in: contact.emails.indices, using: &random))
      return ("email removed", 1)
    case 3:
      contact.phones.append(LabeledValue(label: "mobile", value: "77"))
      return ("phone added", 1)
    case 4 where !contact.addresses.isEmpty:
      contact.addresses[0].city = "Ürümqi"
      return ("city", 1)
    case 5:
      contact.given = "Brandon"
      contact.formattedName = ""
      return ("name", 2)
    case 6:
      contact.groups = ["a", "z"]
      return ("groups", 1)
    case 7:
      contact.urls = []
      return ("websites", 1)
    default:
      contact.birthday = PartialDate("2000-01-02")
      return ("birthday", 1)
    }
  }
}
